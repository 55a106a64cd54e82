import type { Domain } from "../../api/types";
import { atLeast, session } from "../../state";
import { t } from "../../text";

/** What is to be said of a domain first. */
export function statusOf(domain: Domain): "revoked" | "pending" | "off" | "aliases" | "active" {
  if (domain.revoked) return "revoked";
  if (!domain.verified) return "pending";
  if (!domain.active) return "off";
  return domain.aliases.every((one) => one.verified) ? "active" : "aliases";
}

const COLORS = { revoked: "bad", pending: "warn", off: "paused", aliases: "warn", active: "good" } as const;

export function DomainStatus({ domain }: { domain: Domain }) {
  const status = statusOf(domain);
  return <span class={`status ${COLORS[status]}`}>{t(`domain.status.${status}`)}</span>;
}

/** Domains of the installation, and those of others, are changed elsewhere; revoked ones not at all. */
export function mayManage(domain: Domain): boolean {
  return atLeast("admin") && domain.type === "user" && !domain.revoked && domain.ownerId !== undefined;
}

export function isOwn(domain: Domain): boolean {
  return domain.ownerId === session.value?.account.id;
}

import type { Domain } from "../../api/types";
import { atLeast, session, workspace } from "../../state";
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

/** Domains of the installation, and those of others than the workspace's owner, are managed elsewhere. */
export function mayOversee(domain: Domain): boolean {
  return atLeast("admin") && domain.type === "user" && (isOwn(domain) || domain.ownerId === workspace.value?.owner.id);
}

/** Revoked ones are changed by nobody. */
export function mayManage(domain: Domain): boolean {
  return mayOversee(domain) && !domain.revoked;
}

export function isOwn(domain: Domain): boolean {
  return domain.ownerId === session.value?.account.id;
}

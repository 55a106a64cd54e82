// A link as it stands in the form: every value is the text of its field.
import type { Link, LinkInput } from "../../api/types";

export interface Draft {
  destination: string;
  domainId: string;
  slashtag: string;
  title: string;
  description: string;
  tags: readonly string[];
  type: "standard" | "rotator";
  /** never, at a moment, or so many seconds from now. */
  expiry: "keep" | "never" | "at" | "in";
  expiresAt: string;
  ttl: string;
  expiredUrl: string;
  forwarding: "domain" | "yes" | "no";
  onConflict: "" | "destination" | "visitor" | "both";
  /** A new one; empty keeps what there is. */
  password: string;
  noPassword: boolean;
  maxClicks: string;
  externalId: string;
  /** Slashtags with blanks or commas between them. */
  aliases: string;
  passPath: boolean;
}

/** 2026-11-28T23:30 of the browser's clock, as fields of a date and time want it. */
function localTime(iso: string): string {
  const at = new Date(iso);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function draftOf(link: Link | undefined, domainId: string): Draft {
  const parameters = link?.forwarding?.parameters;
  return {
    destination: link?.destination ?? "",
    domainId: link?.domainId ?? domainId,
    slashtag: link?.slashtag ?? "",
    title: link?.title ?? "",
    description: link?.description ?? "",
    tags: link?.tags.map((one) => one.id) ?? [],
    type: link?.type ?? "standard",
    expiry: link ? (link.expiresAt ? "at" : "never") : "keep",
    expiresAt: link?.expiresAt ? localTime(link.expiresAt) : "",
    ttl: "86400",
    expiredUrl: link?.expiredUrl ?? "",
    forwarding: parameters === undefined ? "domain" : parameters ? "yes" : "no",
    onConflict: link?.forwarding?.onConflict ?? "",
    password: "",
    noPassword: false,
    maxClicks: link?.maxClicks ? String(link.maxClicks) : "",
    externalId: link?.externalId ?? "",
    aliases: link?.aliases?.join(" ") ?? "",
    passPath: link?.passPath ?? false,
  };
}

type Sent = Pick<LinkInput, "tags" | "ttl" | "type"> & Partial<Record<"destination" | "domainId" | "slashtag" | "title" | "description" | "expiredUrl" | "expiresAt" | "externalId", string | null>> & { forwarding?: unknown; password?: string | null; maxClicks?: number | string | null; aliases?: string[]; passPath?: boolean };

/** What to send: for a link that exists, only what differs from it. */
export function changesOf(draft: Draft, before: Draft, exists: boolean): Sent {
  const sent: Sent = {};
  const differs = (name: keyof Draft) => String(draft[name]) !== String(before[name]);
  for (const name of ["destination", "domainId", "slashtag", "title", "description", "expiredUrl", "externalId"] as const) {
    const value = draft[name].trim();
    if (exists ? differs(name) : value) sent[name] = value === "" && exists && name !== "destination" && name !== "slashtag" ? null : value;
  }
  if (differs("tags")) sent.tags = [...draft.tags];
  if (!exists && draft.type === "rotator") sent.type = "rotator";
  const expiry = differs("expiry") || differs("expiresAt") || (draft.expiry === "in" && differs("ttl"));
  if (draft.expiry === "at" && expiry && draft.expiresAt) sent.expiresAt = new Date(draft.expiresAt).toISOString();
  if (draft.expiry === "in") sent.ttl = Number(draft.ttl);
  if (draft.expiry === "never" && exists && before.expiry !== "never") sent.expiresAt = null;
  if (differs("forwarding") || differs("onConflict")) {
    const parameters = draft.forwarding === "domain" ? null : draft.forwarding === "yes";
    sent.forwarding = parameters === null && !draft.onConflict ? (exists ? null : {}) : { parameters, ...(draft.onConflict ? { onConflict: draft.onConflict } : {}) };
  }
  if (draft.noPassword) sent.password = null;
  else if (draft.password) sent.password = draft.password;
  if (differs("aliases")) sent.aliases = draft.aliases.split(/[\s,]+/).filter(Boolean);
  const clicks = draft.maxClicks.trim();
  // What is no number is for the server to refuse, at its field.
  if (clicks !== before.maxClicks) sent.maxClicks = clicks === "" ? null : Number.isFinite(Number(clicks)) ? Number(clicks) : clicks;
  if (differs("passPath")) sent.passPath = draft.passPath;
  return sent;
}

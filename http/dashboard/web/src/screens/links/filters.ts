// What the list of links is narrowed to is what the address says: it can be kept, sent, and gone back to.
import { api, ask } from "../../api/client";
import { every } from "../../api/every";
import type { Link } from "../../api/types";

export const FILTERS = ["tag", "domain", "creator", "favourite", "status", "from", "to"] as const;
export type FilterName = (typeof FILTERS)[number];
export const ORDERS = ["createdAt-desc", "createdAt-asc", "clicks-desc", "lastClickAt-desc", "updatedAt-desc", "title-asc", "slashtag-asc"] as const;
export type Order = (typeof ORDERS)[number];
export const PAGE = 50;
const TERM_LEAST = 2; // characters; below it nothing is searched

/** The parameters that the list and its count share. */
function narrowing(query: URLSearchParams): Record<string, string> {
  const status = query.get("status");
  const pairs: [string, string | null][] = [
    ["tag.id", query.get("tag")],
    ["domain.id", query.get("domain")],
    ["creator.id", query.get("creator")],
    ["favourite", query.get("favourite")],
    ["dateFrom", query.get("from")],
    ["dateTo", query.get("to")],
    ["status", status === "trashed" ? "trashed" : status === "all" ? "active,trashed" : "active"],
  ];
  return Object.fromEntries(pairs.filter((one): one is [string, string] => Boolean(one[1])));
}

export function termOf(query: URLSearchParams): string {
  const term = (query.get("q") ?? "").trim();
  return term.length >= TERM_LEAST ? term : "";
}

export function orderOf(query: URLSearchParams): Order {
  return ORDERS.find((one) => one === query.get("order")) ?? "createdAt-desc";
}

/** One link more than a page is asked for: whether there is another page is known without a second question. */
export async function askLinks(query: URLSearchParams, signal: AbortSignal): Promise<{ links: Link[]; more: boolean }> {
  const wanted = new URLSearchParams({ ...narrowing(query), limit: String(PAGE + 1) });
  const last = query.get("last");
  if (last) wanted.set("last", last);
  const term = termOf(query);
  const [orderBy = "", orderDir = ""] = orderOf(query).split("-");
  if (term) wanted.set("term", term);
  else {
    wanted.set("orderBy", orderBy);
    wanted.set("orderDir", orderDir);
  }
  const found = await ask<Link[]>("GET", `/v1/links${term ? "/search" : ""}?${wanted}`, undefined, signal);
  return { links: found.slice(0, PAGE), more: found.length > PAGE };
}

export async function askCount(query: URLSearchParams, signal: AbortSignal): Promise<number> {
  const wanted = new URLSearchParams(narrowing(query));
  const term = termOf(query);
  if (term) wanted.set("term", term);
  const answer = await ask<{ count: number }>("GET", `/v1/links${term ? "/search" : ""}/count?${wanted}`, undefined, signal);
  return answer.count;
}

/** The names that filters can be chosen by. */
export async function askNames(workspace: string, signal: AbortSignal) {
  const [tags, domains, people] = await Promise.all([
    every((page) => api.get("/tags", { query: { ...page, orderDir: "asc" }, signal })),
    every((page) => api.get("/domains", { query: page, signal })),
    every((page) => api.get("/workspaces/{workspace_id}/teammates", { in: { workspace_id: workspace }, query: page, signal })),
  ]);
  return { tags, domains, people };
}

export type Names = Awaited<ReturnType<typeof askNames>>;

/** The short address as people read it: letters beyond ASCII are escaped in `shortUrl`. */
export const shownAddress = (link: Pick<Link, "domainName" | "slashtag">): string => `${link.domainName}/${link.slashtag}`;

/** The whole public address. What a domain serves by HTTPS is told so by it. */
export function addressOf(link: Link): string {
  const local = /^(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(link.shortUrl);
  return `${local || !link.https ? "http" : "https"}://${link.shortUrl}`;
}

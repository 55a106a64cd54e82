// Two tags become one: every link of the first gets the second, then the first is deleted. When it is stopped on the way,
// some links have both, and doing it again goes on from there.
import { api, ask, forEach } from "../../api/client";
import type { Link, Tag } from "../../api/types";

const LINKS_AT_ONCE = 100; // as many as one page of the API has

export interface Progress {
  done: number;
  all: number;
}

/** How many links carry the tag, those that have ended included, those that are deleted not. */
export async function linksOf(tag: string, signal?: AbortSignal): Promise<number> {
  const query = new URLSearchParams({ "tag.id": tag, status: "active,trashed" });
  return (await ask<{ count: number }>("GET", `/v1/links/count?${query}`, undefined, signal)).count;
}

/** Answers whether it came to its end; not so when `stopped` said yes on the way. */
export async function merge(from: Tag, into: Tag, tell: (progress: Progress) => void, stopped: () => boolean): Promise<boolean> {
  const all = await linksOf(from.id);
  let done = 0;
  tell({ done, all });
  let last = "";
  for (;;) {
    const query = new URLSearchParams({ "tag.id": from.id, status: "active,trashed", limit: String(LINKS_AT_ONCE), ...(last ? { last } : {}) });
    const links = await ask<Link[]>("GET", `/v1/links?${query}`);
    const wanted = links.filter((link) => link.status !== "deleted" && !link.tags.some((tag) => tag.id === into.id));
    done += links.length - wanted.length;
    await forEach(wanted, async (link) => {
      if (stopped()) return;
      await api.post("/links/{link_id}/tags/{tag_id}", { in: { link_id: link.id, tag_id: into.id } });
      tell({ done: ++done, all: Math.max(all, done) });
    });
    if (stopped()) return false;
    last = links.at(-1)?.id ?? "";
    if (links.length < LINKS_AT_ONCE) break;
  }
  await api.delete("/tags/{tag_id}", { in: { tag_id: from.id } });
  return true;
}

import { useState } from "preact/hooks";
import { api, forEach } from "../../api/client";
import { useEvery } from "../../api/every";
import type { Link, LinkTag } from "../../api/types";
import { confirm } from "../../components/confirm";
import { TagChip } from "../../components/chip";
import { Icon } from "../../components/icon";
import { Narrow } from "../../components/narrow";
import { Popover } from "../../components/popover";
import { attempt, toast } from "../../components/toast";
import { has, mayEdit } from "../../state";
import { t, type Key } from "../../text";

const DELETED_AT_ONCE = 100; // as many as one call takes

type Changed = (links: readonly Link[]) => void;

export async function toggleFavourite(link: Link, changed: Changed): Promise<void> {
  await attempt(async () => {
    changed([await api.post("/links/{link_id}/favourite", { in: { link_id: link.id }, body: { favourite: !link.favourite } })]);
  });
}

/** Pauses links or lets them go on; what is done can be undone. */
export async function setActive(links: readonly Link[], active: boolean, changed: Changed): Promise<void> {
  const wanted = links.filter((one) => (active ? one.status === "paused" : one.status === "active"));
  const to = async (value: boolean) => {
    const done: Link[] = [];
    await forEach(wanted, async (one) => done.push(await api.post("/links/{link_id}", { in: { link_id: one.id }, body: { active: value } }))).finally(() => changed(done));
  };
  if (await attempt(() => to(active))) {
    toast(t(active ? "bulk.resumed" : "bulk.paused", { n: wanted.length }), { undo: () => void attempt(() => to(!active)) });
  }
}

/** Puts deleted links back as they were: what happened to each last is that it was deleted. */
async function bringBack(links: readonly Link[]): Promise<void> {
  await forEach(links, async (one) => {
    const names = { in: { link_id: one.id } };
    const [last] = await api.get("/links/{link_id}/history", { ...names, query: { limit: 1 } });
    await api.post("/links/{link_id}/restore", { ...names, body: { event: last?.id ?? "" } });
  });
}

/** So many can be undone; more are asked about first. Answers whether they are gone; `back` is called when they are there again. */
export async function deleteLinks(links: readonly Link[], back: () => void): Promise<boolean> {
  const many = links.length > DELETED_AT_ONCE;
  if (many && !(await confirm({ title: t("delete.title"), text: t("delete.many", { n: links.length }), action: t("delete") }))) return false;
  return attempt(async () => {
    for (let first = 0; first < links.length; first += DELETED_AT_ONCE) {
      await api.delete("/links", { body: { links: links.slice(first, first + DELETED_AT_ONCE).map((one) => one.id) } });
    }
    const undo = async () => {
      if (await attempt(() => bringBack(links))) toast(t("bulk.back", { n: links.length }));
      back();
    };
    toast(t("bulk.deleted", { n: links.length, address: links[0]?.shortUrl ?? "" }), many ? {} : { undo: () => void undo() });
  });
}

function Picks({ tags, pick }: { tags: readonly LinkTag[]; pick: (tag: LinkTag) => void }) {
  return (
    <ul class="picks">
      {tags.map((tag) => (
        <li key={tag.id}>
          <button type="button" onClick={() => pick(tag)}>
            <TagChip name={tag.name} color={tag.color} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The tags of the workspace, read when somebody wants to choose one. */
function TagsToAdd({ pick }: { pick: (tag: LinkTag) => void }) {
  const tags = useEvery((page, signal) => api.get("/tags", { query: { ...page, orderDir: "asc" }, signal }));
  if (tags.data?.items.length === 0 && !tags.term) return <p class="muted">{t("tags.none")}</p>;
  return (
    <>
      <Narrow list={tags} label={t("tags.search")} />
      <Picks tags={tags.data?.items ?? []} pick={pick} />
    </>
  );
}

/** What can be done with all of the chosen links at once. */
export function BulkBar({ links, changed, gone, clear }: { links: readonly Link[]; changed: Changed; gone: () => void; clear: () => void }) {
  const [busy, setBusy] = useState(false);
  const editable = links.filter(mayEdit);
  const doing = async (action: () => Promise<unknown>) => {
    setBusy(true);
    await action();
    setBusy(false);
  };
  const tag = (one: LinkTag, on: boolean) =>
    doing(async () => {
      const wanted = editable.filter((link) => link.tags.some((has) => has.id === one.id) !== on);
      const to = async (value: boolean) => {
        await forEach(wanted, (link) => {
          const names = { in: { link_id: link.id, tag_id: one.id } };
          return value ? api.post("/links/{link_id}/tags/{tag_id}", names) : api.delete("/links/{link_id}/tags/{tag_id}", names);
        });
        const without = (link: Link) => link.tags.filter((has) => has.id !== one.id);
        changed(wanted.map((link) => ({ ...link, tags: value ? [...without(link), one] : without(link) })));
      };
      const said: Key = on ? "bulk.tagged" : "bulk.untagged";
      if (await attempt(() => to(on))) toast(t(said, { n: wanted.length, name: one.name }), { undo: () => void attempt(() => to(!on)) });
    });
  const used = [...new Map(editable.flatMap((link) => link.tags).map((one) => [one.id, one])).values()];
  return (
    <div class="bulk" role="region" aria-label={t("bulk")} aria-busy={busy}>
      <strong aria-live="polite">{t("bulk.chosen", { n: links.length })}</strong>
      {has("links.tags") && editable.length > 0 ? (
        <Popover icon="tag" label={t("bulk.tag")} class="small">
          {(close) => <TagsToAdd pick={(one) => (close(), void tag(one, true))} />}
        </Popover>
      ) : null}
      {has("links.tags") && used.length > 0 ? (
        <Popover icon="close" label={t("bulk.untag")} class="small">
          {(close) => <Picks tags={used} pick={(one) => (close(), void tag(one, false))} />}
        </Popover>
      ) : null}
      {(["active", "paused"] as const).map((status) =>
        editable.some((one) => one.status === status) ? (
          <button key={status} type="button" class="button small" disabled={busy} onClick={() => void doing(() => setActive(editable, status === "paused", changed))}>
            <Icon name={status === "paused" ? "play" : "pause"} />
            {t(status === "paused" ? "resume" : "pause")}
          </button>
        ) : null,
      )}
      <button
        type="button"
        class="button small danger"
        disabled={busy || editable.length === 0}
        onClick={() =>
          void doing(async () => {
            if (!(await deleteLinks(editable, gone))) return;
            clear();
            gone();
          })
        }
      >
        <Icon name="trash" />
        {t("delete")}
      </button>
      <button type="button" class="button small quiet" onClick={clear}>
        {t("bulk.clear")}
      </button>
    </div>
  );
}

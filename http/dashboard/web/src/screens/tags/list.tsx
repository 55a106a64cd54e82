import { useState } from "preact/hooks";
import { api, forEach } from "../../api/client";
import { useLoad } from "../../api/load";
import { usePages } from "../../api/pages";
import type { Tag } from "../../api/types";
import { TagChip } from "../../components/chip";
import { confirm } from "../../components/confirm";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { List } from "../../components/list";
import { Page } from "../../components/page";
import { Search, searched } from "../../components/search";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { useShortcuts } from "../../keys";
import { A } from "../../router";
import { atLeast, has } from "../../state";
import { t } from "../../text";
import { number } from "../../text/formats";
import { EditTag } from "./edit";
import { MergeTag } from "./merge";
import { linksOf } from "./retag";

type Opened = { kind: "create" } | { kind: "edit" | "merge"; tag: Tag };

/** How many links each of the shown tags has, as far as it is known already. */
function useLinkCounts(tags: readonly Tag[] | undefined): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState<ReadonlyMap<string, number>>(new Map());
  useLoad(
    async (signal) => {
      await forEach(tags ?? [], async (tag) => {
        if (signal.aborted) return;
        const count = await linksOf(tag.id, signal);
        setCounts((old) => new Map(old).set(tag.id, count));
      });
    },
    [tags],
  );
  return counts;
}

async function remove(tag: Tag, gone: () => void): Promise<void> {
  let count = 0;
  if (!(await attempt(async () => (count = await linksOf(tag.id))))) return;
  if (!(await confirm({ title: t("tags.deleteTitle", { name: tag.name }), text: t("tags.deleteText", { n: count }), action: t("delete") }))) return;
  await attempt(async () => {
    await api.delete("/tags/{tag_id}", { in: { tag_id: tag.id } });
    toast(t("tags.deleted", { name: tag.name }));
  });
  gone();
}

export function Tags() {
  const term = searched();
  const narrow = term ? { term } : {};
  const pages = usePages((page, signal) => api.get("/tags", { query: { ...page, ...narrow, orderDir: "asc" }, signal }), [term]);
  const count = useLoad((signal) => api.get("/tags/count", { query: narrow, signal }), [term]);
  const links = useLinkCounts(pages.data);
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const mayDelete = atLeast("user");
  const mayChange = mayDelete && has("links.tags");
  const again = () => {
    pages.reload();
    count.reload();
  };
  useShortcuts(mayChange ? [{ keys: "n", says: "tags.new", action: () => setOpened({ kind: "create" }) }] : [], [mayChange]);
  const create = mayChange ? (
    <button type="button" class="button primary" onClick={() => setOpened({ kind: "create" })}>
      <Icon name="plus" />
      {t("tags.new")}
    </button>
  ) : undefined;
  const columns: Column<Tag>[] = [
    {
      title: t("tags.tag"),
      kind: "main",
      cell: (tag) => (
        <A href={`/tags/${tag.id}`} class="plain-link">
          <TagChip name={tag.name} color={tag.color} />
        </A>
      ),
    },
    {
      title: t("nav.links"),
      kind: "number",
      cell: (tag) => (
        <A href={`/links?tag=${tag.id}&status=all`} aria-label={t("tags.links", { n: links.get(tag.id) ?? "…", name: tag.name })}>
          {links.has(tag.id) ? number(links.get(tag.id) ?? 0) : "…"}
        </A>
      ),
    },
    { title: t("clicks"), kind: "number", cell: (tag) => number(tag.clicks) },
    { title: t("links.lastClick"), cell: (tag) => (tag.lastClickAt ? <Ago at={tag.lastClickAt} /> : <span class="muted">–</span>) },
    {
      title: t("actions"),
      kind: "tools",
      cell: (tag) => (
        <span class="tools-row">
          <IconButton icon="edit" label={t("tags.editOne", { name: tag.name })} disabled={!mayChange} onClick={() => setOpened({ kind: "edit", tag })} />
          <IconButton icon="merge" label={t("tags.mergeOne", { name: tag.name })} disabled={!mayChange} onClick={() => setOpened({ kind: "merge", tag })} />
          <IconButton icon="trash" label={t("tags.deleteOne", { name: tag.name })} disabled={!mayDelete} onClick={() => void remove(tag, again)} />
        </span>
      ),
    },
  ];
  return (
    <Page
      title={t("nav.tags")}
      lead={
        <span class="count" aria-live="polite">
          {count.data ? t("tags.count", { n: count.data.count }) : ""}
        </span>
      }
      actions={create}
    >
      <div class="toolbar">
        <Search label={t("tags.search")} />
      </div>
      <List
        caption={t("nav.tags")}
        columns={columns}
        pages={pages}
        count={count.data?.count}
        empty={
          term ? (
            <Empty icon="search" title={t("tags.noneFits")} text={t("list.tryOther")} />
          ) : (
            <Empty icon="tag" title={t("tags.empty")} text={t(has("links.tags") ? "tags.emptyText" : "problem.feature")}>
              {create}
            </Empty>
          )
        }
      />
      {opened?.kind === "create" ? <EditTag onClose={() => setOpened(undefined)} saved={again} /> : null}
      {opened?.kind === "edit" ? <EditTag tag={opened.tag} onClose={() => setOpened(undefined)} saved={again} /> : null}
      {opened?.kind === "merge" ? <MergeTag tag={opened.tag} onClose={() => setOpened(undefined)} merged={again} /> : null}
    </Page>
  );
}

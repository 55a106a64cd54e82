import { useMemo, useState } from "preact/hooks";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { CopyButton } from "../../components/copy";
import { Chip, TagChip } from "../../components/chip";
import { Empty } from "../../components/empty";
import { Select } from "../../components/field";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { Page } from "../../components/page";
import { Pager } from "../../components/pager";
import { ProblemBox } from "../../components/problem";
import { Search } from "../../components/search";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { useShortcuts } from "../../keys";
import { A, go, place, withQuery } from "../../router";
import { atLeast, mayEdit, mayFavour, workspaceId } from "../../state";
import { t } from "../../text";
import { number } from "../../text/formats";
import { EditLink } from "../edit/drawer";
import { BulkBar, toggleFavourite } from "./bulk";
import { FilterButton } from "./filter_button";
import { addressOf, askCount, askLinks, askNames, FILTERS, orderOf, ORDERS, PAGE, shownAddress, termOf, type FilterName, type Names } from "./filters";
import { QrDialog } from "./qr";
import { Status } from "./status";

function filterText(name: FilterName, value: string, names: Names | undefined): string {
  if (name === "tag") return names?.tags.items.find((one) => one.id === value)?.name ?? value;
  if (name === "domain") return names?.domains.items.find((one) => one.id === value)?.fullName ?? value;
  if (name === "creator") return names?.people.items.find((one) => one.id === value)?.fullName ?? value;
  if (name === "favourite") return value === "true" ? t("yes") : t("no");
  if (name === "status") return value === "trashed" ? t("filter.ended") : t("filter.all");
  return value;
}

function Chips({ names }: { names: Names | undefined }) {
  const query = place.value.query;
  const set = FILTERS.filter((name) => query.get(name));
  if (set.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={t("filters")}>
      {set.map((name) => (
        <Chip key={name} name={t(`filter.${name}`)} value={filterText(name, query.get(name) ?? "", names)} remove={() => go(withQuery({ [name]: "", last: "", page: "" }))} />
      ))}
      {set.length > 1 ? (
        <button type="button" class="button quiet small" onClick={() => go(withQuery({ ...Object.fromEntries(FILTERS.map((name) => [name, ""])), last: "", page: "" }))}>
          {t("filters.clear")}
        </button>
      ) : null}
    </div>
  );
}

function LinkCell({ link }: { link: Link }) {
  return (
    <div class="link-cell">
      <span class="link-line">
        {link.status === "deleted" ? (
          <bdi class="link-title">{link.title}</bdi>
        ) : (
          <A href={`/links/${link.id}`} class="link-title">
            <bdi>{link.title}</bdi>
          </A>
        )}
        {link.tags.length > 0 ? (
          <span class="tags">
            {link.tags.map((tag) => (
              <TagChip key={tag.id} name={tag.name} color={tag.color} />
            ))}
          </span>
        ) : null}
      </span>
      <span class="link-line">
        <span class="link-short">
          <bdi>{shownAddress(link)}</bdi>
          <CopyButton text={addressOf(link)} label={t("link.copy", { address: shownAddress(link) })} />
        </span>
        <bdi class="link-destination" title={link.destination}>
          {link.destination}
        </bdi>
      </span>
    </div>
  );
}

type Opened = { kind: "edit" | "qr"; link: Link } | { kind: "create" };

export function Links() {
  const query = place.value.query;
  const key = query.toString();
  const narrowed = new URLSearchParams(query);
  narrowed.delete("last");
  narrowed.delete("page");
  const list = useLoad((signal) => askLinks(query, signal), [key]);
  const count = useLoad((signal) => askCount(query, signal), [narrowed.toString()]);
  // Asked for when somebody looks at the filters, or one of them is set: in a large workspace that is many calls.
  const [looks, setLooks] = useState(false);
  const needsNames = looks || (["tag", "domain", "creator"] as const).some((name) => query.get(name));
  const names = useLoad<Names | undefined>(async (signal) => (needsNames ? askNames(workspaceId.value, signal) : undefined), [needsNames]);
  const [chosen, setChosen] = useState<ReadonlyMap<string, Link>>(new Map());
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  const mayCreate = atLeast("guest");
  const again = () => {
    list.reload();
    count.reload();
  };
  const change = (links: readonly Link[]) => {
    const changed = new Map(links.map((one) => [one.id, one]));
    list.set((old) => ({ ...old, links: old.links.map((one) => changed.get(one.id) ?? one) }));
    setChosen((old) => new Map([...old].map(([id, one]) => [id, changed.get(id) ?? one])));
  };
  useShortcuts(mayCreate ? [{ keys: "n", says: "links.new", action: () => setOpened({ kind: "create" }) }] : [], [mayCreate]);
  const columns = useMemo<Column<Link>[]>(
    () => [
      { title: t("links.link"), kind: "main", cell: (link) => <LinkCell link={link} /> },
      { title: t("links.status"), cell: (link) => <Status link={link} /> },
      { title: t("clicks"), kind: "number", cell: (link) => number(link.clicks) },
      { title: t("links.lastClick"), cell: (link) => (link.lastClickAt ? <Ago at={link.lastClickAt} /> : <span class="muted">–</span>) },
      { title: t("links.created"), cell: (link) => <Ago at={link.createdAt} /> },
      {
        title: t("actions"),
        kind: "tools",
        cell: (link) => (
          <span class="tools-row">
            <IconButton icon="star" filled={link.favourite} class={link.favourite ? "lit" : ""} aria-pressed={link.favourite} label={t("link.favourite", { title: link.title })} disabled={!mayFavour(link)} onClick={() => void toggleFavourite(link, change)} />
            <IconButton icon="qr" label={t("link.qr", { title: link.title })} onClick={() => setOpened({ kind: "qr", link })} />
            <IconButton icon="edit" label={t("link.edit", { title: link.title })} disabled={!mayEdit(link)} onClick={() => setOpened({ kind: "edit", link })} />
          </span>
        ),
      },
    ],
    [t("links.link"), list.data],
  );
  const links = list.data?.links ?? [];
  const page = Number(query.get("page") ?? "1");
  const stack = (place.value.state as { stack?: string[] } | null)?.stack ?? [];
  const turn = (last: string | undefined, to: number, before: string[]) => {
    go(withQuery({ last: last ?? "", page: to > 1 ? String(to) : "" }), { state: { stack: before } });
    scrollTo(0, 0);
  };
  const narrowing = termOf(query) || FILTERS.some((name) => query.get(name));
  return (
    <Page
      title={t("nav.links")}
      lead={
        <span class="count" aria-live="polite">
          {count.data === undefined ? "" : t("links.count", { n: count.data })}
        </span>
      }
      actions={
        mayCreate ? (
          <button type="button" class="button primary" onClick={() => setOpened({ kind: "create" })}>
            <Icon name="plus" />
            {t("links.new")}
          </button>
        ) : undefined
      }
    >
      <div class="toolbar">
        <Search label={t("links.search")} />
        <FilterButton names={names.data} look={() => setLooks(true)} />
        <div class="order">
          <Select
            label={t("order")}
            value={termOf(query) ? "" : orderOf(query)}
            disabled={Boolean(termOf(query))}
            choices={termOf(query) ? [{ value: "", label: t("order.best") }] : ORDERS.map((one) => ({ value: one, label: t(`order.${one}`) }))}
            onValue={(order) => go(withQuery({ order, last: "", page: "" }))}
          />
        </div>
      </div>
      <Chips names={names.data} />
      {list.problem ? <ProblemBox problem={list.problem} retry={again} /> : null}
      {!list.data && list.loading ? <Skeleton lines={8} /> : null}
      {list.data && links.length === 0 ? (
        narrowing ? (
          <Empty icon="search" title={t("links.none")} text={t("links.noneText")} />
        ) : (
          <Empty icon="link" title={t("links.empty")} text={t("links.emptyText")}>
            {mayCreate ? (
              <button type="button" class="button primary" onClick={() => setOpened({ kind: "create" })}>
                {t("links.new")}
              </button>
            ) : null}
          </Empty>
        )
      ) : null}
      {links.length > 0 ? (
        <Table
          caption={t("nav.links")}
          columns={columns}
          rows={links}
          busy={list.loading}
          select={
            mayCreate
              ? {
                  chosen: new Set(chosen.keys()),
                  choose: (ids, on) =>
                    setChosen((old) => {
                      const next = new Map(old);
                      for (const link of links.filter((one) => ids.includes(one.id))) {
                        if (on) next.set(link.id, link);
                        else next.delete(link.id);
                      }
                      return next;
                    }),
                  label: (index) => t("choose.one", { title: links[index]?.title ?? "" }),
                }
              : undefined
          }
        />
      ) : null}
      <Pager
        first={(page - 1) * PAGE}
        shown={links.length}
        count={count.data}
        back={page > 1 ? () => turn(stack.at(-1), stack.length ? page - 1 : 1, stack.slice(0, -1)) : undefined}
        next={list.data?.more ? () => turn(links.at(-1)?.id, page + 1, [...stack, query.get("last") ?? ""]) : undefined}
      />
      {chosen.size > 0 ? <BulkBar links={[...chosen.values()]} changed={change} gone={again} clear={() => setChosen(new Map())} /> : null}
      {opened?.kind === "qr" ? <QrDialog link={opened.link} onClose={() => setOpened(undefined)} /> : null}
      {opened?.kind === "edit" ? <EditLink link={opened.link} onClose={() => setOpened(undefined)} saved={(link) => change([link])} /> : null}
      {opened?.kind === "create" ? <EditLink onClose={() => setOpened(undefined)} saved={again} /> : null}
    </Page>
  );
}

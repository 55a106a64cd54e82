import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { usePages } from "../../api/pages";
import type { Domain } from "../../api/types";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { List } from "../../components/list";
import { Page } from "../../components/page";
import { Search, searched } from "../../components/search";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { useShortcuts } from "../../keys";
import { A } from "../../router";
import { atLeast } from "../../state";
import { t } from "../../text";
import { number } from "../../text/formats";
import { AddDomain } from "./add";
import { DomainStatus } from "./status";

export function Domains() {
  const term = searched();
  const narrow = term ? { term } : {};
  const pages = usePages((page, signal) => api.get("/domains", { query: { ...page, ...narrow, orderBy: "fullName", orderDir: "asc" }, signal }), [term]);
  const count = useLoad((signal) => api.get("/domains/count", { query: narrow, signal }), [term]);
  const [adding, setAdding] = useState(false);
  const mayAdd = atLeast("admin");
  useShortcuts(mayAdd ? [{ keys: "n", says: "domains.add", action: () => setAdding(true) }] : [], [mayAdd]);
  const add = mayAdd ? (
    <button type="button" class="button primary" onClick={() => setAdding(true)}>
      <Icon name="plus" />
      {t("domains.add")}
    </button>
  ) : undefined;
  const columns: Column<Domain>[] = [
    {
      title: t("link.domain"),
      kind: "main",
      cell: (domain) => (
        <A href={`/domains/${domain.id}`} class="link-title">
          <bdi>{domain.fullName}</bdi>
        </A>
      ),
    },
    { title: t("links.status"), cell: (domain) => <DomainStatus domain={domain} /> },
    { title: t("domains.kind"), cell: (domain) => <span class="one-line">{t(domain.type === "user" ? "domains.own" : "domains.service")}</span> },
    { title: t("clicks"), kind: "number", cell: (domain) => number(domain.clicks) },
    { title: t("links.lastClick"), cell: (domain) => (domain.lastClickAt ? <Ago at={domain.lastClickAt} /> : <span class="muted">–</span>) },
  ];
  return (
    <Page
      title={t("nav.domains")}
      lead={
        <span class="count" aria-live="polite">
          {count.data ? t("domains.count", { n: count.data.count }) : ""}
        </span>
      }
      actions={add}
    >
      <div class="toolbar">
        <Search label={t("domains.search")} />
      </div>
      <List
        caption={t("nav.domains")}
        columns={columns}
        pages={pages}
        count={count.data?.count}
        empty={
          term ? (
            <Empty icon="search" title={t("domains.noneFits")} text={t("list.tryOther")} />
          ) : (
            <Empty icon="globe" title={t("domains.empty")} text={t("domains.emptyText")}>
              {add}
            </Empty>
          )
        }
      />
      {adding ? <AddDomain onClose={() => setAdding(false)} /> : null}
    </Page>
  );
}

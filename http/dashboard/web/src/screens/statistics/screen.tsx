import { api, ask } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { Empty } from "../../components/empty";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { A } from "../../router";
import { workspace, workspaceId } from "../../state";
import { StatisticsPanel } from "../../statistics/panel";
import { t } from "../../text";
import { number } from "../../text/formats";

const SHOWN = 10;

/** The links with the most clicks of all time: of the workspace, a tag or a domain. */
export function TopLinks({ filter = "" }: { filter?: string }) {
  const found = useLoad((signal) => ask<Link[]>("GET", `/v1/links?orderBy=clicks&orderDir=desc&limit=${SHOWN}${filter && `&${filter}`}`, undefined, signal), [filter]);
  const links = (found.data ?? []).filter((one) => one.clicks > 0);
  const columns: Column<Link>[] = [
    {
      title: t("links.link"),
      kind: "main",
      cell: (link) => (
        <span class="two-lines">
          <A href={`/links/${link.id}`} class="link-title">
            <bdi>{link.title}</bdi>
          </A>
          <bdi class="row-note">{link.shortUrl}</bdi>
        </span>
      ),
    },
    { title: t("clicks"), kind: "number", cell: (link) => number(link.clicks) },
    { title: t("links.lastClick"), cell: (link) => (link.lastClickAt ? <Ago at={link.lastClickAt} /> : "–") },
  ];
  return (
    <section class="part-of-page top-links">
      <h2>{t("top.title")}</h2>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={3} /> : null}
      {found.data && links.length === 0 ? <Empty icon="chart" title={t("top.none")} text={t("top.noneText")} /> : null}
      {links.length > 0 ? <Table caption={t("top.title")} columns={columns} rows={links} busy={found.loading} /> : null}
    </section>
  );
}

export function WorkspaceStatistics() {
  const id = workspaceId.value;
  return (
    <Page title={t("nav.statistics")}>
      <StatisticsPanel id={id} name={workspace.value?.name ?? ""} names={new Map()} ask={(query, signal) => api.get("/workspaces/{workspace_id}/statistics", { in: { workspace_id: id }, query, signal })} />
      <TopLinks />
    </Page>
  );
}

import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { Empty } from "../../components/empty";
import { Figures } from "../../components/figures";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Table } from "../../components/table";
import { Segments } from "../../components/tabs";
import { go, place, withQuery } from "../../router";
import { workspace } from "../../state";
import { PERIODS, periodOf, spansOf } from "../../statistics/period";
import { t } from "../../text";
import { money, number, percent } from "../../text/formats";

/** What visitors did after they had followed the link, as others told the server. */
export function Conversions({ link }: { link: Link }) {
  const query = place.value.query;
  const [now] = useState(() => Date.now());
  const { span } = spansOf(periodOf(query), query, workspace.value?.timezone ?? "", now);
  const { interval: _, ...over } = span;
  const found = useLoad((signal) => api.get("/links/{link_id}/statistics", { in: { link_id: link.id }, query: over, signal }), [link.id, span.from, span.to]);
  const data = found.data;
  return (
    <div class="stack">
      <div class="toolbar">
        <Segments label={t("period")} value={periodOf(query)} choices={PERIODS.filter((one) => one !== "custom").map((one) => ({ value: one, label: t(`period.${one}`) }))} onValue={(value) => go(withQuery({ period: value }))} />
      </div>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!data && found.loading ? <Skeleton /> : null}
      {data ? (
        <Figures
          figures={[
            { name: t("conversions"), value: data.conversions },
            { name: t("clicks"), value: data.clicks },
          ]}
        />
      ) : null}
      {data && data.events.length === 0 ? <Empty icon="target" title={t("conversions.empty")} text={t("conversions.emptyText")} /> : null}
      {data && data.events.length > 0 ? (
        <Table
          caption={t("conversions")}
          rows={data.events.map((one) => ({ ...one, id: one.event }))}
          columns={[
            { title: t("conversions.event"), kind: "main", cell: (row) => <bdi>{row.event}</bdi> },
            { title: t("conversions"), kind: "number", cell: (row) => number(row.conversions) },
            { title: t("conversions.rate"), kind: "number", cell: (row) => (data.clicks > 0 ? percent(row.conversions / data.clicks) : "–") },
          ]}
        />
      ) : null}
      {data && data.revenue.length > 0 ? (
        <Table
          caption={t("conversions.revenue")}
          rows={data.revenue.map((one) => ({ ...one, id: one.currency }))}
          columns={[
            { title: t("conversions.currency"), kind: "main", cell: (row) => row.currency },
            { title: t("conversions.revenue"), kind: "number", cell: (row) => money(row.value, row.currency) },
          ]}
        />
      ) : null}
    </div>
  );
}

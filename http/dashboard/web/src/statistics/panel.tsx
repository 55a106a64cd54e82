// Figures, chart and breakdowns of whatever the API has statistics of: a link, a tag, a domain, a workspace.
import { useState } from "preact/hooks";
import type { Statistics } from "../api/types";
import { useLoad } from "../api/load";
import { Breakdown } from "../components/breakdown";
import { Chart, type Point } from "../components/chart";
import { Chip } from "../components/chip";
import { Dialog } from "../components/dialog";
import { Checkbox, TextField } from "../components/field";
import { Figures } from "../components/figures";
import { Icon } from "../components/icon";
import { ProblemBox } from "../components/problem";
import { Skeleton } from "../components/skeleton";
import { Table } from "../components/table";
import { Segments } from "../components/tabs";
import { csvOf, saveFile } from "../files";
import { go, place, withQuery } from "../router";
import { workspace } from "../state";
import { language, t } from "../text";
import { day, moment, number, percent } from "../text/formats";
import { PERIODS, periodOf, spansOf, type Interval, type Span } from "./period";
import { GROUPS, isDimension, labelOf, type Dimension } from "./values";

export interface Question extends Partial<Omit<Span, "interval">> {
  interval?: Interval;
  by?: Dimension;
}

/** Asks for the statistics of one thing. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Statistics>;

const SHOWN_OF_A_BREAKDOWN = 6;

function bucketLabel(from: string, interval: Interval, timeZone: string, short: boolean): string {
  const at = new Date(from);
  const zone = timeZone || "UTC";
  if (interval === "hour") return short ? at.toLocaleTimeString(language.value, { timeStyle: "short", timeZone: zone }) : moment(from, zone);
  if (interval === "month") return at.toLocaleDateString(language.value, { month: short ? "short" : "long", year: short ? undefined : "numeric", timeZone: zone });
  return short ? at.toLocaleDateString(language.value, { day: "numeric", month: "short", timeZone: zone }) : interval === "week" ? t("chart.week", { day: day(from, zone) }) : day(from, zone);
}

function clicksOf(bucket: Statistics["buckets"][number] | undefined, value: string | undefined): number {
  if (value === undefined) return bucket?.clicks ?? 0;
  return bucket?.by?.find((one) => one.value === value)?.clicks ?? 0;
}

function sum(statistics: Statistics | undefined, value: string | undefined): number | undefined {
  if (!statistics) return undefined;
  return value === undefined ? statistics.clicks : statistics.buckets.reduce((all, one) => all + clicksOf(one, value), 0);
}

function Toolbar() {
  const query = place.value.query;
  const period = periodOf(query);
  const set = (changes: Record<string, string>) => go(withQuery(changes));
  return (
    <div class="toolbar">
      <Segments label={t("period")} value={period} choices={PERIODS.map((one) => ({ value: one, label: t(`period.${one}`) }))} onValue={(value) => set({ period: value })} />
      {period === "custom" ? (
        <div class="dates">
          <TextField label={t("filter.from")} type="date" value={query.get("since") ?? ""} onValue={(value) => set({ since: value })} />
          <TextField label={t("filter.to")} type="date" value={query.get("until") ?? ""} onValue={(value) => set({ until: value })} />
        </div>
      ) : null}
      <Checkbox label={t("compare")} checked={query.get("compare") === "1"} onChecked={(on) => set({ compare: on ? "1" : "" })} />
    </div>
  );
}

function Card({ ask, span, group, names, chosen }: { ask: Ask; span: Span; group: readonly Dimension[]; names: ReadonlyMap<string, string>; chosen: { by: Dimension; value: string } | undefined }) {
  const [by, setBy] = useState<Dimension>(group.find((one) => one === chosen?.by) ?? group[0] ?? "country");
  const [open, setOpen] = useState(false);
  const { interval: _, ...over } = span;
  const found = useLoad((signal) => ask({ ...over, by }, signal), [by, span.from, span.to]);
  const shares = (found.data?.buckets[0]?.by ?? []).map((one) => ({ ...one, label: labelOf(by, one.value, names) })).sort((a, b) => b.clicks - a.clicks);
  const choose = (value: string) => {
    setOpen(false);
    const same = chosen?.by === by && chosen.value === value;
    go(withQuery({ by: same ? "" : by, value: same ? "" : value }));
  };
  const all = found.data?.clicks ?? 0;
  const save = () => saveFile(`${by}.csv`, new Blob([csvOf([[t(`by.${by}`), t("clicks")], ...shares.map((one) => [one.label, one.clicks])])], { type: "text/csv" }));
  return (
    <section class="card" aria-busy={found.loading}>
      {group.length > 1 ? <Segments label={t("by")} value={by} choices={group.map((one) => ({ value: one, label: t(`by.${one}`) }))} onValue={(value) => setBy(value as Dimension)} /> : <h2>{t(`by.${by}`)}</h2>}
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {found.data ? <Breakdown shares={shares.slice(0, SHOWN_OF_A_BREAKDOWN)} all={all} chosen={chosen?.by === by ? chosen.value : undefined} choose={choose} /> : null}
      {shares.length > 0 ? (
        <button type="button" class="button quiet small" onClick={() => setOpen(true)}>
          {t("breakdown.all", { n: shares.length })}
        </button>
      ) : null}
      {open ? (
        <Dialog
          wide
          title={t(`by.${by}`)}
          onClose={() => setOpen(false)}
          footer={
            <button type="button" class="button" onClick={save}>
              <Icon name="download" />
              {t("csv")}
            </button>
          }
        >
          <Table
            caption={t(`by.${by}`)}
            rows={shares.map((one) => ({ ...one, id: one.value }))}
            columns={[
              { title: t(`by.${by}`), kind: "main", cell: (row) => <button type="button" class="as-link" onClick={() => choose(row.value)}><bdi>{row.label}</bdi></button> },
              { title: t("clicks"), kind: "number", cell: (row) => number(row.clicks) },
              { title: t("share"), kind: "number", cell: (row) => percent(all > 0 ? row.clicks / all : 0) },
            ]}
          />
        </Dialog>
      ) : null}
    </section>
  );
}

/** `id` is what is asked about: another is asked anew. `names` are those of rules and arms. */
export function StatisticsPanel({ ask, id, name, names = new Map<string, string>() }: { ask: Ask; id: string; name: string; names?: ReadonlyMap<string, string> }) {
  const query = place.value.query;
  const zone = workspace.value?.timezone ?? "";
  const compare = query.get("compare") === "1";
  const [now] = useState(() => Date.now());
  const { span, before } = spansOf(periodOf(query), query, zone, now);
  const by = query.get("by");
  const value = query.get("value");
  const chosen = isDimension(by) && value !== null ? { by, value } : undefined;
  const asked = { ...span, ...(chosen ? { by: chosen.by } : {}) };
  const over = [id, span.from, span.to, span.interval, chosen?.by];
  const found = useLoad((signal) => ask(asked, signal), over);
  const past = useLoad(async (signal) => (compare ? ask({ ...before, ...(chosen ? { by: chosen.by } : {}) }, signal) : undefined), [...over, compare]);
  const [table, setTable] = useState(false);
  const counted = found.data?.timezone || zone;
  const points: Point[] = (found.data?.buckets ?? []).map((bucket, index) => ({
    label: bucketLabel(bucket.from, span.interval, counted, false),
    short: bucketLabel(bucket.from, span.interval, counted, true),
    value: clicksOf(bucket, chosen?.value),
    before: past.data ? clicksOf(past.data.buckets[index], chosen?.value) : undefined,
  }));
  const rows = (found.data?.buckets ?? []).map((bucket, index) => ({ ...bucket, id: bucket.from, label: points[index]?.label ?? "", clicks: points[index]?.value ?? 0 }));
  const save = () => {
    const head = [t("time"), t("clicks"), ...(chosen ? [] : [t("sessions"), t("bots"), t("conversions")])];
    const lines = rows.map((row) => [row.from, row.clicks, ...(chosen ? [] : [row.sessions, row.bots, row.conversions])]);
    saveFile(`${name.replace(/[^\w-]+/g, "-")}.csv`, new Blob([csvOf([head, ...lines])], { type: "text/csv" }));
  };
  const figures = [
    { name: t("clicks"), value: sum(found.data, chosen?.value), before: sum(past.data, chosen?.value) },
    ...(chosen ? [] : (["sessions", "bots", "conversions"] as const).map((one) => ({ name: t(one), hint: t(`${one}.hint`), value: found.data?.[one], before: past.data?.[one] }))),
  ];
  return (
    <div class="stack">
      <Toolbar />
      {chosen ? (
        <div class="chips">
          <Chip name={t(`by.${chosen.by}`)} value={labelOf(chosen.by, chosen.value, names)} remove={() => go(withQuery({ by: "", value: "" }))} />
          <span class="muted">{t("chart.onlyClicks")}</span>
        </div>
      ) : null}
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {past.problem ? <ProblemBox problem={past.problem} retry={past.reload} /> : null}
      <Figures figures={figures} />
      <section class="card" aria-busy={found.loading}>
        <header class="card-head">
          <h2>{t("chart.title")}</h2>
          <div class="actions">
            <Segments
              label={t("view")}
              value={table ? "table" : "chart"}
              choices={[
                { value: "chart", label: t("view.chart") },
                { value: "table", label: t("view.table") },
              ]}
              onValue={(shown) => setTable(shown === "table")}
            />
            <button type="button" class="button small" onClick={save} disabled={rows.length === 0}>
              <Icon name="download" />
              {t("csv")}
            </button>
          </div>
        </header>
        {!found.data && found.loading ? <Skeleton lines={4} /> : null}
        {found.data && !table ? <Chart title={t("chart.title")} unit={t("clicks")} points={points} /> : null}
        {found.data && table ? (
          <Table
            caption={t("chart.title")}
            rows={rows}
            columns={[
              { title: t("time"), cell: (row) => row.label },
              { title: t("clicks"), kind: "number", cell: (row) => number(row.clicks) },
              ...(chosen ? [] : (["sessions", "bots", "conversions"] as const).map((one) => ({ title: t(one), kind: "number" as const, cell: (row: (typeof rows)[number]) => number(row[one]) }))),
            ]}
          />
        ) : null}
        {found.data ? <p class="field-hint">{t("chart.zone", { zone: counted || "UTC" })}</p> : null}
      </section>
      <div class="cards">
        {GROUPS.map((group) => (
          <Card key={group.join()} ask={ask} span={span} group={group} names={names} chosen={chosen} />
        ))}
      </div>
    </div>
  );
}

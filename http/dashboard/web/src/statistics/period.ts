// The spans of time that statistics are looked at over, and the span before each.

export const PERIODS = ["24h", "7d", "30d", "90d", "12m", "custom"] as const;
export type Period = (typeof PERIODS)[number];
export type Interval = "hour" | "day" | "week" | "month";

export interface Span {
  from: string;
  /** Absent: now. */
  to?: string;
  interval: Interval;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS: Record<"7d" | "30d" | "90d", number> = { "7d": 7, "30d": 30, "90d": 90 };

/** 2026-11-28: the day in a time zone. */
export function dayOf(time: number, timeZone: string): string {
  return new Date(time).toLocaleDateString("en-CA", { timeZone: timeZone || "UTC" });
}

/** Days as numbers that can be counted with: the middle of the day in UTC. */
const noon = (day: string) => new Date(`${day}T12:00:00Z`).getTime();
const shift = (day: string, days: number) => new Date(noon(day) + days * DAY).toISOString().slice(0, 10);

export function periodOf(query: URLSearchParams): Period {
  return PERIODS.find((one) => one === query.get("period")) ?? "30d";
}

function intervalFor(days: number): Interval {
  return days <= 2 ? "hour" : days <= 120 ? "day" : days <= 730 ? "week" : "month";
}

/** The span, and the one of the same length before it. */
export function spansOf(period: Period, query: URLSearchParams, timeZone: string, now: number): { span: Span; before: Span } {
  if (period === "24h") {
    const start = Math.floor(now / HOUR) * HOUR - 23 * HOUR;
    const iso = (time: number) => new Date(time).toISOString();
    return { span: { from: iso(start), interval: "hour" }, before: { from: iso(start - DAY), to: iso(start), interval: "hour" } };
  }
  const today = dayOf(now, timeZone);
  if (period === "12m") {
    const month = (back: number) => {
      const [year = 0, number = 1] = today.split("-").map(Number);
      return new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 10);
    };
    return { span: { from: month(11), interval: "month" }, before: { from: month(23), to: shift(month(11), -1), interval: "month" } };
  }
  const day = /^\d{4}-\d\d-\d\d$/;
  const given = { from: query.get("since") ?? "", to: query.get("until") ?? "" };
  const to = period === "custom" && day.test(given.to) ? given.to : today;
  let from = period === "custom" ? (day.test(given.from) ? given.from : shift(today, -29)) : shift(today, 1 - DAYS[period]);
  if (from > to) from = to;
  const days = Math.round((noon(to) - noon(from)) / DAY) + 1;
  const interval = period === "custom" ? intervalFor(days) : "day";
  return { span: { from, ...(to === today ? {} : { to }), interval }, before: { from: shift(from, -days), to: shift(from, -1), interval } };
}

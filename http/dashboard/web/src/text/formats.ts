// Numbers, times and names of countries, as the chosen language writes them.
import { language } from "./index";

export function number(value: number): string {
  return value.toLocaleString(language.value);
}

/** 12,3 K: for axes and narrow places. */
export function shortNumber(value: number): string {
  return value.toLocaleString(language.value, { notation: "compact", maximumFractionDigits: 1 });
}

export function percent(share: number): string {
  return share.toLocaleString(language.value, { style: "percent", maximumFractionDigits: share < 0.1 ? 1 : 0 });
}

export function money(value: number, currency: string): string {
  return value.toLocaleString(language.value, { style: "currency", currency });
}

export function moment(iso: string, timeZone?: string): string {
  return new Date(iso).toLocaleString(language.value, { dateStyle: "medium", timeStyle: "short", ...(timeZone ? { timeZone } : {}) });
}

export function day(iso: string, timeZone?: string): string {
  return new Date(iso).toLocaleDateString(language.value, { dateStyle: "medium", ...(timeZone ? { timeZone } : {}) });
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
];

/** "3 hours ago", "in 2 days"; "now" for less than a minute. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language.value, { numeric: "auto" });
  const step = STEPS.find(([, size]) => Math.abs(seconds) >= size);
  return step ? format.format(Math.round(seconds / step[1]), step[0]) : format.format(0, "second");
}

/** The name of a country or language; what the code says when it is none. */
export function nameOf(type: "region" | "language", code: string): string {
  try {
    return new Intl.DisplayNames(language.value, { type }).of(type === "region" ? code.toUpperCase() : code) ?? code;
  } catch {
    return code;
  }
}

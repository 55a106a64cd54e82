// The conditions of rules in words, and what can be chosen for them.
import type { RuleComparison } from "../../api/types";
import { t } from "../../text";
import { labelOf } from "../../statistics/values";

/** What is chosen from a list; the rest is written. */
export const VALUES: Readonly<Record<string, readonly string[]>> = {
  "req.device": ["mobile", "tablet", "desktop", "bot", "other"],
  "req.os": ["ios", "android", "windows", "macos", "linux", "chromeos"],
  "req.browser": ["chrome", "edge", "firefox", "ie", "opera", "safari", "samsung", "uc", "yandex"],
};
export const PROPERTIES = ["req.country", "req.language", "req.device", "req.os", "req.browser", "req.time", "req.query"] as const;
export type Property = (typeof PROPERTIES)[number];

export function propertyOf(comparison: RuleComparison): Property {
  return PROPERTIES.find((one) => comparison.property === one || comparison.property.startsWith(`${one}.`)) ?? "req.query";
}

export function operatorsOf(property: Property): readonly string[] {
  return property === "req.time" || property === "req.query" ? ["in", "not-in", "before", "after"] : ["in", "not-in"];
}

function valueInWords(property: Property, value: string): string {
  const by = property.slice("req.".length);
  return by === "country" || by === "language" || by === "device" || by === "os" || by === "browser" ? labelOf(by, value) : value;
}

/** "Country is Germany or Austria". */
export function inWords(comparison: RuleComparison): string {
  const property = propertyOf(comparison);
  const name = property === "req.query" ? t("rule.parameter", { name: comparison.property.slice("req.query.".length) }) : t(`rule.property.${property}`);
  const values = comparison.values.map((one) => valueInWords(property, one)).join(` ${t("rule.or")} `);
  const operator = operatorsOf(property).find((one) => one === comparison.operator) ?? "in";
  return `${name} ${t(`rule.operator.${operator as "in" | "not-in" | "before" | "after"}`)} ${values}`;
}

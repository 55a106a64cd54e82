// What clicks are told apart by, and what people call the values.
import { isKey, t } from "../text";
import { nameOf } from "../text/formats";

export const DIMENSIONS = ["country", "language", "device", "os", "browser", "referrer", "scan", "utm_source", "utm_medium", "utm_campaign", "rule", "arm"] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** What is shown together; the first of each at first. */
export const GROUPS: readonly (readonly Dimension[])[] = [
  ["country", "language"],
  ["device", "os", "browser"],
  ["referrer", "scan"],
  ["utm_campaign", "utm_source", "utm_medium"],
  ["rule", "arm"],
];

export function isDimension(name: string | null): name is Dimension {
  return DIMENSIONS.some((one) => one === name);
}

/** `names` are those of rules and arms, by their ids. */
export function labelOf(by: Dimension, value: string, names: ReadonlyMap<string, string> = new Map()): string {
  if (value === "unknown" || value === "other" || value === "none") {
    const special = `value.${by}.${value}`;
    return isKey(special) ? t(special) : t(`value.${value}`);
  }
  if (by === "country") return nameOf("region", value);
  if (by === "language") return nameOf("language", value);
  const key = { device: `device.${value}`, os: `os.${value}`, browser: `browser.${value}`, scan: `scan.${value}` }[by as string] ?? "";
  return names.get(value) ?? (isKey(key) ? t(key) : value);
}

import { useState } from "preact/hooks";
import { TextField } from "../../components/field";
import { t } from "../../text";
import { PARTS, Templates, type Values } from "./templates";

export const CAMPAIGN = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
type Parameter = (typeof CAMPAIGN)[number];

function parametersOf(destination: string): URLSearchParams | undefined {
  try {
    return new URL(destination.trim()).searchParams;
  } catch {
    return undefined;
  }
}

/** The address with one campaign parameter set to this, or without it. The rest of it stays as it was written. */
function withParameter(destination: string, name: Parameter, value: string): string {
  const trimmed = destination.trim();
  const [whole = "", hash] = trimmed.split(/#(.*)/s, 2);
  const [base = "", query = ""] = whole.split(/\?(.*)/s, 2);
  const others = query.split("&").filter((pair) => pair && pair.split("=")[0] !== name);
  const place = query.split("&").findIndex((pair) => pair.split("=")[0] === name);
  if (value) others.splice(place < 0 ? others.length : place, 0, `${name}=${encodeURIComponent(value)}`);
  return base + (others.length > 0 ? `?${others.join("&")}` : "") + (hash === undefined ? "" : `#${hash}`);
}

/** The five parameters by which campaigns are told apart, read from the destination and written into it. */
export function Campaign({ destination, onDestination }: { destination: string; onDestination: (destination: string) => void }) {
  const parameters = parametersOf(destination);
  const used = CAMPAIGN.filter((name) => parameters?.has(name)).length;
  const values: Values = Object.fromEntries(PARTS.map((part) => [part, parameters?.get(`utm_${part}`) ?? ""]));
  const choose = (chosen: Values) => onDestination(PARTS.reduce((address, part) => withParameter(address, `utm_${part}`, chosen[part] ?? ""), destination));
  const [opened, setOpened] = useState(false);
  return (
    <details class="part" onToggle={(event) => setOpened(event.currentTarget.open)}>
      <summary>
        {t("utm.title")}
        {used > 0 ? <span class="badge">{used}</span> : null}
      </summary>
      <p class="field-hint">{parameters ? t("utm.text") : t("utm.first")}</p>
      {opened ? <Templates values={values} choose={choose} disabled={!parameters} /> : null}
      <div class="two">
        {CAMPAIGN.map((name) => (
          <TextField key={name} label={t(`utm.${name}`)} placeholder={t(`utm.${name}.example`)} disabled={!parameters} value={parameters?.get(name) ?? ""} onValue={(value) => onDestination(withParameter(destination, name, value))} />
        ))}
      </div>
    </details>
  );
}

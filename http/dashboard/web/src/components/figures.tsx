import { t } from "../text";
import { number, percent } from "../text/formats";

export interface Figure {
  name: string;
  value: number | undefined;
  /** What it was in the period before; not said when nothing is compared. */
  before?: number | undefined;
  hint?: string;
}

function Change({ value, before }: { value: number; before: number }) {
  if (before === value) return <span class="change">{t("figure.same")}</span>;
  const up = value > before;
  const text = before === 0 ? t("figure.fromZero") : `${up ? "+" : "−"}${percent(Math.abs(value - before) / before)}`;
  return (
    <span class={up ? "change up" : "change down"}>
      <span aria-hidden="true">{up ? "▲ " : "▼ "}</span>
      {text}
      <span class="before"> {t("figure.before", { n: before })}</span>
    </span>
  );
}

/** A few numbers side by side. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl class="figures">
      {figures.map((one) => (
        <div key={one.name} class="figure" title={one.hint}>
          <dt>{one.name}</dt>
          <dd>
            <span class="figure-value">{one.value === undefined ? "…" : number(one.value)}</span>
            {one.value !== undefined && one.before !== undefined ? <Change value={one.value} before={one.before} /> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

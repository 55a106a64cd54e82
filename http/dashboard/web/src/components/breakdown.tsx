import { t } from "../text";
import { number, percent } from "../text/formats";

export interface Share {
  value: string;
  /** What people call the value. */
  label: string;
  clicks: number;
}

/** Values with their clicks, each with a bar of its share behind it. A click on one narrows what is around to it. */
export function Breakdown({ shares, all, chosen, choose }: { shares: readonly Share[]; all: number; chosen?: string | undefined; choose: (value: string) => void }) {
  if (shares.length === 0) return <p class="muted breakdown-none">{t("breakdown.none")}</p>;
  const largest = Math.max(...shares.map((one) => one.clicks), 1);
  return (
    <ul class="breakdown">
      {shares.map((one) => (
        <li key={one.value}>
          <button type="button" aria-pressed={one.value === chosen} onClick={() => choose(one.value)}>
            <span class="share-bar" aria-hidden="true" style={{ width: `${(100 * one.clicks) / largest}%` }} />
            <bdi>{one.label}</bdi>
            <span class="share-clicks">{number(one.clicks)}</span>
            <span class="share-percent">{percent(all > 0 ? one.clicks / all : 0)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

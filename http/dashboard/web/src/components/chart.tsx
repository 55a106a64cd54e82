import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../text";
import { number, shortNumber } from "../text/formats";

export interface Point {
  /** What the bar stands for, in full. */
  label: string;
  /** The same, as short as an axis wants it. */
  short: string;
  value: number;
  /** The value of the bar's counterpart in the period before. */
  before?: number | undefined;
}

const HEIGHT = 240;
const LEFT = 44;
const RIGHT = 14;
const BOTTOM = 26;
const TOP = 12;
const LABEL_WIDTH = 64; // pixels that a label of the axis wants

/** 1, 2 or 5 times a power of ten: four of them are at least the largest value. */
export function stepOf(largest: number): number {
  const rough = Math.max(largest, 4) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10) * power;
}

function useWidth() {
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!frame.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);
  return { frame, width };
}

function sayPoint(point: Point, unit: string): string {
  const words = { label: point.label, n: point.value, unit };
  return point.before === undefined ? t("chart.bar", words) : t("chart.barBefore", { ...words, before: point.before });
}

/**
 * Bars over time. One of them can be reached with Tab and the others from there with the arrow keys; each says what it is.
 * The same numbers stand in a table, which the screen shows on demand.
 */
export function Chart({ title, unit, points }: { title: string; unit: string; points: readonly Point[] }) {
  const { frame, width } = useWidth();
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<number | undefined>(undefined);
  const current = Math.min(at, points.length - 1);
  const step = stepOf(Math.max(0, ...points.map((one) => Math.max(one.value, one.before ?? 0))));
  const room = Math.max(0, width - LEFT - RIGHT);
  const slot = points.length > 0 ? room / points.length : 0;
  const bar = Math.max(1, Math.min(44, slot * 0.68));
  const y = (value: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value / (step * 4));
  const every = Math.max(1, Math.ceil(LABEL_WIDTH / Math.max(slot, 1)));
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined || to < 0 || to >= points.length) return;
    event.preventDefault();
    setAt(to);
    (frame.current?.querySelectorAll<SVGElement>("g.bar")[to])?.focus();
  };
  const point = shown === undefined ? undefined : points[shown];
  return (
    <div class="chart" ref={frame}>
      {width > 0 ? (
        <svg width={width} height={HEIGHT} role="group" aria-label={title} onKeyDown={move} onMouseLeave={() => setShown(undefined)}>
          {[0, 1, 2, 3, 4].map((line) => (
            <g key={line} aria-hidden="true">
              <line class="grid" x1={LEFT} x2={width} y1={y(line * step)} y2={y(line * step)} />
              <text x={LEFT - 8} y={y(line * step) + 4} text-anchor="end">
                {shortNumber(line * step)}
              </text>
            </g>
          ))}
          {points.map((one, index) => {
            const x = LEFT + slot * index;
            return (
              <g key={index} class="bar" role="img" aria-label={sayPoint(one, unit)} tabIndex={index === current ? 0 : -1} onFocus={() => setShown(index)} onBlur={() => setShown(undefined)} onMouseEnter={() => setShown(index)}>
                <rect class="touch" x={x} y={TOP} width={slot} height={HEIGHT - TOP - BOTTOM} />
                <rect class="value" x={x + (slot - bar) / 2} y={one.value > 0 ? Math.min(y(one.value), y(0) - 2) : y(0)} width={bar} height={one.value > 0 ? Math.max(2, y(0) - y(one.value)) : 0} rx={Math.min(3, bar / 3)} />
                {one.before === undefined ? null : <line class="before" x1={x + slot * 0.1} x2={x + slot * 0.9} y1={y(one.before)} y2={y(one.before)} />}
              </g>
            );
          })}
          {points.map((one, index) =>
            index % every === 0 && (index + every <= points.length || slot * (points.length - index) > LABEL_WIDTH / 2) ? (
              <text key={index} aria-hidden="true" x={LEFT + slot * (index + 0.5)} y={HEIGHT - 6} text-anchor="middle">
                {one.short}
              </text>
            ) : null,
          )}
        </svg>
      ) : null}
      {point && shown !== undefined ? (
        <div class={slot * shown > room / 2 ? "chart-tip end" : "chart-tip"} aria-hidden="true" style={{ left: `${LEFT + slot * (shown + 0.5)}px` }}>
          <strong>{number(point.value)}</strong> {unit}
          <br />
          {point.label}
          {point.before === undefined ? null : (
            <>
              <br />
              {t("figure.before", { n: point.before })}
            </>
          )}
        </div>
      ) : null}
    </div>
  );
}

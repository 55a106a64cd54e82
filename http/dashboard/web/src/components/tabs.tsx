import { useEffect, useRef } from "preact/hooks";
import { A } from "../router";

export interface Tab {
  address: string;
  label: string;
  current: boolean;
}

/** Parts of a screen that have addresses of their own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const frame = useRef<HTMLElement>(null);
  const current = tabs.find((tab) => tab.current)?.address;
  useEffect(() => frame.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" }), [current]);
  return (
    <nav class="tabs" aria-label={label} ref={frame}>
      {tabs.map((tab) => (
        <A key={tab.address} href={tab.address} aria-current={tab.current ? "page" : undefined}>
          {tab.label}
        </A>
      ))}
    </nav>
  );
}

/** One of a few, all of them in sight. */
export function Segments({ label, value, choices, onValue }: { label: string; value: string; choices: readonly { value: string; label: string }[]; onValue: (value: string) => void }) {
  return (
    <div class="segments" role="group" aria-label={label}>
      {choices.map((one) => (
        <button key={one.value} type="button" aria-pressed={one.value === value} onClick={() => onValue(one.value)}>
          {one.label}
        </button>
      ))}
    </div>
  );
}

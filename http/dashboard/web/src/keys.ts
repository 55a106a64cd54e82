// Keys that do something wherever one is, as long as nothing is being typed. The help (?) shows those that hold now.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Key } from "./text";

export interface Shortcut {
  /** One key, or two with a space between, such as "g l". */
  keys: string;
  says: Key;
  action: () => void;
}

export const shortcuts = signal<readonly Shortcut[]>([]);

/** The shortcuts hold while the component is shown. */
export function useShortcuts(list: readonly Shortcut[], on: readonly unknown[] = []): void {
  useEffect(() => {
    shortcuts.value = [...shortcuts.value, ...list];
    return () => {
      shortcuts.value = shortcuts.value.filter((one) => !list.includes(one));
    };
  }, on);
}

const TWO_KEYS_WITHIN = 1200; // milliseconds
let before = "";
let beforeAt = 0;

function typing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && (target as HTMLInputElement).type !== "checkbox";
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (typing(event.target) || document.querySelector("dialog[open]")) return;
  const both = event.timeStamp - beforeAt < TWO_KEYS_WITHIN ? `${before} ${event.key}` : "";
  const found = shortcuts.value.findLast((one) => one.keys === both) ?? shortcuts.value.findLast((one) => one.keys === event.key);
  before = event.key;
  beforeAt = event.timeStamp;
  if (!found) return;
  event.preventDefault();
  before = "";
  found.action();
});

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../text";
import { Icon } from "./icon";
import { IconButton } from "./icon_button";
import { sentenceOf } from "./problem";
import { asProblem } from "../api/load";

interface Toast {
  id: number;
  text: string;
  bad: boolean;
  undo?: (() => void) | undefined;
}

const SHOWN_FOR = 7000; // milliseconds; what failed, and what can be undone, stays longer
const SHOWN_AT_MOST = 4;
const toasts = signal<readonly Toast[]>([]);
let count = 0;

function close(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

/** Says at the edge what has been done; `undo` puts it back. */
export function toast(text: string, how: { bad?: boolean; undo?: () => void } = {}): void {
  const id = ++count;
  toasts.value = [...toasts.value, { id, text, bad: how.bad ?? false, undo: how.undo }].slice(-SHOWN_AT_MOST);
  setTimeout(() => close(id), how.bad || how.undo ? SHOWN_FOR * 2 : SHOWN_FOR);
}

/** Does something and says so when it fails. Answers whether it was done. */
export async function attempt(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action();
    return true;
  } catch (error) {
    toast(sentenceOf(asProblem(error)), { bad: true });
    return false;
  }
}

/** Stands once in the shell. */
export function Toasts() {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Shown anew it stands above the dialogs that have been opened since.
    frame.current?.hidePopover();
    frame.current?.showPopover();
  }, [toasts.value]);
  return (
    <div class="toasts" role="status" aria-live="polite" popover="manual" ref={frame}>
      {toasts.value.map((one) => (
        <div key={one.id} class={one.bad ? "toast bad" : "toast"}>
          <Icon name={one.bad ? "alert" : "check"} />
          <span dir="auto">{one.text}</span>
          {one.undo ? (
            <button
              type="button"
              class="button small"
              onClick={() => {
                close(one.id);
                one.undo?.();
              }}
            >
              {t("undo")}
            </button>
          ) : null}
          <IconButton icon="close" label={t("close")} onClick={() => close(one.id)} />
        </div>
      ))}
    </div>
  );
}

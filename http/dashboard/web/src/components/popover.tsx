import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, type IconName } from "./icon";

/** A button that opens a small panel below itself. A click elsewhere and Escape close it. */
export function Popover({ icon, label, class: extra, children }: { icon: IconName; label: string; class?: string; children: (close: () => void) => ComponentChildren }) {
  const [open, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return undefined;
    frame.current?.querySelector<HTMLElement>(".popover :is(input, select, button, a)")?.focus();
    const outside = (event: Event) => {
      if (event.target instanceof Node && !frame.current?.contains(event.target)) setOpen(false);
    };
    addEventListener("pointerdown", outside);
    addEventListener("focusin", outside);
    return () => {
      removeEventListener("pointerdown", outside);
      removeEventListener("focusin", outside);
    };
  }, [open]);
  return (
    <div
      class="popover-frame"
      ref={frame}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button type="button" ref={button} class={`button ${extra ?? ""}`} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={icon} />
        {label}
      </button>
      {open ? <div class="popover">{children(close)}</div> : null}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { t } from "../text";
import { IconButton } from "./icon_button";

/**
 * The browser's own dialog: what is behind it cannot be reached, Escape closes it, and the focus goes back to where it was.
 * `side` is a drawer at the edge. The content is shown as long as the component is; `onClose` has to take it away.
 */
export function Dialog({ title, side, wide, onClose, children, footer }: { title: string; side?: boolean; wide?: boolean; onClose: () => void; children: ComponentChildren; footer?: ComponentChildren }) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    element.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      class={side ? "drawer" : wide ? "dialog wide" : "dialog"}
      aria-labelledby={heading}
      onCancel={(event) => {
        if (event.target !== element.current) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose();
      }}
    >
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id={heading}>{title}</h2>
          <IconButton icon="close" label={t("close")} onClick={onClose} />
        </header>
        <div class="dialog-body">{children}</div>
        {footer ? <footer class="dialog-foot">{footer}</footer> : null}
      </div>
    </dialog>
  );
}

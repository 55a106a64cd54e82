import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { place } from "../router";

let shownPath = "";

/** The head of a screen. When one has come here from another screen, the title has the focus, and is read out. */
export function Page({ title, lead, actions, children }: { title: string; lead?: ComponentChildren; actions?: ComponentChildren; children: ComponentChildren }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = place.value.path;
  useEffect(() => {
    if (shownPath && shownPath !== path) heading.current?.focus({ preventScroll: true });
    shownPath = path;
  }, [path]);
  useEffect(() => {
    document.title = `${title} · Slashpost`;
  }, [title]);
  return (
    <div class="page">
      <header class="page-head">
        <div class="page-title">
          <h1 ref={heading} tabIndex={-1} dir="auto">
            {title}
          </h1>
          {lead}
        </div>
        {actions ? <div class="actions">{actions}</div> : null}
      </header>
      {children}
    </div>
  );
}

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * A part of a form that people open. It opens by itself when something in it is refused; after that it is theirs again to
 * close, so that it does not shut while they mend what was told.
 */
export function FormPart({ title, refused, children }: { title: ComponentChildren; refused: boolean; children: ComponentChildren }) {
  const element = useRef<HTMLDetailsElement>(null);
  // Before the form looks for the first refused field, to put the focus there.
  useLayoutEffect(() => {
    if (refused && element.current) element.current.open = true;
  }, [refused]);
  return (
    <details class="part" ref={element}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

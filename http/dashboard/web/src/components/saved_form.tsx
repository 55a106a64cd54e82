import type { ComponentChildren } from "preact";

/** A form that the page sends itself, with its button or Enter. */
export function SavedForm({ look, save, children }: { look?: string; save: () => unknown; children: ComponentChildren }) {
  return (
    <form
      class={look}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {children}
    </form>
  );
}

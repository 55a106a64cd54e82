import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { t } from "../text";
import { confirm } from "./confirm";
import { Dialog } from "./dialog";
import type { Form } from "./form";
import { ProblemBox } from "./problem";

/** A form in a dialog: sent with its button, Enter, or Ctrl and Enter; asks before what was entered is lost. */
export function FormDialog({ title, side, action, form, dirty, needsChange, save, onClose, children }: { title: string; side?: boolean; action: string; form: Form; dirty: boolean; needsChange?: boolean; save: () => Promise<unknown>; onClose: () => void; children: ComponentChildren }) {
  const id = useId();
  const close = async () => {
    if (dirty && !(await confirm({ title: t("discard.title"), text: t("discard.text"), action: t("discard") }))) return;
    onClose();
  };
  return (
    <Dialog
      title={title}
      {...(side ? { side } : {})}
      onClose={() => void close()}
      footer={
        <>
          <button type="button" class="button" onClick={() => void close()}>
            {t("cancel")}
          </button>
          <button type="submit" form={id} class="button primary" disabled={form.busy || (needsChange === true && !dirty)}>
            {action}
          </button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation(); // a form that the dialog was opened from stands around it, and is not to be sent with it
          void save();
        }}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.stopPropagation();
          event.currentTarget.requestSubmit();
        }}
      >
        {form.problem ? <ProblemBox problem={form.problem} retry={() => void save()} /> : null}
        {children}
      </form>
    </Dialog>
  );
}

import { signal } from "@preact/signals";
import { t } from "../text";
import { Dialog } from "./dialog";

interface Question {
  title: string;
  text: string;
  /** What the button says that does it. */
  action: string;
  answer: (yes: boolean) => void;
}

const asked = signal<Question | undefined>(undefined);

/** Asks before what cannot be undone. */
export function confirm(question: { title: string; text: string; action: string }): Promise<boolean> {
  return new Promise((resolve) => {
    asked.value = {
      ...question,
      answer: (yes) => {
        asked.value = undefined;
        resolve(yes);
      },
    };
  });
}

/** Stands once in the shell. */
export function Confirmation() {
  const question = asked.value;
  if (!question) return null;
  return (
    <Dialog
      title={question.title}
      onClose={() => question.answer(false)}
      footer={
        <>
          <button type="button" class="button" onClick={() => question.answer(false)}>
            {t("cancel")}
          </button>
          <button type="button" class="button danger" onClick={() => question.answer(true)}>
            {question.action}
          </button>
        </>
      }
    >
      <p dir="auto">{question.text}</p>
    </Dialog>
  );
}

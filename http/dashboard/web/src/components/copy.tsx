import { useState } from "preact/hooks";
import { t } from "../text";
import { Icon } from "./icon";
import { toast } from "./toast";

/** Puts a text into the clipboard and says so; what is secret is not said again. */
export async function copy(text: string, secret = false): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(secret ? t("copiedSecret") : t("copied", { text }));
  } catch {
    toast(secret ? t("copyFailedSecret") : t("copyFailed", { text }), { bad: true });
  }
}

export function CopyButton({ text, label, words, secret }: { text: string; label: string; words?: boolean; secret?: boolean }) {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      class={words ? "button" : "icon-button"}
      aria-label={label}
      title={label}
      onClick={async () => {
        await copy(text, secret);
        setDone(true);
        setTimeout(() => setDone(false), 1500);
      }}
    >
      <Icon name={done ? "check" : "copy"} />
      {words ? label : null}
    </button>
  );
}

import { t } from "../text";
import { CopyButton } from "./copy";
import { Dialog } from "./dialog";

/** A secret that the server does not show again. */
export function SecretDialog({ title, text, secret, copy, onClose }: { title: string; text: string; secret: string; copy: string; onClose: () => void }) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <button type="button" class="button primary" onClick={onClose}>
          {t("secret.kept")}
        </button>
      }
    >
      <p class="low-gap">{text}</p>
      <div class="secret">
        <code>{secret}</code>
        <CopyButton secret text={secret} label={copy} />
      </div>
    </Dialog>
  );
}

import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { EventType, IssuedWebhook, Webhook } from "../../api/types";
import { Checkbox, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { t } from "../../text";

/** As they are called on the wire, in every language. */
export const EVENT_TYPES: readonly EventType[] = [
  "link.created", "link.updated", "link.deleted", "link.restored", "link.expired", "link.clicked",
  "domain.created", "domain.updated", "domain.deleted", "domain.shared", "domain.unshared",
  "tag.created", "tag.updated", "tag.deleted",
  "script.created", "script.updated", "script.deleted",
  "workspace.created", "workspace.updated", "workspace.deleted", "workspace.restored",
  "teammate.added", "teammate.updated", "teammate.removed",
  "invite.created", "invite.accepted", "invite.deleted",
  "conversion.recorded", "import.finished", "certificate.failed",
];

/** Makes a webhook, or changes one. Of a new one `made` gets the secret. */
export function EditWebhook({ webhook, onClose, saved, made }: { webhook?: Webhook; onClose: () => void; saved: () => void; made?: (issued: IssuedWebhook) => void }) {
  const [before] = useState({ url: webhook?.url ?? "", description: webhook?.description ?? "", types: webhook?.types ?? [], signature: webhook?.signature ?? ("hmac" as const) });
  const [draft, setDraft] = useState(before);
  const form = useForm(["url", "description"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const choose = (type: EventType, on: boolean) => set({ types: EVENT_TYPES.filter((one) => (one === type ? on : draft.types.includes(one))) });
  const save = async () => {
    const done = await form.send(async () => {
      const { signature, ...changes } = draft;
      if (webhook) await api.post("/webhooks/{webhook_id}", { in: { webhook_id: webhook.id }, body: changes });
      else made?.(await api.post("/webhooks", { body: { ...changes, signature } }));
    });
    if (!done) return;
    if (webhook) toast(t("webhooks.changed"));
    saved();
    onClose();
  };
  return (
    <FormDialog side title={t(webhook ? "webhooks.edit" : "webhooks.new")} action={t(webhook ? "save" : "webhooks.make")} form={form} dirty={JSON.stringify(draft) !== JSON.stringify(before)} needsChange={Boolean(webhook)} save={save} onClose={onClose}>
      <TextField label={t("webhooks.url")} autofocus type="url" inputmode="url" autocomplete="off" spellcheck={false} value={draft.url} onValue={(url) => set({ url })} error={form.error("url")} hint={t("webhooks.urlHint")} />
      <TextField label={t("webhooks.description")} optional autocomplete="off" maxLength={255} value={draft.description} onValue={(description) => set({ description })} error={form.error("description")} />
      {webhook ? null : <Checkbox label={t("webhooks.ed25519")} checked={draft.signature === "ed25519"} onChecked={(on) => set({ signature: on ? "ed25519" : "hmac" })} />}
      <fieldset class="field">
        <legend>{t("webhooks.types")}</legend>
        <Checkbox label={t("webhooks.allTypes")} checked={draft.types.length === 0} onChecked={(all) => set({ types: all ? [] : ["link.created"] })} />
        {draft.types.length > 0 ? EVENT_TYPES.map((type) => <Checkbox key={type} label={type} checked={draft.types.includes(type)} onChecked={(on) => choose(type, on)} />) : null}
      </fieldset>
    </FormDialog>
  );
}

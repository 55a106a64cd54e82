import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Script } from "../../api/types";
import { TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { t } from "../../text";

/** Makes a script, or changes one. What links with it run is only ever shown as text here. */
export function EditScript({ script, onClose, saved }: { script?: Script; onClose: () => void; saved: () => void }) {
  const [before] = useState({ name: script?.name ?? "", value: script?.value ?? "", uri: script?.uri ?? "" });
  const [draft, setDraft] = useState(before);
  const form = useForm(["name", "value", "uri"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), "value", "uri");
  };
  const save = async () => {
    const { name, value, uri } = draft;
    const done = await form.send(() =>
      script
        ? api.post("/scripts/{script_id}", { in: { script_id: script.id }, body: { name, value: value || null, uri: uri || null } })
        : api.post("/scripts", { body: { name, ...(value ? { value } : {}), ...(uri ? { uri } : {}) } }),
    );
    if (!done) return;
    toast(t(script ? "scripts.changed" : "scripts.made", { name }));
    saved();
    onClose();
  };
  const dirty = JSON.stringify(draft) !== JSON.stringify(before);
  return (
    <FormDialog side title={t(script ? "scripts.edit" : "scripts.new")} action={t(script ? "save" : "scripts.make")} form={form} dirty={dirty} needsChange={Boolean(script)} save={save} onClose={onClose}>
      <TextField label={t("scripts.name")} autofocus autocomplete="off" value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} maxLength={255} />
      <p class="field-hint low-gap">{t("scripts.either")}</p>
      <TextField label={t("scripts.uri")} optional type="url" inputmode="url" autocomplete="off" spellcheck={false} value={draft.uri} onValue={(uri) => set({ uri })} error={form.error("uri")} hint={t("scripts.uriHint")} />
      <TextArea label={t("scripts.value")} optional rows={12} spellcheck={false} value={draft.value} onValue={(value) => set({ value })} error={form.error("value")} hint={t("scripts.valueHint")} />
    </FormDialog>
  );
}

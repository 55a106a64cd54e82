import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { Checkbox, Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { onlyFirst } from "../../components/narrow";
import { SecretDialog } from "../../components/secret_dialog";
import { moreWorkspaces, workspaces } from "../../state";
import { t } from "../../text";
import type { ApiKey } from "./types";

const DAYS = ["", "7", "30", "90", "365"] as const;
const DAY = 86_400_000;

/** Makes a key that may do no more than it has to. */
export function MakeKey({ onClose, made }: { onClose: () => void; made: () => void }) {
  const [draft, setDraft] = useState({ name: "", readOnly: false, linksOnly: false, workspace: "", days: "90" });
  const [key, setKey] = useState<ApiKey | undefined>(undefined);
  const form = useForm(["name", "workspace", "expiresAt"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), "expiresAt");
  };
  const save = async () => {
    const { name, readOnly, linksOnly, workspace, days } = draft;
    const expiresAt = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : undefined;
    const done = await form.send(async () => setKey(await ask<ApiKey>("POST", "/v1/account/keys", { name, readOnly, linksOnly, ...(workspace ? { workspace } : {}), ...(expiresAt ? { expiresAt } : {}) })));
    if (done) made();
  };
  if (key) return <SecretDialog title={t("keys.made")} text={t("keys.madeText")} secret={key.key ?? ""} copy={t("keys.copy")} onClose={onClose} />;
  return (
    <FormDialog title={t("keys.new")} action={t("keys.make")} form={form} dirty={draft.name !== ""} save={save} onClose={onClose}>
      <TextField label={t("keys.name")} autofocus autocomplete="off" maxLength={255} value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} hint={t("keys.nameHint")} />
      <Checkbox label={t("keys.readOnly")} hint={t("keys.readOnlyHint")} checked={draft.readOnly} onChecked={(readOnly) => set({ readOnly })} />
      <Checkbox label={t("keys.linksOnly")} hint={t("keys.linksOnlyHint")} checked={draft.linksOnly} onChecked={(linksOnly) => set({ linksOnly })} />
      <Select label={t("workspace")} hint={onlyFirst(moreWorkspaces.value)} value={draft.workspace} onValue={(workspace) => set({ workspace })} error={form.error("workspace")} choices={[{ value: "", label: t("keys.allWorkspaces") }, ...workspaces.value.map((one) => ({ value: one.id, label: one.name }))]} />
      <Select label={t("keys.expires")} value={draft.days} onValue={(days) => set({ days })} error={form.error("expiresAt")} choices={DAYS.map((one) => ({ value: one, label: one ? t("workspaces.days", { n: Number(one) }) : t("expiry.never") }))} />
    </FormDialog>
  );
}

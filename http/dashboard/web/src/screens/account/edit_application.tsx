import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { Checkbox, TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { t } from "../../text";
import type { Application } from "./types";

/** Registers an application, or changes one. Of a new one `made` gets the secret, if it has one. */
export function EditApplication({ application, onClose, saved, made }: { application?: Application; onClose: () => void; saved: () => void; made: (application: Application) => void }) {
  const [before] = useState({
    name: application?.name ?? "",
    website: application?.website ?? "",
    redirects: application?.redirects.join("\n") ?? "",
    confidential: application?.confidential ?? false,
    legacyImplicit: application?.legacyImplicit ?? false,
  });
  const [draft, setDraft] = useState(before);
  const places = Array.from({ length: 10 }, (_, n) => `redirects[${n}]`);
  const form = useForm(["name", "website", "redirects", ...places]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), ...("redirects" in change ? places : []));
  };
  const wrongPlace = [form.error("redirects"), ...places.map((one) => form.error(one))].find((one) => one !== undefined);
  const save = async () => {
    const { confidential, ...rest } = draft;
    const body = { ...rest, website: draft.website.trim() || null, redirects: draft.redirects.split(/\s+/).filter((one) => one !== "") };
    const done = await form.send(async () => {
      if (application) await ask("POST", `/v1/account/applications/${application.id}`, body);
      else made(await ask<Application>("POST", "/v1/account/applications", { ...body, confidential }));
    });
    if (!done) return;
    if (application) toast(t("applications.changed"));
    saved();
    onClose();
  };
  return (
    <FormDialog side title={t(application ? "applications.edit" : "applications.new")} action={t(application ? "save" : "applications.make")} form={form} dirty={JSON.stringify(draft) !== JSON.stringify(before)} needsChange={Boolean(application)} save={save} onClose={onClose}>
      <TextField label={t("applications.name")} autofocus autocomplete="off" maxLength={100} value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} hint={t("applications.nameHint")} />
      <TextField label={t("applications.website")} optional type="url" inputmode="url" autocomplete="off" value={draft.website} onValue={(website) => set({ website })} error={form.error("website")} />
      <TextArea label={t("applications.redirects")} spellcheck={false} value={draft.redirects} onValue={(redirects) => set({ redirects })} error={wrongPlace} hint={t("applications.redirectsHint")} />
      {application ? null : <Checkbox label={t("applications.confidential")} hint={t("applications.confidentialHint")} checked={draft.confidential} onChecked={(confidential) => set({ confidential })} />}
      <Checkbox label={t("applications.implicit")} hint={t("applications.implicitHint")} checked={draft.legacyImplicit} onChecked={(legacyImplicit) => set({ legacyImplicit })} />
    </FormDialog>
  );
}

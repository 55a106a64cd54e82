import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Domain } from "../../api/types";
import { Checkbox, Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { toast } from "../../components/toast";
import { t } from "../../text";
import type { DomainPart } from "./screen";
import { mayManage } from "./status";

const SHOWN = ["redirectType", "customHomepage", "notFoundUrl", "expiredUrl", "slashtag", "slashtag.minLength", "slashtag.maxLength", "slashtag.charset", "forwarding", "forwarding.onConflict"];
const CODES = [301, 302, 307, 308] as const;
const CHARSETS = ["ascii", "unicode"] as const;
const CONFLICTS = ["destination", "visitor", "both"] as const;

function draftOf(domain: Domain) {
  return {
    active: domain.active,
    redirectType: String(domain.redirectType),
    customHomepage: domain.customHomepage,
    notFoundUrl: domain.notFoundUrl,
    expiredUrl: domain.expiredUrl,
    caseSensitive: domain.slashtag.caseSensitive,
    charset: domain.slashtag.charset as string,
    minLength: String(domain.slashtag.minLength),
    maxLength: String(domain.slashtag.maxLength),
    parameters: domain.forwarding.parameters,
    onConflict: domain.forwarding.onConflict as string,
  };
}

type Draft = ReturnType<typeof draftOf>;

function bodyOf(draft: Draft) {
  return {
    active: draft.active,
    redirectType: Number(draft.redirectType),
    customHomepage: draft.customHomepage || null,
    notFoundUrl: draft.notFoundUrl || null,
    expiredUrl: draft.expiredUrl || null,
    slashtag: { caseSensitive: draft.caseSensitive, charset: draft.charset as Domain["slashtag"]["charset"], minLength: Number(draft.minLength), maxLength: Number(draft.maxLength) },
    forwarding: { parameters: draft.parameters, onConflict: draft.onConflict as Domain["forwarding"]["onConflict"] },
  };
}

export function DomainSettings({ domain, changed }: DomainPart) {
  const [before, setBefore] = useState(() => draftOf(domain));
  const [draft, setDraft] = useState(before);
  const form = useForm(SHOWN);
  const off = !mayManage(domain);
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), "slashtag", "slashtag.minLength", "slashtag.maxLength", "slashtag.charset", "forwarding.onConflict");
  };
  const save = async () => {
    let answer: Domain | undefined;
    if (!(await form.send(async () => (answer = await api.patch("/domains/{domain_id}", { in: { domain_id: domain.id }, body: bodyOf(draft) }))))) return;
    if (!answer) return;
    changed(answer);
    setBefore(draftOf(answer));
    setDraft(draftOf(answer));
    toast(t("domains.saved"));
  };
  const dirty = JSON.stringify(draft) !== JSON.stringify(before);
  const address = (name: "customHomepage" | "notFoundUrl" | "expiredUrl") => (
    <TextField label={t(`domains.${name}`)} optional type="url" inputmode="url" spellcheck={false} disabled={off} value={draft[name]} onValue={(value) => set({ [name]: value })} error={form.error(name)} hint={t(`domains.${name}Hint`)} />
  );
  return (
    <SavedForm look="card form-card" save={save}>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <Checkbox label={t("domains.active")} hint={t("domains.activeHint")} checked={draft.active} onChecked={(active) => set({ active })} disabled={off} />
      <Select label={t("domains.redirectType")} value={draft.redirectType} onValue={(redirectType) => set({ redirectType })} error={form.error("redirectType")} disabled={off} choices={CODES.map((one) => ({ value: String(one), label: t(`domains.code.${one}`) }))} />
      {address("customHomepage")}
      {address("notFoundUrl")}
      {address("expiredUrl")}
      <h2 class="form-part">{t("domains.slashtags")}</h2>
      <div class="two">
        <TextField label={t("domains.minLength")} type="number" inputmode="numeric" min={1} max={255} disabled={off} value={draft.minLength} onValue={(minLength) => set({ minLength })} error={form.error("slashtag.minLength")} />
        <TextField label={t("domains.maxLength")} type="number" inputmode="numeric" min={1} max={255} disabled={off} value={draft.maxLength} onValue={(maxLength) => set({ maxLength })} error={form.error("slashtag.maxLength")} />
      </div>
      <Checkbox label={t("domains.caseSensitive")} hint={t("domains.caseHint")} checked={draft.caseSensitive} onChecked={(caseSensitive) => set({ caseSensitive })} disabled={off} />
      <Select label={t("domains.charset")} hint={t("domains.charsetHint")} value={draft.charset} onValue={(charset) => set({ charset })} error={form.error("slashtag.charset")} disabled={off} choices={CHARSETS.map((one) => ({ value: one, label: t(`domains.charset.${one}`) }))} />
      <h2 class="form-part">{t("forwarding.title")}</h2>
      <Checkbox label={t("domains.parameters")} hint={t("forwarding.text")} checked={draft.parameters} onChecked={(parameters) => set({ parameters })} disabled={off} />
      <Select label={t("forwarding.conflict")} value={draft.onConflict} onValue={(onConflict) => set({ onConflict })} error={form.error("forwarding.onConflict")} disabled={off || !draft.parameters} choices={CONFLICTS.map((one) => ({ value: one, label: t(`conflict.${one}`) }))} />
      {off ? null : (
        <button type="submit" class="button primary" disabled={form.busy || !dirty}>
          {t("save")}
        </button>
      )}
    </SavedForm>
  );
}

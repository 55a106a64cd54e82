import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Domain } from "../../api/types";
import { Checkbox, TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { toast } from "../../components/toast";
import { t } from "../../text";
import type { DomainPart } from "./screen";
import { mayManage } from "./status";

const SHOWN = ["branding.name", "branding.color", "branding.logoUrl", "branding.homeText"];
const PLAIN_COLOR = "0a58ca"; // what pages have whose domain says nothing

type Draft = Domain["branding"];

/** The page at / of the domain, as it would look: its colour, name and text. A picture is only named, never loaded. */
function Preview({ draft, domain }: { draft: Draft; domain: Domain }) {
  return (
    <figure class="page-preview">
      <figcaption class="muted">{t("branding.preview")}</figcaption>
      <div class="page-preview-page">
        <div class="page-preview-card" style={{ borderTopColor: `#${draft.color || PLAIN_COLOR}` }}>
          <strong class="page-preview-head">
            {draft.logoUrl ? <span class="page-preview-logo">{t("branding.logo")}</span> : null}
            <bdi>{draft.name || domain.fullName}</bdi>
          </strong>
          <p class="page-preview-text" dir="auto">
            {draft.homeText || t("branding.plainText")}
          </p>
        </div>
        {draft.name ? (
          <small>
            <bdi>{domain.fullName}</bdi>
          </small>
        ) : null}
      </div>
    </figure>
  );
}

export function BrandingForm({ domain, changed }: DomainPart) {
  const [draft, setDraft] = useState<Draft>(domain.branding);
  const form = useForm(SHOWN);
  const off = !mayManage(domain);
  const set = (change: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change).map((name) => `branding.${name}`));
  };
  const save = async () => {
    const branding = { name: draft.name || null, color: draft.color || null, logoUrl: draft.logoUrl || null, homeText: draft.homeText || null };
    const done = await form.send(async () => {
      const answer = await api.patch("/domains/{domain_id}", { in: { domain_id: domain.id }, body: { branding } });
      changed(answer);
      setDraft(answer.branding);
    });
    if (done) toast(t("domains.saved"));
  };
  const dirty = JSON.stringify(draft) !== JSON.stringify(domain.branding);
  return (
    <div class="side-by-side">
      <SavedForm look="card" save={save}>
        {form.problem ? <ProblemBox problem={form.problem} /> : null}
        <p class="field-hint low-gap">{t("branding.text")}</p>
        <TextField label={t("branding.name")} optional disabled={off} maxLength={100} value={draft.name} onValue={(name) => set({ name })} error={form.error("branding.name")} />
        <Checkbox label={t("branding.ownColor")} disabled={off} checked={draft.color !== ""} onChecked={(on) => set({ color: on ? PLAIN_COLOR : "" })} />
        {draft.color ? <TextField label={t("tags.color")} type="color" disabled={off} value={`#${draft.color}`} onValue={(color) => set({ color: color.slice(1) })} error={form.error("branding.color")} /> : null}
        <TextField label={t("branding.logoUrl")} optional type="url" inputmode="url" spellcheck={false} disabled={off} value={draft.logoUrl} onValue={(logoUrl) => set({ logoUrl })} error={form.error("branding.logoUrl")} hint={t("branding.logoHint")} />
        <TextArea label={t("branding.homeText")} optional disabled={off} maxLength={500} value={draft.homeText} onValue={(homeText) => set({ homeText })} error={form.error("branding.homeText")} hint={t(domain.customHomepage ? "branding.homeUnused" : "branding.homeHint")} />
        {off ? null : (
          <button type="submit" class="button primary" disabled={form.busy || !dirty}>
            {t("save")}
          </button>
        )}
      </SavedForm>
      <Preview draft={draft} domain={domain} />
    </div>
  );
}

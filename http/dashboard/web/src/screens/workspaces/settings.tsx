import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Workspace } from "../../api/types";
import { Select, TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { toast } from "../../components/toast";
import { atLeast, has, loadWorkspaces, role, session, workspace } from "../../state";
import { t } from "../../text";
import { Conversions } from "./conversions";
import { EndWorkspace } from "./end";

const TTLS = [86_400, 604_800, 2_592_000, 7_776_000, 31_536_000] as const;
const SHOWN = ["name", "notes", "avatarUrl", "timezone", "expiration.ttl", "expiration"];

function draftOf(one: Workspace) {
  return { name: one.name, notes: one.notes, avatarUrl: one.avatarUrl, timezone: one.timezone, ttl: String(one.expiration?.ttl ?? "") };
}

function zones(current: string): string[] {
  const known = Intl.supportedValuesOf("timeZone");
  return [...new Set(["UTC", ...(current ? [current] : []), ...known])];
}

function General({ one }: { one: Workspace }) {
  const [before, setBefore] = useState(() => draftOf(one));
  const [draft, setDraft] = useState(before);
  const form = useForm(SHOWN);
  const off = !atLeast("owner");
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), "expiration.ttl", "expiration");
  };
  const save = async () => {
    const done = await form.send(async () => {
      const ttl = draft.ttl === before.ttl ? {} : { expiration: { ttl: draft.ttl ? Number(draft.ttl) : null } };
      await api.post("/workspaces/{workspace_id}", { in: { workspace_id: one.id }, body: { name: draft.name, notes: draft.notes || null, avatarUrl: draft.avatarUrl || null, timezone: draft.timezone || null, ...ttl } });
      await loadWorkspaces();
    });
    if (!done) return;
    setBefore(draft);
    toast(t("workspaces.saved"));
  };
  const ttls = [...new Set([...TTLS.map(String), ...(draft.ttl ? [draft.ttl] : [])])];
  const dirty = JSON.stringify(draft) !== JSON.stringify(before);
  return (
    <SavedForm look="card form-card" save={save}>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <TextField label={t("workspaces.name")} disabled={off} maxLength={255} value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} />
      <TextArea label={t("workspaces.notes")} optional disabled={off} maxLength={2000} value={draft.notes} onValue={(notes) => set({ notes })} error={form.error("notes")} />
      <TextField label={t("avatar")} optional type="url" inputmode="url" spellcheck={false} disabled={off} value={draft.avatarUrl} onValue={(avatarUrl) => set({ avatarUrl })} error={form.error("avatarUrl")} hint={t(session.value?.showsOutsideImages ? "avatar.shown" : "avatar.notShown")} />
      <Select label={t("workspaces.timezone")} disabled={off} value={draft.timezone || "UTC"} onValue={(timezone) => set({ timezone })} error={form.error("timezone")} hint={t("workspaces.timezoneHint")} choices={zones(draft.timezone).map((zone) => ({ value: zone, label: zone }))} />
      {has("links.expiration") || draft.ttl ? (
        <Select
          label={t("workspaces.ttl")}
          disabled={off}
          value={draft.ttl}
          onValue={(ttl) => set({ ttl })}
          error={form.error("expiration.ttl", "expiration")}
          hint={t("workspaces.ttlHint")}
          choices={[{ value: "", label: t("workspaces.ttlNone") }, ...ttls.map((ttl) => ({ value: ttl, label: t("workspaces.days", { n: Math.round((Number(ttl) / 86_400) * 100) / 100 }) }))]}
        />
      ) : null}
      {off ? (
        <p class="muted">{t("workspaces.onlyOwner")}</p>
      ) : (
        <button type="submit" class="button primary" disabled={form.busy || !dirty}>
          {t("save")}
        </button>
      )}
    </SavedForm>
  );
}

/** Settings of the workspace that one is in. */
export function WorkspaceSettings() {
  const one = workspace.value;
  if (!one) return null;
  return (
    <Page title={t("nav.settings")} lead={<span class="count">{t("workspaces.yourRole", { role: t(`role.${role.value}`) })}</span>}>
      {one.revoked ? <p class="note bad">{t("workspaces.revoked")}</p> : null}
      <div class="stack">
        <General one={one} />
        {atLeast("admin") && has("extra.conversion_tracking") ? <Conversions id={one.id} /> : null}
        <EndWorkspace one={one} />
      </div>
    </Page>
  );
}

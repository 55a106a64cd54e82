import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { Checkbox, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { Skeleton } from "../../components/skeleton";
import { toast } from "../../components/toast";
import { t } from "../../text";

type Tracking = Awaited<ReturnType<typeof ask>>;
const ask = (id: string, signal: AbortSignal) => api.get("/workspaces/{workspace_id}/conversion-tracking", { in: { workspace_id: id }, signal });

function Fields({ id, tracking, changed }: { id: string; tracking: Tracking; changed: (tracking: Tracking) => void }) {
  const draftOf = (one: Tracking) => ({ enabled: one.enabled, window: String(one.attributionWindow ?? 30), parameter: one.parameter ?? "" });
  const [draft, setDraft] = useState(draftOf(tracking));
  const form = useForm(["attributionWindow", "parameter"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear("attributionWindow", "parameter");
  };
  const save = async () => {
    const body = { enabled: draft.enabled, attributionWindow: Number(draft.window), parameter: draft.parameter || null };
    if (!(await form.send(async () => changed(await api.post("/workspaces/{workspace_id}/conversion-tracking", { in: { workspace_id: id }, body }))))) return;
    toast(t("workspaces.saved"));
  };
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(tracking));
  return (
    <SavedForm save={save}>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <Checkbox label={t("tracking.enabled")} hint={t("tracking.hint")} checked={draft.enabled} onChecked={(enabled) => set({ enabled })} />
      <div class="two">
        <TextField label={t("tracking.window")} type="number" inputmode="numeric" min={1} max={90} disabled={!draft.enabled} value={draft.window} onValue={(window) => set({ window })} error={form.error("attributionWindow")} hint={t("tracking.windowHint")} />
        <TextField label={t("tracking.parameter")} optional autocomplete="off" autocapitalize="none" spellcheck={false} disabled={!draft.enabled} value={draft.parameter} onValue={(parameter) => set({ parameter })} error={form.error("parameter")} hint={t("tracking.parameterHint")} />
      </div>
      <button type="submit" class="button primary" disabled={form.busy || !dirty}>
        {t("save")}
      </button>
    </SavedForm>
  );
}

export function Conversions({ id }: { id: string }) {
  const found = useLoad((signal) => ask(id, signal), [id]);
  return (
    <section class="card form-card">
      <h2 class="low-gap">{t("tracking.title")}</h2>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={2} /> : null}
      {found.data ? <Fields id={id} tracking={found.data} changed={(tracking) => found.set(() => tracking)} /> : null}
    </section>
  );
}

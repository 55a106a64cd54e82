import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { Checkbox, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { toast } from "../../components/toast";
import { t } from "../../text";
import { number } from "../../text/formats";

const LIMITS = ["links", "workspaces", "domains", "teammates", "tags", "scripts"] as const;
type Limits = Record<(typeof LIMITS)[number], number | null>;

export interface Plan extends Limits {
  name: string;
  category: string;
  /** null: all of them, and those to come. */
  features: string[] | null;
}

function Edit({ plan, features, onClose, saved }: { plan: Plan | undefined; features: string[]; onClose: () => void; saved: () => void }) {
  const [draft, setDraft] = useState(() => ({
    name: plan?.name ?? "",
    category: plan?.category ?? "",
    all: plan ? plan.features === null : true,
    features: plan?.features ?? features,
    limits: Object.fromEntries(LIMITS.map((one) => [one, plan?.[one]?.toString() ?? ""])) as Record<string, string>,
  }));
  const [before] = useState(draft);
  const form = useForm(["name", "category", ...LIMITS]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change), ...LIMITS);
  };
  const save = async () => {
    const limits = Object.fromEntries(LIMITS.map((one) => [one, draft.limits[one] ? Number(draft.limits[one]) : null]));
    const body = { ...(draft.category ? { category: draft.category } : {}), features: draft.all ? null : draft.features, ...limits };
    const send = () => (plan ? ask("PUT", `/operator/plans/${plan.name}`, body) : ask("POST", "/operator/plans", { name: draft.name, ...body }));
    if (!(await form.send(send))) return;
    toast(t("operator.saved", { name: draft.name }));
    saved();
    onClose();
  };
  return (
    <FormDialog title={plan ? t("operator.planOf", { name: plan.name }) : t("operator.newPlan")} side action={t("save")} form={form} dirty={JSON.stringify(draft) !== JSON.stringify(before)} needsChange save={save} onClose={onClose}>
      {plan ? null : <TextField label={t("operator.planName")} autofocus autocomplete="off" autocapitalize="none" maxLength={40} value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} hint={t("operator.planNameHint")} />}
      <TextField label={t("operator.category")} optional autocomplete="off" value={draft.category} onValue={(category) => set({ category })} error={form.error("category")} hint={t("operator.categoryHint")} />
      <div class="two">
        {LIMITS.map((one) => (
          <TextField key={one} label={t(`plan.${one}`)} type="number" inputmode="numeric" min={0} placeholder={t("operator.unlimited")} value={draft.limits[one] ?? ""} onValue={(value) => set({ limits: { ...draft.limits, [one]: value } })} error={form.error(one)} />
        ))}
      </div>
      <Checkbox label={t("operator.allFeatures")} checked={draft.all} onChecked={(all) => set({ all })} />
      {draft.all ? null : (
        <fieldset class="tag-choice">
          <legend>{t("operator.features")}</legend>
          <div class="tag-choice-list">
            {features.map((one) => (
              <Checkbox key={one} label={one} checked={draft.features.includes(one)} onChecked={(on) => set({ features: on ? [...draft.features, one] : draft.features.filter((other) => other !== one) })} />
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  );
}

export function Plans() {
  const found = useLoad((signal) => ask<{ items: Plan[]; features: string[] }>("GET", "/operator/plans", undefined, signal), []);
  const [editing, setEditing] = useState<{ plan: Plan | undefined } | undefined>(undefined);
  const columns: Column<Plan & { id: string }>[] = [
    {
      title: t("plan.title"),
      kind: "main",
      cell: (plan) => (
        <span class="two-lines">
          <bdi class="row-title">{plan.name}</bdi>
          <span class="row-note">{plan.features ? t("operator.featureCount", { n: plan.features.length }) : t("operator.allFeatures")}</span>
        </span>
      ),
    },
    ...LIMITS.slice(0, 4).map((one): Column<Plan & { id: string }> => ({ title: t(`plan.${one}`), kind: "number", cell: (plan) => (plan[one] === null ? "∞" : number(plan[one])) })),
    {
      title: t("actions"),
      kind: "tools",
      cell: (plan) => (
        <span class="tools-row">
          <IconButton icon="edit" label={t("operator.planOf", { name: plan.name })} onClick={() => setEditing({ plan })} />
        </span>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <p class="muted">{t("operator.plansText")}</p>
        <button type="button" class="button primary" disabled={!found.data} onClick={() => setEditing({ plan: undefined })}>
          <Icon name="plus" />
          {t("operator.newPlan")}
        </button>
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={3} /> : null}
      {found.data ? <Table caption={t("operator.part.plans")} columns={columns} rows={found.data.items.map((plan) => ({ ...plan, id: plan.name }))} busy={found.loading} /> : null}
      {editing ? <Edit plan={editing.plan} features={found.data?.features ?? []} onClose={() => setEditing(undefined)} saved={found.reload} /> : null}
    </section>
  );
}

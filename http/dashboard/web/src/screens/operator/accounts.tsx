import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { CopyButton } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { Checkbox, Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { IconButton } from "../../components/icon_button";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { session } from "../../state";
import { t } from "../../text";
import { SearchedList, useSearched } from "./found";
import type { Plan } from "./plans";

interface Row {
  id: string;
  username: string;
  fullName: string;
  email: string;
  createdAt: string;
  plan: string;
  operator: boolean;
  suspendedAt: string | null;
}

function Edit({ row, onClose, saved }: { row: Row; onClose: () => void; saved: (row: Row) => void }) {
  const plans = useLoad((signal) => ask<{ items: Plan[] }>("GET", "/operator/plans", undefined, signal), []);
  const before = { plan: row.plan, email: row.email, operator: row.operator, suspended: row.suspendedAt !== null };
  const [draft, setDraft] = useState(before);
  const form = useForm(["plan", "email"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const save = async () => {
    if (!(await form.send(async () => saved(await ask<Row>("PUT", `/operator/accounts/${row.id}`, draft))))) return;
    toast(t("operator.saved", { name: row.username }));
    onClose();
  };
  const names = [...new Set([row.plan, ...(plans.data?.items ?? []).map((one) => one.name)])];
  return (
    <FormDialog title={t("operator.accountOf", { name: row.username })} action={t("save")} form={form} dirty={JSON.stringify(draft) !== JSON.stringify(before)} needsChange save={save} onClose={onClose}>
      <Select label={t("plan.title")} value={draft.plan} onValue={(plan) => set({ plan })} error={form.error("plan")} choices={names.map((one) => ({ value: one, label: one }))} />
      <TextField label={t("account.email")} type="email" inputmode="email" autocomplete="off" optional value={draft.email} onValue={(email) => set({ email })} error={form.error("email")} />
      <Checkbox label={t("operator.isOperator")} hint={t("operator.isOperatorHint")} checked={draft.operator} onChecked={(operator) => set({ operator })} />
      <Checkbox label={t("operator.suspend")} hint={t("operator.suspendHint")} checked={draft.suspended} disabled={row.id === session.value?.account.id} onChecked={(suspended) => set({ suspended })} />
    </FormDialog>
  );
}

function Address({ row, address, onClose }: { row: Row; address: string; onClose: () => void }) {
  return (
    <Dialog
      title={t("operator.addressOf", { name: row.username })}
      onClose={onClose}
      footer={
        <button type="button" class="button primary" onClick={onClose}>
          {t("close")}
        </button>
      }
    >
      <p class="low-gap">{t("operator.addressText")}</p>
      <div class="secret">
        <code>{address}</code>
        <CopyButton secret text={address} label={t("operator.copyAddress")} />
      </div>
    </Dialog>
  );
}

export function Accounts() {
  const list = useSearched<Row>("accounts");
  const [editing, setEditing] = useState<Row | undefined>(undefined);
  const [shown, setShown] = useState<{ row: Row; address: string } | undefined>(undefined);
  const giveAddress = (row: Row) =>
    attempt(async () => setShown({ row, address: (await ask<{ address: string }>("POST", `/operator/accounts/${row.id}/sign-in-address`)).address }));
  const columns: Column<Row>[] = [
    {
      title: t("people.person"),
      kind: "main",
      cell: (row) => (
        <span class="two-lines">
          <span>
            <bdi class="row-title">{row.fullName || row.username}</bdi>
            {row.operator ? <span class="badge">{t("operator.badge")}</span> : null}
            {row.suspendedAt ? <span class="badge">{t("operator.suspended")}</span> : null}
          </span>
          <bdi class="row-note">{row.email ? `${row.username} · ${row.email}` : row.username}</bdi>
        </span>
      ),
    },
    { title: t("plan.title"), cell: (row) => <bdi>{row.plan}</bdi> },
    { title: t("links.created"), cell: (row) => <Ago at={row.createdAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) => (
        <span class="tools-row">
          <IconButton icon="leave" label={t("operator.addressOf", { name: row.username })} disabled={row.suspendedAt !== null} onClick={() => void giveAddress(row)} />
          <IconButton icon="edit" label={t("operator.accountOf", { name: row.username })} onClick={() => setEditing(row)} />
        </span>
      ),
    },
  ];
  return (
    <>
      <SearchedList list={list} columns={columns} caption={t("operator.part.accounts")} />
      {editing ? <Edit row={editing} onClose={() => setEditing(undefined)} saved={list.put} /> : null}
      {shown ? <Address {...shown} onClose={() => setShown(undefined)} /> : null}
    </>
  );
}

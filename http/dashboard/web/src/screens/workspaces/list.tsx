import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Workspace } from "../../api/types";
import { Avatar } from "../../components/avatar";
import { confirm } from "../../components/confirm";
import { Select, TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { Icon } from "../../components/icon";
import { onlyFirst } from "../../components/narrow";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { Table, type Column } from "../../components/table";
import { attempt, toast } from "../../components/toast";
import { useShortcuts } from "../../keys";
import { go } from "../../router";
import { chooseWorkspace, loadWorkspaces, moreWorkspaces, workspaceId, workspaces } from "../../state";
import { t } from "../../text";
import { number } from "../../text/formats";

const TYPES = ["classic", "extended"] as const;

/** On to a workspace; what is said of it is said when one is there. */
async function enter(id: string, address: string, said?: string): Promise<void> {
  await attempt(async () => {
    if (said) await loadWorkspaces();
    if (!(await chooseWorkspace(id))) return;
    go(address);
    if (said) toast(said);
  });
}

function Create({ onClose }: { onClose: () => void }) {
  const [draft, setDraft] = useState({ name: "", notes: "", type: "classic" });
  const form = useForm(["name", "notes", "type"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const save = async () => {
    let id = "";
    const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const body = { name: draft.name, type: draft.type as (typeof TYPES)[number], timezone, ...(draft.notes ? { notes: draft.notes } : {}) };
    if (!(await form.send(async () => (id = (await api.post("/workspaces", { body })).id)))) return;
    onClose();
    await enter(id, "/links", t("workspaces.made", { name: draft.name }));
  };
  return (
    <FormDialog title={t("workspaces.new")} action={t("workspaces.make")} form={form} dirty={draft.name !== "" || draft.notes !== ""} save={save} onClose={onClose}>
      <TextField label={t("workspaces.name")} autofocus autocomplete="off" maxLength={255} value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} />
      <Select label={t("workspaces.type")} value={draft.type} onValue={(type) => set({ type })} error={form.error("type")} hint={t("workspaces.typeHint")} choices={TYPES.map((one) => ({ value: one, label: t(`workspaces.type.${one}`) }))} />
      <TextArea label={t("workspaces.notes")} optional maxLength={2000} value={draft.notes} onValue={(notes) => set({ notes })} error={form.error("notes")} />
    </FormDialog>
  );
}

/** Workspaces of others that the person is asked to join. */
function Received() {
  const found = useLoad((signal) => api.get("/account/invites", { signal }), []);
  const accept = (token: string, name: string, id: string) =>
    attempt(async () => {
      await api.post("/invites/{token}/accept", { in: { token } });
      await enter(id, "/links", t("received.accepted", { name }));
    });
  const decline = async (token: string, name: string) => {
    if (!(await confirm({ title: t("received.declineTitle", { name }), text: t("received.declineText"), action: t("received.decline") }))) return;
    if (await attempt(() => api.post("/invites/{token}/decline", { in: { token } }))) toast(t("received.declined", { name }));
    found.reload();
  };
  if (found.problem) return <ProblemBox problem={found.problem} retry={found.reload} />;
  return (
    <>
      {(found.data ?? []).map((invite) => (
        <section key={invite.id} class="note received">
          <Icon name="people" />
          <div>
            <p dir="auto">{t("received.text", { from: invite.createdBy.fullName, name: invite.workspace.name, role: t(`role.${invite.role}`) })}</p>
            {invite.message ? (
              <p class="muted break" dir="auto">
                {invite.message}
              </p>
            ) : null}
          </div>
          <button type="button" class="button primary" aria-label={t("received.acceptOne", { name: invite.workspace.name })} onClick={() => void accept(invite.id, invite.workspace.name, invite.workspace.id)}>
            {t("received.accept")}
          </button>
          <button type="button" class="button" aria-label={t("received.declineOne", { name: invite.workspace.name })} onClick={() => void decline(invite.id, invite.workspace.name)}>
            {t("received.decline")}
          </button>
        </section>
      ))}
    </>
  );
}

function NameCell({ one }: { one: Workspace }) {
  return (
    <span class="person-cell">
      <Avatar name={one.name} picture={one.avatarUrl} />
      <span class="two-lines">
        <span>
          <bdi class="row-title">{one.name}</bdi>
          {one.id === workspaceId.value ? <span class="badge">{t("workspaces.current")}</span> : null}
        </span>
        <bdi class="row-note">{one.notes || t("workspaces.ownedBy", { name: one.owner.username })}</bdi>
      </span>
    </span>
  );
}

export function Workspaces() {
  const [creating, setCreating] = useState(false);
  const list = workspaces.value;
  useShortcuts([{ keys: "n", says: "workspaces.new", action: () => setCreating(true) }]);
  const columns: Column<Workspace>[] = [
    { title: t("workspace"), kind: "main", cell: (one) => <NameCell one={one} /> },
    { title: t("workspaces.type"), cell: (one) => t(`workspaces.type.${one.type}`) },
    { title: t("nav.links"), kind: "number", cell: (one) => number(one.links) },
    { title: t("nav.people"), kind: "number", cell: (one) => number(one.teammates) },
    { title: t("clicks"), kind: "number", cell: (one) => number(one.clicks) },
    {
      title: t("actions"),
      kind: "tools",
      cell: (one) => (
        <span class="tools-row wide">
          {one.id === workspaceId.value ? null : (
            <button type="button" class="button small" aria-label={t("workspaces.enterOne", { name: one.name })} onClick={() => void enter(one.id, "/links")}>
              {t("workspaces.enter")}
            </button>
          )}
          <button type="button" class="button small" aria-label={t("workspaces.settingsOf", { name: one.name })} onClick={() => void enter(one.id, "/settings")}>
            {t("workspaces.settings")}
          </button>
        </span>
      ),
    },
  ];
  return (
    <Page
      title={t("nav.workspaces")}
      lead={<span class="count">{t("workspaces.count", { n: list.length })}</span>}
      actions={
        <button type="button" class="button primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {t("workspaces.new")}
        </button>
      }
    >
      <Received />
      <Table caption={t("nav.workspaces")} columns={columns} rows={list} />
      {moreWorkspaces.value ? <p class="muted">{onlyFirst(true)}</p> : null}
      {creating ? <Create onClose={() => setCreating(false)} /> : null}
    </Page>
  );
}

import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Workspace } from "../../api/types";
import { confirm } from "../../components/confirm";
import { Dialog } from "../../components/dialog";
import { Checkbox, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { attempt, toast } from "../../components/toast";
import { go } from "../../router";
import { chooseWorkspace, loadWorkspaces, role, workspaces } from "../../state";
import { t } from "../../text";

/** The workspace is gone or left: on to the first of the others. */
async function moveOn(said: string): Promise<void> {
  await loadWorkspaces();
  const next = workspaces.value.find((one) => one.default) ?? workspaces.value[0];
  if (next) await chooseWorkspace(next.id);
  go("/workspaces");
  toast(said);
}

/** Deletes for ever, or puts aside; only whoever types the name can do it. */
function DeleteWorkspace({ one, onClose }: { one: Workspace; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [keep, setKeep] = useState(false);
  const form = useForm([]);
  const run = async () => {
    if (!(await form.send(() => api.delete("/workspaces/{workspace_id}", { in: { workspace_id: one.id }, ...(keep ? { query: { trash: true } } : {}) })))) return;
    onClose();
    await attempt(() => moveOn(t(keep ? "workspaces.trashed" : "workspaces.deleted", { name: one.name })));
  };
  return (
    <Dialog
      title={t("workspaces.deleteTitle")}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="submit" form="delete-workspace" class="button danger" disabled={form.busy || typed.trim() !== one.name.trim()}>
            {t(keep ? "workspaces.trash" : "delete")}
          </button>
        </>
      }
    >
      <form
        id="delete-workspace"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() === one.name.trim()) void run();
        }}
      >
        {form.problem ? <ProblemBox problem={form.problem} /> : null}
        <p class="low-gap">{t(keep ? "workspaces.trashText" : "workspaces.deleteText", { n: one.links })}</p>
        <Checkbox label={t("workspaces.onlyTrash")} checked={keep} onChecked={setKeep} />
        <p class="field-hint">{t("workspaces.typeName")}</p>
        <code class="line low-gap">
          <bdi>{one.name}</bdi>
        </code>
        <TextField label={t("workspaces.name")} autofocus autocomplete="off" value={typed} onValue={setTyped} />
      </form>
    </Dialog>
  );
}

async function leave(one: Workspace): Promise<void> {
  if (!(await confirm({ title: t("workspaces.leaveTitle", { name: one.name }), text: t("workspaces.leaveText"), action: t("workspaces.leave") }))) return;
  await attempt(async () => {
    await api.delete("/workspaces/{workspace_id}", { in: { workspace_id: one.id } });
    await moveOn(t("workspaces.left", { name: one.name }));
  });
}

/** What ends the work in a workspace: deleting one's own, leaving somebody else's. */
export function EndWorkspace({ one }: { one: Workspace }) {
  const [deleting, setDeleting] = useState(false);
  const own = role.value === "owner";
  return (
    <section class="card form-card">
      <h2 class="low-gap">{t(own ? "workspaces.deleteTitle" : "workspaces.leaveHead")}</h2>
      <p class="muted low-gap">{t(one.default ? "workspaces.isDefault" : own ? "workspaces.deleteHint" : "workspaces.leaveText")}</p>
      {one.default ? null : own ? (
        <button type="button" class="button danger" onClick={() => setDeleting(true)}>
          {t("workspaces.deleteTitle")}
        </button>
      ) : (
        <button type="button" class="button danger" onClick={() => void leave(one)}>
          {t("workspaces.leave")}
        </button>
      )}
      {deleting ? <DeleteWorkspace one={one} onClose={() => setDeleting(false)} /> : null}
    </section>
  );
}

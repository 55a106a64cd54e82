import { api } from "../../api/client";
import { usePages } from "../../api/pages";
import { confirm } from "../../components/confirm";
import { IconButton } from "../../components/icon_button";
import { List } from "../../components/list";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { workspaceId } from "../../state";
import { t } from "../../text";

const ask = (page: { limit: number; last?: string }, signal: AbortSignal) => api.get("/workspaces/{workspace_id}/invites", { in: { workspace_id: workspaceId.value }, query: { ...page, status: "pending" }, signal });
type Invite = Awaited<ReturnType<typeof ask>>[number];

async function withdraw(invite: Invite, done: () => void): Promise<void> {
  const name = invite.email ?? invite.invitee?.fullName ?? "";
  if (!(await confirm({ title: t("invite.withdrawTitle", { name }), text: t("invite.withdrawText"), action: t("invite.withdraw") }))) return;
  await attempt(async () => {
    await api.delete("/workspaces/{workspace_id}/invites/{invite_id}", { in: { workspace_id: workspaceId.value, invite_id: invite.id } });
    toast(t("invite.withdrawn", { name }));
  });
  done();
}

/** Those who have been invited and have not answered. It asks again when `turn` changes. */
export function Invites({ turn }: { turn: number }) {
  const pages = usePages(ask, [turn]);
  const columns: Column<Invite>[] = [
    {
      title: t("invite.who"),
      kind: "main",
      cell: (invite) => (
        <span class="two-lines">
          <bdi class="row-title">{invite.email ?? invite.invitee?.fullName}</bdi>
          {invite.message ? (
            <bdi class="row-note" title={invite.message}>
              {invite.message}
            </bdi>
          ) : null}
        </span>
      ),
    },
    { title: t("people.role"), cell: (invite) => t(`role.${invite.role}`) },
    { title: t("invite.by"), cell: (invite) => <bdi>{invite.createdBy.fullName}</bdi> },
    { title: t("invite.expires"), cell: (invite) => <Ago at={invite.expiresAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (invite) => (
        <span class="tools-row">
          <IconButton icon="close" label={t("invite.withdrawOne", { name: invite.email ?? invite.invitee?.fullName ?? "" })} onClick={() => void withdraw(invite, pages.reload)} />
        </span>
      ),
    },
  ];
  return (
    <section class="part-of-page">
      <h2>{t("invite.open")}</h2>
      <List caption={t("invite.open")} columns={columns} pages={pages} empty={<p class="muted">{t("invite.none")}</p>} />
    </section>
  );
}

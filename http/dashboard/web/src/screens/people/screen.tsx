import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { usePages } from "../../api/pages";
import type { Role, Teammate } from "../../api/types";
import { Avatar } from "../../components/avatar";
import { confirm } from "../../components/confirm";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { List } from "../../components/list";
import { Page } from "../../components/page";
import { Search, searched } from "../../components/search";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { useShortcuts } from "../../keys";
import { atLeast, session, workspaceId } from "../../state";
import { t } from "../../text";
import { Invite } from "./invite";
import { Invites } from "./invites";

/** Roles that somebody can be given by an admin. */
export const ROLES = ["viewer", "guest", "user", "admin"] as const;

async function setRole(person: Teammate, role: Role, done: () => void): Promise<void> {
  const to = (value: Role) => api.post("/workspaces/{workspace_id}/teammates/{teammate_id}", { in: { workspace_id: workspaceId.value, teammate_id: person.id }, body: { role: value as (typeof ROLES)[number] } });
  const name = person.fullName || person.username;
  if (await attempt(() => to(role))) {
    toast(t("people.changed", { name, role: t(`role.${role}`) }), { undo: () => void attempt(() => to(person.role)).then(done) });
  }
  done();
}

async function remove(person: Teammate, done: () => void): Promise<void> {
  const name = person.fullName || person.username;
  if (!(await confirm({ title: t("people.removeTitle", { name }), text: t("people.removeText"), action: t("people.removeAction") }))) return;
  await attempt(async () => {
    await api.delete("/workspaces/{workspace_id}/teammates/{teammate_id}", { in: { workspace_id: workspaceId.value, teammate_id: person.id } });
    toast(t("people.removed", { name }));
  });
  done();
}

function Person({ person }: { person: Teammate }) {
  return (
    <span class="person-cell">
      <Avatar name={person.fullName || person.username} picture={person.avatarUrl} />
      <span class="two-lines">
        <span>
          <bdi class="row-title">{person.fullName || person.username}</bdi>
          {person.id === session.value?.account.id ? <span class="badge">{t("people.you")}</span> : null}
        </span>
        <bdi class="row-note">{person.email || person.username}</bdi>
      </span>
    </span>
  );
}

function RoleCell({ person, done }: { person: Teammate; done: () => void }) {
  const fixed = !atLeast("admin") || person.role === "owner" || person.id === session.value?.account.id;
  if (fixed) return <span>{t(`role.${person.role}`)}</span>;
  return (
    <select class="small-select" aria-label={t("people.roleOf", { name: person.fullName || person.username })} value={person.role} onChange={(event) => void setRole(person, event.currentTarget.value as Role, done)}>
      {ROLES.map((one) => (
        <option key={one} value={one} selected={one === person.role}>
          {t(`role.${one}`)}
        </option>
      ))}
    </select>
  );
}

export function People() {
  const term = searched();
  const narrow = term ? { term } : {};
  const names = { workspace_id: workspaceId.value };
  const pages = usePages((page, signal) => api.get("/workspaces/{workspace_id}/teammates", { in: names, query: { ...page, ...narrow, orderBy: "fullName", orderDir: "asc" }, signal }), [term]);
  const count = useLoad((signal) => api.get("/workspaces/{workspace_id}/teammates/count", { in: names, query: narrow, signal }), [term]);
  const [inviting, setInviting] = useState(false);
  const [turn, setTurn] = useState(0);
  const admin = atLeast("admin");
  const again = () => {
    pages.reload();
    count.reload();
  };
  useShortcuts(admin ? [{ keys: "n", says: "people.invite", action: () => setInviting(true) }] : [], [admin]);
  const columns: Column<Teammate>[] = [
    { title: t("people.person"), kind: "main", cell: (person) => <Person person={person} /> },
    { title: t("people.role"), cell: (person) => <RoleCell person={person} done={again} /> },
    { title: t("people.since"), cell: (person) => <Ago at={person.createdAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (person) =>
        admin && person.role !== "owner" && person.id !== session.value?.account.id ? (
          <span class="tools-row">
            <IconButton icon="trash" label={t("people.removeOne", { name: person.fullName || person.username })} onClick={() => void remove(person, again)} />
          </span>
        ) : null,
    },
  ];
  return (
    <Page
      title={t("nav.people")}
      lead={
        <span class="count" aria-live="polite">
          {count.data ? t("people.count", { n: count.data.count }) : ""}
        </span>
      }
      actions={
        admin ? (
          <button type="button" class="button primary" onClick={() => setInviting(true)}>
            <Icon name="plus" />
            {t("people.invite")}
          </button>
        ) : undefined
      }
    >
      <div class="toolbar">
        <Search label={t("people.search")} />
      </div>
      <List caption={t("nav.people")} columns={columns} pages={pages} count={count.data?.count} empty={<Empty icon="people" title={t("people.noneFits")} text={t("list.tryOther")} />} />
      <details class="roles">
        <summary>{t("people.rolesTitle")}</summary>
        <dl>
          {[...ROLES, "owner" as const].map((one) => (
            <div key={one}>
              <dt>{t(`role.${one}`)}</dt>
              <dd>{t(`role.text.${one}`)}</dd>
            </div>
          ))}
        </dl>
      </details>
      {admin ? <Invites turn={turn} /> : null}
      {inviting ? <Invite onClose={() => setInviting(false)} sent={() => setTurn((old) => old + 1)} /> : null}
    </Page>
  );
}

// Applications of others that the account is connected to, and those that it registered itself.
import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { confirm } from "../../components/confirm";
import { CopyButton } from "../../components/copy";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { SecretDialog } from "../../components/secret_dialog";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { t } from "../../text";
import { EditApplication } from "./edit_application";
import { scopeWords, type Application, type Connection } from "./types";

function Connections() {
  const found = useLoad((signal) => ask<Connection[]>("GET", "/v1/account/connections", undefined, signal), []);
  const cutOff = async ({ id, name }: Connection) => {
    if (!(await confirm({ title: t("connections.endTitle", { name }), text: t("connections.endText"), action: t("connections.end") }))) return;
    await attempt(async () => {
      await ask("DELETE", `/v1/account/connections/${id}`);
      toast(t("connections.ended", { name }));
    });
    found.reload();
  };
  const columns: Column<Connection>[] = [
    {
      title: t("connections.application"),
      kind: "main",
      cell: (row) => (
        <span class="two-lines">
          <bdi class="row-title">{row.name}</bdi>
          <bdi class="row-note">{t("connections.by", { name: row.registeredBy })}</bdi>
        </span>
      ),
    },
    { title: t("connections.may"), cell: (row) => <span>{row.scopes.map(scopeWords).join(" · ")}</span> },
    { title: t("connections.where"), cell: (row) => <bdi>{row.workspaces.length > 0 ? row.workspaces.map((one) => one.name).join(", ") : t("keys.allWorkspaces")}</bdi> },
    { title: t("keys.used"), cell: (row) => <Ago at={row.lastUsedAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) => (
        <button type="button" class="button small" aria-label={t("connections.endOne", { name: row.name })} onClick={() => void cutOff(row)}>
          {t("connections.end")}
        </button>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <h2>{t("connections.title")}</h2>
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={2} /> : null}
      {found.data?.length === 0 ? <p class="muted">{t("connections.none")}</p> : null}
      {found.data && found.data.length > 0 ? <Table caption={t("connections.title")} columns={columns} rows={found.data} busy={found.loading} /> : null}
    </section>
  );
}

function Registered() {
  const found = useLoad((signal) => ask<Application[]>("GET", "/v1/account/applications", undefined, signal), []);
  const [edited, setEdited] = useState<Application | "new" | undefined>(undefined);
  const [secret, setSecret] = useState("");
  const remove = async ({ id, name }: Application) => {
    if (!(await confirm({ title: t("applications.deleteTitle", { name }), text: t("applications.deleteText"), action: t("delete") }))) return;
    await attempt(async () => {
      await ask("DELETE", `/v1/account/applications/${id}`);
      toast(t("applications.deleted", { name }));
    });
    found.reload();
  };
  const renew = async ({ id, name }: Application) => {
    if (!(await confirm({ title: t("applications.renewTitle", { name }), text: t("applications.renewText"), action: t("applications.renew") }))) return;
    await attempt(async () => setSecret((await ask<Application>("POST", `/v1/account/applications/${id}/secret`)).secret ?? ""));
  };
  const columns: Column<Application>[] = [
    {
      title: t("connections.application"),
      kind: "main",
      cell: (row) => (
        <span class="two-lines">
          <bdi class="row-title">{row.name}</bdi>
          <bdi class="row-note">{row.redirects.join(" · ")}</bdi>
        </span>
      ),
    },
    {
      title: t("applications.id"),
      cell: (row) => (
        <span class="tools-row">
          <code>{row.id}</code>
          <CopyButton text={row.id} label={t("applications.copyId")} />
        </span>
      ),
    },
    { title: t("applications.grants"), cell: (row) => row.grants },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) => (
        <span class="tools-row">
          <IconButton icon="edit" label={t("applications.editOne", { name: row.name })} onClick={() => setEdited(row)} />
          {row.confidential ? (
            <button type="button" class="button small" aria-label={t("applications.renewOne", { name: row.name })} onClick={() => void renew(row)}>
              {t("applications.renew")}
            </button>
          ) : null}
          <IconButton icon="trash" label={t("applications.deleteOne", { name: row.name })} onClick={() => void remove(row)} />
        </span>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <div>
          <h2>{t("applications.title")}</h2>
          <p class="muted">{t("applications.text")}</p>
        </div>
        <button type="button" class="button" onClick={() => setEdited("new")}>
          <Icon name="plus" />
          {t("applications.new")}
        </button>
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={2} /> : null}
      {found.data?.length === 0 ? <Empty icon="code" title={t("applications.first")} text={t("applications.firstText")} /> : null}
      {found.data && found.data.length > 0 ? <Table caption={t("applications.title")} columns={columns} rows={found.data} busy={found.loading} /> : null}
      {edited ? <EditApplication {...(edited === "new" ? {} : { application: edited })} onClose={() => setEdited(undefined)} saved={found.reload} made={(made) => setSecret(made.secret ?? "")} /> : null}
      {secret ? <SecretDialog title={t("applications.secret")} text={t("applications.secretText")} secret={secret} copy={t("applications.copySecret")} onClose={() => setSecret("")} /> : null}
    </section>
  );
}

export function Applications() {
  return (
    <div class="stack">
      <Connections />
      <Registered />
    </div>
  );
}

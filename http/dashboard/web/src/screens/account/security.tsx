import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { confirm } from "../../components/confirm";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { CurrentPasswordField } from "../../components/secret_fields";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { changeSession, session } from "../../state";
import { isKey, t } from "../../text";
import { Provider } from "./provider";
import { SecondFactor } from "./second_factor";
import type { SessionRow } from "./types";

const PASSWORD_LEAST = 10; // characters

function Password() {
  const [current, setCurrent] = useState("");
  const [fresh, setFresh] = useState("");
  const [again, setAgain] = useState("");
  const form = useForm(["current", "new"]);
  const has = session.value?.hasPassword ?? false;
  const asks = session.value?.asksForPassword || form.error("current") !== undefined;
  const different = again !== "" && again !== fresh;
  const save = async () => {
    if (again !== fresh) return;
    if (!(await form.send(() => ask("PUT", "/session/password", { ...(asks ? { current } : {}), new: fresh })))) return;
    changeSession({ hasPassword: true });
    for (const clear of [setCurrent, setFresh, setAgain]) clear("");
    toast(t("password.saved"));
  };
  return (
    <SavedForm look="card form-card" save={save}>
      <h2 class="low-gap">{t(has ? "password.change" : "password.choose")}</h2>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <span class="only-read" aria-hidden="true">
        <input type="text" autocomplete="username" tabIndex={-1} readOnly value={session.value?.account.username ?? ""} />
      </span>
      {asks ? (
        <CurrentPasswordField form={form} current={current} setCurrent={setCurrent} />
      ) : null}
      <TextField
        label={t("password.new")}
        type="password"
        autocomplete="new-password"
        value={fresh}
        onValue={(value) => {
          setFresh(value);
          form.clear("new");
        }}
        error={form.error("new")}
        hint={t("password.hint", { n: PASSWORD_LEAST })}
      />
      <TextField label={t("password.again")} type="password" autocomplete="new-password" value={again} onValue={setAgain} error={different ? t("password.different") : undefined} />
      <button type="submit" class="button primary" disabled={form.busy || fresh === "" || again !== fresh || (asks && current === "")}>
        {t("save")}
      </button>
    </SavedForm>
  );
}

/** "Firefox on Windows" as the server says it, in the chosen language. */
function clientName(client: string): string {
  const [, browser, system] = /^(\w[\w ]{0,30}) on (\w[\w ]{0,30})$/.exec(client) ?? [];
  return browser && system ? t("sessions.client", { browser, system }) : client || t("sessions.unknown");
}

function wayOf(row: SessionRow): string {
  const key = `sessions.by.${row.signedInBy}`;
  return isKey(key) ? t(key) : row.signedInBy;
}

function Sessions() {
  const found = useLoad((signal) => ask<SessionRow[]>("GET", "/v1/account/sessions", undefined, signal), []);
  const rows = found.data ?? [];
  const end = async (row: SessionRow) => {
    if (await attempt(() => ask("DELETE", `/v1/account/sessions/${row.id}`))) toast(t("sessions.ended"));
    found.reload();
  };
  const endOthers = async () => {
    if (!(await confirm({ title: t("sessions.endOthers"), text: t("sessions.endOthersText"), action: t("sessions.end") }))) return;
    await attempt(async () => {
      for (const row of rows.filter((one) => !one.current)) await ask("DELETE", `/v1/account/sessions/${row.id}`);
      toast(t("sessions.ended"));
    });
    found.reload();
  };
  const columns: Column<SessionRow>[] = [
    {
      title: t("sessions.where"),
      kind: "main",
      cell: (row) => (
        <span class="two-lines">
          <span>
            <bdi class="row-title" title={row.client}>
              {clientName(row.client)}
            </bdi>
            {row.current ? <span class="badge">{t("sessions.this")}</span> : null}
          </span>
          <span class="row-note">{wayOf(row)}</span>
        </span>
      ),
    },
    { title: t("sessions.since"), cell: (row) => <Ago at={row.createdAt} /> },
    { title: t("sessions.used"), cell: (row) => <Ago at={row.lastUsedAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) =>
        row.current ? null : (
          <button type="button" class="button small" aria-label={t("sessions.endOne", { name: clientName(row.client) })} onClick={() => void end(row)}>
            {t("sessions.end")}
          </button>
        ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <h2>{t("sessions.title")}</h2>
        {rows.some((one) => !one.current) ? (
          <button type="button" class="button small" onClick={() => void endOthers()}>
            {t("sessions.endOthers")}
          </button>
        ) : null}
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={2} /> : null}
      {rows.length > 0 ? <Table caption={t("sessions.title")} columns={columns} rows={rows} busy={found.loading} /> : null}
    </section>
  );
}

export function Security() {
  return (
    <div class="stack">
      <Password />
      <SecondFactor />
      <Provider />
      <Sessions />
    </div>
  );
}

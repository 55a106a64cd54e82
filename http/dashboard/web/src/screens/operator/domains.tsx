import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { confirm } from "../../components/confirm";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { Icon } from "../../components/icon";
import type { Column } from "../../components/table";
import { attempt, toast } from "../../components/toast";
import { t } from "../../text";
import { number } from "../../text/formats";
import { SearchedList, useSearched } from "./found";

interface Row {
  id: string;
  fullName: string;
  links: number;
  active: boolean;
  revoked: boolean;
  default: boolean;
}

function Add({ onClose, added }: { onClose: () => void; added: () => void }) {
  const [fullName, setFullName] = useState("");
  const form = useForm(["fullName"]);
  const save = async () => {
    if (!(await form.send(() => ask("POST", "/operator/domains", { fullName })))) return;
    toast(t("operator.saved", { name: fullName }));
    added();
    onClose();
  };
  return (
    <FormDialog title={t("operator.newDomain")} action={t("operator.addDomain")} form={form} dirty={fullName !== ""} save={save} onClose={onClose}>
      <TextField
        label={t("link.domain")}
        autofocus
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        value={fullName}
        onValue={(value) => {
          setFullName(value);
          form.clear("fullName");
        }}
        error={form.error("fullName")}
        hint={t("operator.newDomainHint")}
      />
    </FormDialog>
  );
}

export function ServiceDomains() {
  const list = useSearched<Row>("domains");
  const [adding, setAdding] = useState(false);
  const change = async (row: Row, body: Partial<Row>) => {
    if (body.revoked && !(await confirm({ title: t("operator.domainTitle", { name: row.fullName }), text: t("operator.domainText"), action: t("operator.revokedDo") }))) return;
    await attempt(async () => {
      list.put(await ask<Row>("PUT", `/operator/domains/${row.id}`, body));
      toast(t("operator.saved", { name: row.fullName }));
    });
  };
  const columns: Column<Row>[] = [
    {
      title: t("link.domain"),
      kind: "main",
      cell: (row) => (
        <span>
          <bdi class="row-title">{row.fullName}</bdi>
          {row.default ? <span class="badge">{t("operator.default")}</span> : null}
          {row.revoked ? <span class="badge">{t("operator.revoked")}</span> : null}
        </span>
      ),
    },
    { title: t("nav.links"), kind: "number", cell: (row) => number(row.links) },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) => (
        <span class="tools-row wide">
          <button type="button" class="button small" aria-label={`${t(row.revoked ? "operator.revokedUndo" : "operator.revokedDo")}: ${row.fullName}`} onClick={() => void change(row, { revoked: !row.revoked })}>
            {t(row.revoked ? "operator.revokedUndo" : "operator.revokedDo")}
          </button>
        </span>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <p class="muted">{t("operator.domainsText")}</p>
        <button type="button" class="button primary" onClick={() => setAdding(true)}>
          <Icon name="plus" />
          {t("operator.newDomain")}
        </button>
      </header>
      <SearchedList list={list} columns={columns} caption={t("operator.part.domains")} />
      {adding ? <Add onClose={() => setAdding(false)} added={list.found.reload} /> : null}
    </section>
  );
}

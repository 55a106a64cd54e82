import { ask } from "../../api/client";
import { confirm } from "../../components/confirm";
import type { Column } from "../../components/table";
import { attempt, toast } from "../../components/toast";
import { t } from "../../text";
import { number } from "../../text/formats";
import { SearchedList, useSearched } from "./found";

interface Row {
  id: string;
  name: string;
  owner: string;
  links: number;
  clicks: number;
  revoked: boolean;
  trashed: boolean;
}

type State = "revoked" | "trashed";

export function AllWorkspaces() {
  const list = useSearched<Row>("workspaces");
  const change = async (row: Row, state: State) => {
    const on = !row[state];
    const words = { name: row.name };
    if (on && !(await confirm({ title: t(`operator.${state}Title`, words), text: t(`operator.${state}Text`), action: t(`operator.${state}Do`) }))) return;
    await attempt(async () => {
      list.put(await ask<Row>("PUT", `/operator/workspaces/${row.id}`, { [state]: on }));
      toast(t("operator.saved", words));
    });
  };
  const columns: Column<Row>[] = [
    {
      title: t("workspace"),
      kind: "main",
      cell: (row) => (
        <span class="two-lines">
          <span>
            <bdi class="row-title">{row.name}</bdi>
            {row.revoked ? <span class="badge">{t("operator.revoked")}</span> : null}
            {row.trashed ? <span class="badge">{t("operator.trashed")}</span> : null}
          </span>
          <bdi class="row-note">{t("workspaces.ownedBy", { name: row.owner })}</bdi>
        </span>
      ),
    },
    { title: t("nav.links"), kind: "number", cell: (row) => number(row.links) },
    { title: t("clicks"), kind: "number", cell: (row) => number(row.clicks) },
    {
      title: t("actions"),
      kind: "tools",
      cell: (row) => (
        <span class="tools-row wide">
          {(["revoked", "trashed"] as const).map((state) => (
            <button key={state} type="button" class="button small" aria-label={`${t(row[state] ? `operator.${state}Undo` : `operator.${state}Do`)}: ${row.name}`} onClick={() => void change(row, state)}>
              {t(row[state] ? `operator.${state}Undo` : `operator.${state}Do`)}
            </button>
          ))}
        </span>
      ),
    },
  ];
  return <SearchedList list={list} columns={columns} caption={t("operator.part.workspaces")} />;
}

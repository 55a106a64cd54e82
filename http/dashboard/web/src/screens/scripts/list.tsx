import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { usePages } from "../../api/pages";
import type { Script } from "../../api/types";
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
import { atLeast, has } from "../../state";
import { t } from "../../text";
import { EditScript } from "./edit";

const FIRST_CHARACTERS = 120;

async function remove(script: Script, gone: () => void): Promise<void> {
  if (!(await confirm({ title: t("scripts.deleteTitle", { name: script.name }), text: t("scripts.deleteText"), action: t("delete") }))) return;
  await attempt(async () => {
    await api.delete("/scripts/{script_id}", { in: { script_id: script.id } });
    toast(t("scripts.deleted", { name: script.name }));
  });
  gone();
}

function Content({ script }: { script: Script }) {
  return (
    <span class="two-lines">
      <bdi class="row-title">{script.name}</bdi>
      <bdi class="code row-note">{script.uri || script.value.slice(0, FIRST_CHARACTERS)}</bdi>
    </span>
  );
}

export function Scripts() {
  const term = searched();
  const narrow = term ? { term } : {};
  const pages = usePages((page, signal) => api.get("/scripts", { query: { ...page, ...narrow, orderDir: "asc" }, signal }), [term]);
  const count = useLoad((signal) => api.get("/scripts/count", { query: narrow, signal }), [term]);
  const [opened, setOpened] = useState<{ script?: Script } | undefined>(undefined);
  const mayDelete = atLeast("user");
  const mayChange = mayDelete && has("links.scripts");
  const again = () => {
    pages.reload();
    count.reload();
  };
  useShortcuts(mayChange ? [{ keys: "n", says: "scripts.new", action: () => setOpened({}) }] : [], [mayChange]);
  const create = mayChange ? (
    <button type="button" class="button primary" onClick={() => setOpened({})}>
      <Icon name="plus" />
      {t("scripts.new")}
    </button>
  ) : undefined;
  const columns: Column<Script>[] = [
    { title: t("scripts.script"), kind: "main", cell: (script) => <Content script={script} /> },
    { title: t("scripts.kind"), cell: (script) => t(script.uri && script.value ? "scripts.both" : script.uri ? "scripts.fromAddress" : "scripts.inline") },
    { title: t("scripts.updated"), cell: (script) => <Ago at={script.updatedAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (script) => (
        <span class="tools-row">
          <IconButton icon="edit" label={t("scripts.editOne", { name: script.name })} disabled={!mayChange} onClick={() => setOpened({ script })} />
          <IconButton icon="trash" label={t("scripts.deleteOne", { name: script.name })} disabled={!mayDelete} onClick={() => void remove(script, again)} />
        </span>
      ),
    },
  ];
  return (
    <Page
      title={t("nav.scripts")}
      lead={
        <span class="count" aria-live="polite">
          {count.data ? t("scripts.count", { n: count.data.count }) : ""}
        </span>
      }
      actions={create}
    >
      <div class="toolbar">
        <Search label={t("scripts.search")} />
      </div>
      <List
        caption={t("nav.scripts")}
        columns={columns}
        pages={pages}
        count={count.data?.count}
        empty={
          term ? (
            <Empty icon="search" title={t("scripts.noneFits")} text={t("list.tryOther")} />
          ) : (
            <Empty icon="code" title={t("scripts.first")} text={t(has("links.scripts") ? "scripts.firstText" : "problem.feature")}>
              {create}
            </Empty>
          )
        }
      />
      {opened ? <EditScript {...opened} onClose={() => setOpened(undefined)} saved={again} /> : null}
    </Page>
  );
}

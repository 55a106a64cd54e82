import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { confirm } from "../../components/confirm";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { useShortcuts } from "../../keys";
import { t } from "../../text";
import { moment } from "../../text/formats";
import { MakeKey } from "./make_key";
import type { ApiKey } from "./types";

function scopesOf(key: ApiKey): string {
  const said = [...(key.readOnly ? [t("keys.readOnly")] : []), ...(key.linksOnly ? [t("keys.linksOnly")] : []), ...(key.workspace ? [t("keys.in", { name: key.workspace.name })] : [])];
  return said.length > 0 ? said.join(" · ") : t("keys.everything");
}

export function Keys() {
  const found = useLoad((signal) => ask<ApiKey[]>("GET", "/v1/account/keys", undefined, signal), []);
  const [making, setMaking] = useState(false);
  useShortcuts([{ keys: "n", says: "keys.new", action: () => setMaking(true) }]);
  const revoke = async (key: ApiKey) => {
    if (!(await confirm({ title: t("keys.revokeTitle", { name: key.name }), text: t("keys.revokeText"), action: t("keys.revoke") }))) return;
    await attempt(async () => {
      await ask("DELETE", `/v1/account/keys/${key.id}`);
      toast(t("keys.revoked", { name: key.name }));
    });
    found.reload();
  };
  const make = (
    <button type="button" class="button primary" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t("keys.new")}
    </button>
  );
  const columns: Column<ApiKey>[] = [
    {
      title: t("keys.key"),
      kind: "main",
      cell: (key) => (
        <span class="two-lines">
          <bdi class="row-title">{key.name || t("keys.unnamed")}</bdi>
          <bdi class="row-note">{scopesOf(key)}</bdi>
        </span>
      ),
    },
    { title: t("keys.hint"), cell: (key) => <code>{key.hint}…</code> },
    { title: t("keys.used"), cell: (key) => (key.lastUsedAt ? <Ago at={key.lastUsedAt} /> : <span class="muted">{t("keys.never")}</span>) },
    { title: t("keys.expires"), cell: (key) => (key.expiresAt ? <span title={moment(key.expiresAt)}>{<Ago at={key.expiresAt} />}</span> : <span class="muted">{t("expiry.never")}</span>) },
    { title: t("links.created"), cell: (key) => <Ago at={key.createdAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (key) => (
        <span class="tools-row">
          <IconButton icon="trash" label={t("keys.revokeOne", { name: key.name })} onClick={() => void revoke(key)} />
        </span>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <p class="muted">{t("keys.text")}</p>
        {make}
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={3} /> : null}
      {found.data?.length === 0 ? <Empty icon="code" title={t("keys.first")} text={t("keys.firstText")} /> : null}
      {found.data && found.data.length > 0 ? <Table caption={t("account.part.keys")} columns={columns} rows={found.data} busy={found.loading} /> : null}
      {making ? <MakeKey onClose={() => setMaking(false)} made={found.reload} /> : null}
    </section>
  );
}

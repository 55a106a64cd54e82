import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { IssuedWebhook, Webhook } from "../../api/types";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { SecretDialog } from "../../components/secret_dialog";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { Ago } from "../../components/time";
import { useShortcuts } from "../../keys";
import { A, go } from "../../router";
import { atLeast } from "../../state";
import { t } from "../../text";
import { EditWebhook } from "./edit";
import { WebhookStatus } from "./status";

export function Webhooks() {
  const found = useLoad((signal) => api.get("/webhooks", { signal }), []);
  const [making, setMaking] = useState(false);
  const [issued, setIssued] = useState<IssuedWebhook | undefined>(undefined);
  const mayMake = atLeast("admin");
  useShortcuts(mayMake ? [{ keys: "n", says: "webhooks.new", action: () => setMaking(true) }] : [], [mayMake]);
  const create = mayMake ? (
    <button type="button" class="button primary" onClick={() => setMaking(true)}>
      <Icon name="plus" />
      {t("webhooks.new")}
    </button>
  ) : undefined;
  const columns: Column<Webhook>[] = [
    {
      title: t("webhooks.url"),
      kind: "main",
      cell: (webhook) => (
        <span class="two-lines">
          <A class="row-title" href={`/webhooks/${webhook.id}`}>
            <bdi>{webhook.url}</bdi>
          </A>
          <bdi class="row-note">{webhook.description}</bdi>
        </span>
      ),
    },
    { title: t("webhooks.status"), cell: (webhook) => <WebhookStatus webhook={webhook} /> },
    { title: t("webhooks.types"), cell: (webhook) => (webhook.types.length === 0 ? t("webhooks.allTypes") : t("webhooks.countTypes", { n: webhook.types.length })) },
    { title: t("webhooks.lastSuccess"), cell: (webhook) => (webhook.lastSuccessAt ? <Ago at={webhook.lastSuccessAt} /> : <span class="muted">{t("keys.never")}</span>) },
  ];
  return (
    <Page title={t("nav.webhooks")} lead={<p class="muted">{t("webhooks.text")}</p>} actions={create}>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={3} /> : null}
      {found.data?.length === 0 ? (
        <Empty icon="target" title={t("webhooks.first")} text={t("webhooks.firstText")}>
          {create}
        </Empty>
      ) : null}
      {found.data && found.data.length > 0 ? <Table caption={t("nav.webhooks")} columns={columns} rows={found.data} busy={found.loading} /> : null}
      {making ? <EditWebhook onClose={() => setMaking(false)} saved={found.reload} made={(now) => (now.secret ? setIssued(now) : go(`/webhooks/${now.id}`))} /> : null}
      {issued?.secret ? <SecretDialog title={t("webhooks.made")} text={t("webhooks.madeText")} secret={issued.secret} copy={t("webhooks.copySecret")} onClose={() => setIssued(undefined)} /> : null}
    </Page>
  );
}

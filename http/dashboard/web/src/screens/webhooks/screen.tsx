import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { usePages } from "../../api/pages";
import type { IssuedWebhook, Webhook, WebhookDelivery } from "../../api/types";
import { confirm } from "../../components/confirm";
import { Empty } from "../../components/empty";
import { IconButton } from "../../components/icon_button";
import { List } from "../../components/list";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { SecretDialog } from "../../components/secret_dialog";
import { Skeleton } from "../../components/skeleton";
import type { Column } from "../../components/table";
import { Segments } from "../../components/tabs";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { go, place, withQuery } from "../../router";
import { atLeast } from "../../state";
import { t } from "../../text";
import { EditWebhook } from "./edit";
import { ReplayDialog } from "./replay";
import { DeliveryStatus, WebhookStatus } from "./status";

const STATUSES = ["delivered", "failed", "waiting", "queued"] as const;
type Status = (typeof STATUSES)[number];

function Deliveries({ webhook, turn }: { webhook: Webhook; turn: number }) {
  const status = STATUSES.find((one) => one === place.value.query.get("status"));
  const pages = usePages((page, signal) => api.get("/webhooks/{webhook_id}/deliveries", { in: { webhook_id: webhook.id }, query: { ...page, ...(status ? { status } : {}) }, signal }), [status, turn]);
  const replay = async (delivery: WebhookDelivery) => {
    const done = await attempt(() => api.post("/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", { in: { webhook_id: webhook.id, delivery_id: delivery.id } }));
    if (done) toast(t("delivery.replayed"));
    pages.reload();
  };
  const mayReplay = (delivery: WebhookDelivery) => atLeast("admin") && delivery.endedAt !== undefined && delivery.type !== "webhook.test";
  const columns: Column<WebhookDelivery>[] = [
    {
      title: t("delivery.event"),
      kind: "main",
      cell: (delivery) => (
        <span class="two-lines">
          <code class="row-title">{delivery.type}</code>
          <bdi class="row-note">{delivery.answer}</bdi>
        </span>
      ),
    },
    { title: t("webhooks.status"), cell: (delivery) => <DeliveryStatus delivery={delivery} /> },
    { title: t("delivery.answer"), cell: (delivery) => delivery.answerStatus ?? <span class="muted">{t("delivery.noAnswer")}</span> },
    { title: t("delivery.attempts"), kind: "number", cell: (delivery) => delivery.attempts },
    { title: t("delivery.attempted"), cell: (delivery) => (delivery.attemptedAt ? <Ago at={delivery.attemptedAt} /> : <span class="muted">{t("keys.never")}</span>) },
    {
      title: t("actions"),
      kind: "tools",
      cell: (delivery) => (
        <span class="tools-row">
          <IconButton icon="play" label={t("delivery.replay", { id: delivery.id })} disabled={!mayReplay(delivery)} onClick={() => void replay(delivery)} />
        </span>
      ),
    },
  ];
  return (
    <section>
      <header class="card-head">
        <h2>{t("webhooks.deliveries")}</h2>
        <Segments label={t("webhooks.status")} value={status ?? ""} choices={[{ value: "", label: t("delivery.all") }, ...STATUSES.map((one: Status) => ({ value: one, label: t(`delivery.status.${one}`) }))]} onValue={(chosen) => go(withQuery({ status: chosen }), { replace: true })} />
      </header>
      <List caption={t("webhooks.deliveries")} columns={columns} pages={pages} empty={<Empty icon="clock" title={t("delivery.none")} text={t("delivery.noneText")} />} />
    </section>
  );
}

function Tools({ webhook, changed, sent }: { webhook: Webhook; changed: (now: Webhook) => void; sent: () => void }) {
  const [opened, setOpened] = useState<"edit" | "replay" | undefined>(undefined);
  const close = () => setOpened(undefined);
  const [issued, setIssued] = useState<IssuedWebhook | undefined>(undefined);
  const named = { in: { webhook_id: webhook.id } };
  const test = () => attempt(async () => {
    await api.post("/webhooks/{webhook_id}/test", named);
    toast(t("webhooks.tested"));
    setTimeout(sent, 1500); // its outcome is there soon after
  });
  const turn = () => attempt(async () => changed(await api.post(webhook.status === "enabled" ? "/webhooks/{webhook_id}/pause" : "/webhooks/{webhook_id}/resume", named)));
  const renew = async () => {
    if (!(await confirm({ title: t("webhooks.renewTitle"), text: t("webhooks.renewText"), action: t("webhooks.renew") }))) return;
    await attempt(async () => {
      const now = await api.post("/webhooks/{webhook_id}/secret", named);
      changed(now);
      if (now.secret) setIssued(now);
      else toast(t("webhooks.renewedKey"));
    });
  };
  const remove = async () => {
    if (!(await confirm({ title: t("webhooks.deleteTitle"), text: t("webhooks.deleteText", { url: webhook.url }), action: t("delete") }))) return;
    if (!(await attempt(() => api.delete("/webhooks/{webhook_id}", named)))) return;
    toast(t("webhooks.deleted"));
    go("/webhooks");
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void test()}>
        {t("webhooks.test")}
      </button>
      <button type="button" class="button" onClick={() => setOpened("replay")}>
        {t("replay.title")}
      </button>
      <button type="button" class="button" onClick={() => void turn()}>
        {t(webhook.status === "enabled" ? "pause" : "resume")}
      </button>
      <button type="button" class="button" onClick={() => void renew()}>
        {t("webhooks.renew")}
      </button>
      <IconButton icon="edit" label={t("webhooks.edit")} onClick={() => setOpened("edit")} />
      <IconButton icon="trash" label={t("webhooks.delete")} onClick={() => void remove()} />
      {opened === "edit" ? <EditWebhook webhook={webhook} onClose={close} saved={sent} /> : null}
      {opened === "replay" ? <ReplayDialog webhook={webhook} onClose={close} changed={changed} /> : null}
      {issued?.secret ? <SecretDialog title={t("webhooks.renewed")} text={t("webhooks.renewedText")} secret={issued.secret} copy={t("webhooks.copySecret")} onClose={() => setIssued(undefined)} /> : null}
    </>
  );
}

/** One webhook: what is sent, how that goes, and what was. */
export function WebhookScreen({ id }: { id: string }) {
  const [turn, setTurn] = useState(0);
  const found = useLoad((signal) => api.get("/webhooks/{webhook_id}", { in: { webhook_id: id }, signal }), [id, turn]);
  const webhook = found.data;
  const tools = webhook && atLeast("admin") ? <Tools webhook={webhook} changed={(now) => found.set(() => now)} sent={() => setTurn((old) => old + 1)} /> : undefined;
  return (
    <Page title={webhook?.description || t("webhooks.one")} lead={webhook ? <bdi class="muted">{webhook.url}</bdi> : undefined} actions={tools}>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!webhook && found.loading ? <Skeleton lines={3} /> : null}
      {webhook ? (
        <>
          <p class="low-gap">
            <WebhookStatus webhook={webhook} /> {webhook.disabledReason ? t(`webhook.reason.${webhook.disabledReason}`) : webhook.failures > 0 ? t("webhooks.failures", { n: webhook.failures }) : null}
          </p>
          {webhook.replaying ? <p class="low-gap">{t("replay.goesOn")}</p> : null}
          <p class="muted low-gap">{webhook.types.length === 0 ? t("webhooks.allTypes") : webhook.types.join(", ")}</p>
          {webhook.publicKey ? (
            <p class="low-gap">
              {t("webhooks.publicKey")} <code>{webhook.publicKey}</code>
            </p>
          ) : null}
          <Deliveries webhook={webhook} turn={turn} />
        </>
      ) : null}
    </Page>
  );
}

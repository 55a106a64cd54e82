import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Webhook } from "../../api/types";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { t } from "../../text";

const isoOf = (local: string) => new Date(local).toISOString();

/** Sends the events of a time again, for a receiver that has lost them. */
export function ReplayDialog({ webhook, onClose, changed }: { webhook: Webhook; onClose: () => void; changed: (now: Webhook) => void }) {
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const form = useForm(["from", "to"]);
  const send = async () => {
    const body = { ...(from ? { from: isoOf(from) } : {}), ...(to ? { to: isoOf(to) } : {}) } as { from: string };
    const done = await form.send(async () => changed(await api.post("/webhooks/{webhook_id}/replay", { in: { webhook_id: webhook.id }, body })));
    if (!done) return;
    toast(t("replay.begun"));
    onClose();
  };
  return (
    <FormDialog title={t("replay.title")} action={t("replay.send")} form={form} dirty={from !== "" || to !== ""} save={send} onClose={onClose}>
      <p class="muted low-gap">{t("replay.text")}</p>
      <TextField label={t("replay.from")} type="datetime-local" autofocus value={from} onValue={(value) => (setFrom(value), form.clear("from"))} error={form.error("from")} />
      <TextField label={t("replay.to")} optional type="datetime-local" value={to} onValue={(value) => (setTo(value), form.clear("to", "from"))} error={form.error("to")} hint={t("replay.toHint")} />
    </FormDialog>
  );
}

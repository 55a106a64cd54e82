import type { Webhook, WebhookDelivery } from "../../api/types";
import { t } from "../../text";

const COLORS = { enabled: "good", failing: "warn", paused: "paused", disabled: "bad" } as const;

/** One that is enabled and whose last attempt failed is said to fail. */
export function WebhookStatus({ webhook }: { webhook: Webhook }) {
  const status = webhook.status === "enabled" && webhook.failures > 0 ? "failing" : webhook.status;
  const reason = webhook.disabledReason ? t(`webhook.reason.${webhook.disabledReason}`) : undefined;
  return (
    <span class={`status ${COLORS[status]}`} title={reason}>
      {t(`webhook.status.${status}`)}
    </span>
  );
}

const DELIVERY_COLORS = { waiting: "warn", queued: "paused", delivered: "good", failed: "bad" } as const;

export function DeliveryStatus({ delivery }: { delivery: WebhookDelivery }) {
  return <span class={`status ${DELIVERY_COLORS[delivery.status]}`}>{t(`delivery.status.${delivery.status}`)}</span>;
}

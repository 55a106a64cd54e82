import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { Icon } from "../../components/icon";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Ago } from "../../components/time";
import { language, t } from "../../text";
import { moment, number } from "../../text/formats";

interface Health {
  version: string;
  trouble: string;
  startedAt: string;
  memoryBytes: number;
  storeBytes: number;
  diskFreeBytes: number;
  clicksWaiting: number;
  clicksLost: number;
  mailsWaiting: number;
  jobsWaiting: number;
  indexBehindSeconds: number;
  certificatesEndAt: string | null;
}

const UNITS = ["kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

function bytes(count: number): string {
  let value = count / 1000;
  let unit = 0;
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000;
  return new Intl.NumberFormat(language.value, { style: "unit", unit: UNITS[unit] ?? "kilobyte", maximumFractionDigits: 1 }).format(value);
}

export function HealthPart() {
  const found = useLoad((signal) => ask<Health>("GET", "/operator/health", undefined, signal), []);
  const health = found.data;
  if (!health) return found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Skeleton lines={4} />;
  const facts = [
    [t("operator.version"), health.version],
    [t("operator.started"), <Ago at={health.startedAt} />],
    [t("operator.memory"), bytes(health.memoryBytes)],
    [t("operator.store"), bytes(health.storeBytes)],
    [t("operator.free"), health.diskFreeBytes ? bytes(health.diskFreeBytes) : "–"],
    [t("operator.clicksWaiting"), number(health.clicksWaiting)],
    [t("operator.clicksLost"), number(health.clicksLost)],
    [t("operator.mails"), number(health.mailsWaiting)],
    [t("operator.jobs"), number(health.jobsWaiting)],
    [t("operator.index"), t("operator.seconds", { n: health.indexBehindSeconds })],
    [t("operator.certificates"), health.certificatesEndAt ? moment(health.certificatesEndAt) : "–"],
  ] as const;
  return (
    <section class="card">
      <header class="card-head">
        <h2>{t("operator.part.health")}</h2>
        <button type="button" class="button small" onClick={found.reload}>
          {t("operator.again")}
        </button>
      </header>
      <p class={health.trouble ? "note bad" : "note"} role="status">
        <Icon name={health.trouble ? "alert" : "check"} />
        <span dir="auto">{health.trouble ? t("operator.trouble", { text: health.trouble }) : t("operator.ready")}</span>
      </p>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

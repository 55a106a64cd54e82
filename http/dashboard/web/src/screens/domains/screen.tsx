import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Domain } from "../../api/types";
import { confirm } from "../../components/confirm";
import { Icon } from "../../components/icon";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Tabs } from "../../components/tabs";
import { attempt, toast } from "../../components/toast";
import { go } from "../../router";
import { StatisticsPanel } from "../../statistics/panel";
import { t } from "../../text";
import { TopLinks } from "../statistics/screen";
import { Aliases } from "./aliases";
import { BrandingForm } from "./branding";
import { Proof } from "./proof";
import { DomainSettings } from "./settings";
import { Shares } from "./shares";
import { DomainStatus, mayManage, mayOversee } from "./status";

const TABS = ["setup", "settings", "branding", "shares", "statistics"] as const;
type TabName = (typeof TABS)[number];

export interface DomainPart {
  domain: Domain;
  /** What a change has answered. */
  changed: (domain: Domain) => void;
}

async function remove(domain: Domain): Promise<void> {
  if (!(await confirm({ title: t("domains.deleteTitle", { name: domain.fullName }), text: t("domains.deleteText"), action: t("delete") }))) return;
  await attempt(async () => {
    await api.delete("/domains/{domain_id}", { in: { domain_id: domain.id } });
    toast(t("domains.deleted", { name: domain.fullName }));
    go("/domains");
  });
}

function Setup({ domain, changed }: DomainPart) {
  return (
    <div class="stack">
      <Proof domain={domain} changed={changed} />
      <Aliases domain={domain} changed={changed} />
    </div>
  );
}

function Part({ tab, ...part }: DomainPart & { tab: TabName }) {
  if (tab === "settings") return <DomainSettings {...part} />;
  if (tab === "branding") return <BrandingForm {...part} />;
  if (tab === "shares") return <Shares domain={part.domain} />;
  if (tab === "statistics") return <DomainStatistics domain={part.domain} />;
  return <Setup {...part} />;
}

function DomainStatistics({ domain }: { domain: Domain }) {
  return (
    <>
      <StatisticsPanel id={domain.id} name={domain.fullName} names={new Map()} ask={(query, signal) => api.get("/domains/{domain_id}/statistics", { in: { domain_id: domain.id }, query, signal })} />
      <TopLinks filter={`domain.id=${domain.id}`} />
    </>
  );
}

export function DomainScreen({ id = "", tab = "setup" }: { id?: string; tab?: string }) {
  const found = useLoad((signal) => api.get("/domains/{domain_id}", { in: { domain_id: id }, signal }), [id]);
  const domain = found.data;
  // Which workspaces have the domain is told to those only who may take it away from them.
  const shown = TABS.filter((one) => one !== "shares" || (domain !== undefined && mayOversee(domain)));
  const current = shown.find((one) => one === tab) ?? "setup";
  const base = `/domains/${id}`;
  return (
    <Page
      title={domain?.fullName ?? t("link.domain")}
      lead={domain ? <DomainStatus domain={domain} /> : undefined}
      actions={
        domain && mayManage(domain) ? (
          <button type="button" class="button" onClick={() => void remove(domain)}>
            <Icon name="trash" />
            {t("delete")}
          </button>
        ) : undefined
      }
    >
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!domain && found.loading ? <Skeleton lines={6} /> : null}
      {domain ? (
        <>
          {domain.revoked ? <p class="note bad">{t("domains.revokedText")}</p> : null}
          {domain.type === "user" ? null : <p class="note">{t("domains.serviceText")}</p>}
          <Tabs label={t("domains.parts")} tabs={shown.map((one) => ({ address: one === "setup" ? base : `${base}/${one}`, label: t(`domains.part.${one}`), current: one === current }))} />
          <Part tab={current} domain={domain} changed={(changed) => found.set(() => changed)} />
        </>
      ) : null}
    </Page>
  );
}

import { useState } from "preact/hooks";
import { api, type Problem } from "../../api/client";
import { asProblem } from "../../api/load";
import type { Domain } from "../../api/types";
import { CopyButton } from "../../components/copy";
import { Icon } from "../../components/icon";
import { sentenceOf } from "../../components/problem";
import { toast } from "../../components/toast";
import { t } from "../../text";
import type { DomainPart } from "./screen";
import { mayManage } from "./status";

type Record = NonNullable<Domain["verification"]>;

/** What has to stand in the DNS, each part with a button that copies it. */
export function TxtRecord({ record }: { record: Record }) {
  const parts = [
    [t("dns.type"), record.type],
    [t("dns.name"), record.name],
    [t("dns.value"), record.value],
  ] as const;
  return (
    <dl class="record">
      {parts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <code>
              <bdi>{value}</bdi>
            </code>
            <CopyButton text={value} label={t("dns.copy", { name })} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Asks the server to look into the DNS, and says what was found there. */
export function VerifyButton({ verify, changed, name }: { verify: () => Promise<Domain>; changed: (domain: Domain) => void; name: string }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const look = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      changed(await verify());
      toast(t("dns.found", { name }));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <button type="button" class="button primary" disabled={busy} aria-label={t("dns.verifyOne", { name })} onClick={() => void look()}>
        <Icon name="search" />
        {t(busy ? "dns.looking" : "dns.verify")}
      </button>
      {problem ? (
        <div class="problem top-gap" role="alert">
          <Icon name="alert" />
          <div>
            <p dir="auto">{sentenceOf(problem)}</p>
            <p class="field-hint">{t("dns.wait")}</p>
          </div>
        </div>
      ) : null}
    </>
  );
}

export function Proof({ domain, changed }: DomainPart) {
  const editable = mayManage(domain);
  return (
    <section class="card">
      <h2>{t("dns.title")}</h2>
      {domain.verified ? <p class="muted">{t("dns.done")}</p> : <p>{t("dns.text")}</p>}
      {!domain.verified && domain.verification ? <TxtRecord record={domain.verification} /> : null}
      {!domain.verified && editable ? <VerifyButton name={domain.fullName} changed={changed} verify={() => api.post("/domains/{domain_id}/verify", { in: { domain_id: domain.id } })} /> : null}
      <dl class="facts">
        <div>
          <dt>{t("dns.dns")}</dt>
          <dd>{t(`dns.dns.${domain.status.dns}`)}</dd>
        </div>
        <div>
          <dt>{t("dns.encryption")}</dt>
          <dd>{t(`dns.encryption.${domain.status.encryption}`)}</dd>
          {domain.status.encryptionError ? <dd class="muted">{domain.status.encryptionError}</dd> : null}
        </div>
      </dl>
    </section>
  );
}

import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Domain } from "../../api/types";
import { confirm } from "../../components/confirm";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { attempt, toast } from "../../components/toast";
import { t } from "../../text";
import { TxtRecord, VerifyButton } from "./proof";
import type { DomainPart } from "./screen";
import { mayManage } from "./status";

type Alias = Domain["aliases"][number];

function set(domain: Domain, names: readonly string[]): Promise<Domain> {
  return api.patch("/domains/{domain_id}", { in: { domain_id: domain.id }, body: { aliases: names.map((fullName) => ({ fullName })) } });
}

function One({ alias, domain, changed, take }: DomainPart & { alias: Alias; take: () => void }) {
  const editable = mayManage(domain);
  return (
    <li class="alias">
      <div class="alias-head">
        <bdi class="break">{alias.fullName}</bdi>
        <span class={`status ${alias.verified ? "good" : "warn"}`}>{t(alias.verified ? "domain.status.active" : "domain.status.pending")}</span>
        {editable ? <IconButton icon="trash" label={t("alias.remove", { name: alias.fullName })} onClick={take} /> : null}
      </div>
      {!alias.verified && alias.verification ? <TxtRecord record={alias.verification} /> : null}
      {!alias.verified && editable ? <VerifyButton name={alias.fullName} changed={changed} verify={() => api.post("/domains/{domain_id}/aliases/{alias_name}/verify", { in: { domain_id: domain.id, alias_name: alias.fullName } })} /> : null}
    </li>
  );
}

/** Further names under which visitors find the same links. */
export function Aliases({ domain, changed }: DomainPart) {
  const [name, setName] = useState("");
  const form = useForm([]);
  const editable = mayManage(domain);
  const names = domain.aliases.map((one) => one.fullName);
  const add = async () => {
    const wanted = name.trim().toLowerCase();
    if (!wanted || !(await form.send(async () => changed(await set(domain, [...names, wanted]))))) return;
    setName("");
  };
  const remove = async (gone: string) => {
    if (!(await confirm({ title: t("alias.removeTitle", { name: gone }), text: t("alias.removeText"), action: t("alias.removeAction") }))) return;
    await attempt(async () => {
      changed(await set(domain, names.filter((one) => one !== gone)));
      toast(t("alias.removed", { name: gone }));
    });
  };
  return (
    <section class="card">
      <h2>{t("alias.title")}</h2>
      <p class="muted">{t("alias.text")}</p>
      {domain.aliases.length > 0 ? (
        <ul class="aliases">
          {domain.aliases.map((alias) => (
            <One key={alias.fullName} alias={alias} domain={domain} changed={changed} take={() => void remove(alias.fullName)} />
          ))}
        </ul>
      ) : null}
      {editable ? (
        <SavedForm look="top-gap" save={add}>
          {form.problem ? <ProblemBox problem={form.problem} /> : null}
          <TextField
            label={t("alias.name")}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            placeholder={t("alias.example")}
            value={name}
            onValue={setName}
            aside={
              <button type="submit" class="button" disabled={form.busy || !name.trim()}>
                {t("alias.add")}
              </button>
            }
          />
        </SavedForm>
      ) : null}
    </section>
  );
}

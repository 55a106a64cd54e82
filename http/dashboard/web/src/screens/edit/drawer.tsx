import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import { useEvery } from "../../api/every";
import type { Domain, Link, LinkChange, LinkInput } from "../../api/types";
import { copy } from "../../components/copy";
import { Checkbox, Select, TextArea, TextField } from "../../components/field";
import { useForm, type Form } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { FormPart } from "../../components/form_part";
import { Narrow, onlyFirst } from "../../components/narrow";
import { ProblemBox, sentenceOf } from "../../components/problem";
import { toast } from "../../components/toast";
import { has } from "../../state";
import { t } from "../../text";
import { moment } from "../../text/formats";
import { addressOf } from "../links/filters";
import { useAvailability } from "./availability";
import { Campaign } from "./campaign";
import { changesOf, draftOf, type Draft } from "./draft";
import { Guards } from "./guards";
import { Preview } from "./preview";

const ALIASES = ["aliases", ...Array.from({ length: 10 }, (_, at) => `aliases[${at}]`)];
const SHOWN = ["destination", "slashtag", "title", "description", "domainId", "domain", "domain.id", "tags", "ttl", "expiresAt", "expiredUrl", "forwarding", "forwarding.parameters", "forwarding.onConflict", "password", "maxClicks", "externalId", "passPath", ...ALIASES];
const TTLS = [3600, 86_400, 604_800, 2_592_000] as const;

type Set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) => void;
interface Part {
  draft: Draft;
  set: Set;
  form: Form;
}

function Address({ draft, set, form, domains, more, own }: Part & { domains: readonly Domain[]; more: boolean | undefined; own: string }) {
  const domain = domains.find((one) => one.id === draft.domainId);
  const available = useAvailability(draft.slashtag, domain, own);
  const wrong = available === "taken" || available === "pattern" || available === "words" || available === "length";
  const lengths = { min: domain?.slashtag.minLength ?? 1, max: domain?.slashtag.maxLength ?? 40 };
  const said = available && available !== "asking" ? t(`slashtag.${available}`, lengths) : undefined;
  return (
    <div class="address-fields">
      <Select label={t("link.domain")} value={draft.domainId} onValue={(value) => set("domainId", value)} error={form.error("domainId", "domain", "domain.id")} hint={onlyFirst(more)} choices={domains.map((one) => ({ value: one.id, label: one.fullName }))} />
      <TextField
        label={t("link.slashtag")}
        optional={!own}
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        value={draft.slashtag}
        onValue={(value) => set("slashtag", value)}
        error={form.error("slashtag") ?? (wrong ? said : undefined)}
        hint={available === "free" ? said : own ? t("slashtag.moves") : t("slashtag.hint")}
      />
    </div>
  );
}

/** The title, which the server looks up on the page when it is asked to. */
function Title({ draft, set, form }: Part) {
  const asked = useForm(["destination"]);
  const fetchTitle = async () => {
    let found = "";
    const done = await asked.send(async () => {
      found = (await api.post("/links/title", { body: { destination: draft.destination } })).title;
    });
    if (done && found) set("title", found);
    else if (done) toast(t("link.noTitle"));
  };
  const failed = asked.problem && (asked.problem.status === 503 ? t("link.noAnswer") : sentenceOf(asked.problem));
  return (
    <TextField
      label={t("link.title")}
      optional
      value={draft.title}
      onValue={(value) => set("title", value)}
      error={form.error("title") ?? asked.error("destination") ?? failed}
      aside={
        <button type="button" class="button" disabled={asked.busy || !draft.destination.trim()} onClick={() => void fetchTitle()}>
          {t("link.fetchTitle")}
        </button>
      }
    />
  );
}

function Expiry({ draft, set, form, link }: Part & { link: Link | undefined }) {
  const choices = [...(link ? [] : (["keep"] as const)), "never", "in", "at"] as const;
  const paused = draft.expiry === "in" || draft.expiry === "at";
  return (
    <FormPart
      title={
        <>
          {t("expiry.title")}
          {link?.expiresAt ? <span class="badge">{moment(link.expiresAt)}</span> : null}
        </>
      }
      refused={Boolean(form.error("ttl", "expiresAt", "expiredUrl"))}
    >
      <div class="two">
        <Select label={t("expiry.when")} value={draft.expiry} onValue={(value) => set("expiry", value as Draft["expiry"])} choices={choices.map((one) => ({ value: one, label: t(`expiry.${one}`) }))} />
        {draft.expiry === "in" ? <Select label={t("expiry.after")} value={draft.ttl} onValue={(value) => set("ttl", value)} error={form.error("ttl")} choices={TTLS.map((one) => ({ value: String(one), label: t(`ttl.${one}`) }))} /> : null}
        {draft.expiry === "at" ? <TextField label={t("expiry.moment")} type="datetime-local" value={draft.expiresAt} onValue={(value) => set("expiresAt", value)} error={form.error("expiresAt")} /> : null}
      </div>
      <TextField label={t("expiry.url")} optional type="url" inputmode="url" value={draft.expiredUrl} onValue={(value) => set("expiredUrl", value)} error={form.error("expiredUrl")} hint={paused ? t("expiry.urlHint") : t("expiry.urlPaused")} />
    </FormPart>
  );
}

function ForwardingPart({ draft, set, form }: Part) {
  return (
    <FormPart title={t("forwarding.title")} refused={Boolean(form.error("forwarding", "forwarding.parameters", "forwarding.onConflict", "passPath"))}>
      <p class="field-hint">{t("forwarding.text")}</p>
      <div class="two">
        <Select label={t("forwarding.query")} value={draft.forwarding} onValue={(value) => set("forwarding", value as Draft["forwarding"])} error={form.error("forwarding", "forwarding.parameters")} choices={(["domain", "yes", "no"] as const).map((one) => ({ value: one, label: t(`forwarding.${one}`) }))} />
        <Select
          label={t("forwarding.conflict")}
          value={draft.onConflict}
          disabled={draft.forwarding === "no"}
          onValue={(value) => set("onConflict", value as Draft["onConflict"])}
          error={form.error("forwarding.onConflict")}
          choices={(["", "destination", "visitor", "both"] as const).map((one) => ({ value: one, label: t(`conflict.${one || "domain"}`) }))}
        />
      </div>
      {form.error("passPath") ? <p class="field-error">{form.error("passPath")}</p> : null}
      <Checkbox label={t("forwarding.path")} hint={t("forwarding.pathHint")} checked={draft.passPath} onChecked={(on) => set("passPath", on)} />
    </FormPart>
  );
}

function More({ draft, set, form }: Part) {
  return (
    <FormPart title={t("link.more")} refused={Boolean(form.error("externalId", ...ALIASES))}>
      <TextField
        label={t("link.aliases")}
        optional
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        value={draft.aliases}
        onValue={(value) => set("aliases", value)}
        error={form.error(...ALIASES)}
        hint={t("link.aliasesHint")}
      />
      <TextField
        label={t("link.externalId")}
        optional
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
        value={draft.externalId}
        onValue={(value) => set("externalId", value)}
        error={form.error("externalId")}
        hint={t("link.externalIdHint")}
      />
    </FormPart>
  );
}

function Tags({ draft, set, form }: Part) {
  const tags = useEvery((page, signal) => api.get("/tags", { query: { ...page, orderDir: "asc" }, signal }));
  const list = tags.data?.items ?? [];
  if (list.length === 0 && !tags.term && !tags.problem) return null;
  return (
    <fieldset class="tag-choice">
      <legend>{t("link.tags")}</legend>
      {form.error("tags") ? <p class="field-error">{form.error("tags")}</p> : null}
      <Narrow list={tags} label={t("tags.search")} />
      <div class="tag-choice-list">
        {list.map((tag) => (
          <Checkbox key={tag.id} label={tag.name} checked={draft.tags.includes(tag.id)} onChecked={(on) => set("tags", on ? [...draft.tags, tag.id] : draft.tags.filter((one) => one !== tag.id))} />
        ))}
      </div>
    </fieldset>
  );
}

/** Makes a link, or changes one. Every refused field is told at the field. */
export function EditLink({ link, onClose, saved }: { link?: Link; onClose: () => void; saved: (link: Link) => void }) {
  const domains = useEvery((page, signal) => api.get("/domains", { query: { ...page, active: true, verified: true, shared: true }, signal }));
  const [before, setBefore] = useState<Draft>(() => draftOf(link, ""));
  const [draft, setDraft] = useState<Draft>(before);
  const form = useForm(SHOWN);
  useEffect(() => {
    const first = domains.data?.items.find((one) => one.type === "service") ?? domains.data?.items[0];
    if (link || !first) return;
    setBefore((old) => ({ ...old, domainId: first.id }));
    setDraft((old) => ({ ...old, domainId: first.id }));
  }, [domains.data]);
  const set: Set = (name, value) => {
    setDraft((old) => ({ ...old, [name]: value }));
    form.clear(name, ...(name === "domainId" ? ["domain", "domain.id"] : name === "expiry" ? ["ttl", "expiresAt"] : name === "aliases" ? ALIASES : []));
  };
  const dirty = JSON.stringify(draft) !== JSON.stringify(before);
  const save = async () => {
    const body = changesOf(draft, before, Boolean(link));
    let answer: Link | undefined;
    const done = await form.send(async () => {
      answer = link ? await api.post("/links/{link_id}", { in: { link_id: link.id }, body: body as LinkChange }) : await api.post("/links", { body: body as LinkInput });
    });
    if (!done || !answer) return;
    saved(answer);
    onClose();
    if (link) toast(t("link.saved"));
    else await copy(addressOf(answer));
  };
  const part: Part = { draft, set, form };
  const items = domains.data?.items ?? [];
  // The link's own may be switched off by now, or not be among the first.
  const unlisted = link && domains.data && !items.some((one) => one.id === link.domainId);
  return (
    <FormDialog
      title={link ? t("link.editTitle") : t("links.new")}
      side
      action={link ? t("save") : t("link.make")}
      form={form}
      dirty={dirty}
      needsChange={Boolean(link)}
      save={save}
      onClose={onClose}
    >
      {domains.problem ? <ProblemBox problem={domains.problem} retry={domains.reload} /> : null}
      <TextField label={t("link.destination")} type="url" inputmode="url" autocomplete="off" autofocus placeholder={t("link.destinationExample")} value={draft.destination} onValue={(value) => set("destination", value)} error={form.error("destination")} />
      <Address {...part} own={link?.slashtag ?? ""} more={domains.data?.more} domains={unlisted ? [...items, { ...link.domain, slashtag: { minLength: 1, maxLength: 40, caseSensitive: false, charset: "ascii" } } as unknown as Domain] : items} />
      <Title {...part} />
      {has("links.notes") ? <TextArea label={t("link.note")} optional value={draft.description} onValue={(value) => set("description", value)} error={form.error("description")} /> : null}
      {has("links.tags") ? <Tags {...part} /> : null}
      {link ? null : <Checkbox label={t("link.rotator")} hint={t("link.rotatorHint")} checked={draft.type === "rotator"} onChecked={(on) => set("type", on ? "rotator" : "standard")} />}
      <Campaign destination={draft.destination} onDestination={(value) => set("destination", value)} />
      <Expiry {...part} link={link} />
      <Guards {...part} link={link} />
      <ForwardingPart {...part} />
      <More {...part} />
      {link ? <Preview link={link} dirty={dirty} /> : null}
    </FormDialog>
  );
}

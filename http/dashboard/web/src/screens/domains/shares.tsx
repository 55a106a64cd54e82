import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { usePages } from "../../api/pages";
import type { Domain } from "../../api/types";
import { Checkbox, Select } from "../../components/field";
import { Dialog } from "../../components/dialog";
import { Empty } from "../../components/empty";
import { useForm } from "../../components/form";
import { List } from "../../components/list";
import { onlyFirst } from "../../components/narrow";
import { ProblemBox } from "../../components/problem";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { attempt, toast } from "../../components/toast";
import { moreWorkspaces, workspaces } from "../../state";
import { t } from "../../text";
import { number } from "../../text/formats";
import { isOwn, mayManage } from "./status";

type Share = Awaited<ReturnType<typeof ask>>[number];
const ask = (domain: Domain, page: { limit: number; last?: string }, signal: AbortSignal) => api.get("/domains/{domain_id}/workspaces", { in: { domain_id: domain.id }, query: page, signal });

/** Takes the domain away from a workspace, and asks what becomes of the links there. */
function Unshare({ domain, share, onClose, done }: { domain: Domain; share: Share; onClose: () => void; done: () => void }) {
  const [retire, setRetire] = useState(false);
  const form = useForm([]);
  const run = async () => {
    const names = { domain_id: domain.id, domain_workspace_id: share.id };
    if (!(await form.send(() => api.delete("/domains/{domain_id}/workspaces/{domain_workspace_id}", { in: names, query: { links: retire ? "retire" : "keep" } })))) return;
    toast(t("shares.ended", { name: nameOf(share) }));
    done();
    onClose();
  };
  return (
    <Dialog
      title={t("shares.endTitle")}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="button" onClick={onClose}>
            {t("cancel")}
          </button>
          <button type="button" class="button danger" disabled={form.busy} onClick={() => void run()}>
            {t(retire ? "shares.endRetire" : "shares.end")}
          </button>
        </>
      }
    >
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <p class="low-gap" dir="auto">
        {t("shares.endText", { n: share.links, name: nameOf(share), domain: domain.fullName })}
      </p>
      {share.links > 0 ? <Checkbox label={t("shares.retire")} hint={t(retire ? "shares.retireHint" : "shares.keepHint")} checked={retire} onChecked={setRetire} /> : null}
    </Dialog>
  );
}

function nameOf(share: Share): string {
  return share.name ?? t("shares.foreign", { owner: share.owner.fullName });
}

function ShareWith({ domain, shared, done }: { domain: Domain; shared: readonly Share[]; done: () => void }) {
  const others = workspaces.value.filter((one) => one.role !== "guest" && one.type !== "gallery" && !shared.some((share) => share.shared && share.id === one.id));
  const [chosen, setChosen] = useState("");
  const target = others.find((one) => one.id === chosen) ?? others[0];
  if (!target) return null;
  const share = () =>
    attempt(async () => {
      await api.post("/workspaces/{workspace_id}/domains/{domain_id}", { in: { workspace_id: target.id, domain_id: domain.id } });
      toast(t("shares.made", { name: target.name }));
      setChosen("");
      done();
    });
  return (
    <div class="card narrow-card">
      <Select
        label={t("shares.with")}
        value={target.id}
        onValue={setChosen}
        hint={onlyFirst(moreWorkspaces.value)}
        choices={others.map((one) => ({ value: one.id, label: one.name }))}
        aside={
          <button type="button" class="button" onClick={() => void share()}>
            {t("shares.share")}
          </button>
        }
      />
    </div>
  );
}

/** The workspaces that make links on the domain, and those that still have some there. */
export function Shares({ domain }: { domain: Domain }) {
  const pages = usePages((page, signal) => ask(domain, page, signal), [domain.id]);
  const [ending, setEnding] = useState<Share | undefined>(undefined);
  const editable = mayManage(domain);
  const columns: Column<Share>[] = [
    { title: t("workspace"), kind: "main", cell: (share) => <bdi class={share.name === undefined ? "muted" : "row-title"}>{nameOf(share)}</bdi> },
    { title: t("shares.owner"), cell: (share) => <bdi>{share.owner.fullName}</bdi> },
    { title: t("shares.state"), cell: (share) => <span class={`status ${share.shared ? "good" : "warn"}`}>{t(share.shared ? "shares.shared" : "shares.over")}</span> },
    { title: t("nav.links"), kind: "number", cell: (share) => number(share.links) },
    { title: t("shares.since"), cell: (share) => <Ago at={share.createdAt} /> },
    {
      title: t("actions"),
      kind: "tools",
      cell: (share) =>
        editable && (share.shared || share.links > 0) ? (
          <button type="button" class="button small" aria-label={t("shares.endOne", { name: nameOf(share) })} onClick={() => setEnding(share)}>
            {t("shares.endShort")}
          </button>
        ) : null,
    },
  ];
  return (
    <div class="stack">
      {editable && isOwn(domain) && domain.verified ? <ShareWith domain={domain} shared={pages.data ?? []} done={pages.reload} /> : null}
      <List caption={t("domains.part.shares")} columns={columns} pages={pages} empty={<Empty icon="box" title={t("shares.none")} />} />
      {ending ? <Unshare domain={domain} share={ending} onClose={() => setEnding(undefined)} done={pages.reload} /> : null}
    </div>
  );
}

import { useRef, useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Tag } from "../../api/types";
import { Dialog } from "../../components/dialog";
import { Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { toast } from "../../components/toast";
import { t } from "../../text";
import { merge, type Progress } from "./retag";

const CHOICES = 100; // tags that one page of the API has

/** Chooses the tag that takes over the links of another one, and does it with its progress in sight. */
export function MergeTag({ tag, onClose, merged }: { tag: Tag; onClose: () => void; merged: () => void }) {
  const [term, setTerm] = useState("");
  const [into, setInto] = useState("");
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const stopped = useRef(false);
  const form = useForm([]);
  const found = useLoad((signal) => api.get("/tags", { query: { limit: CHOICES, orderDir: "asc", ...(term ? { term } : {}) }, signal }), [term]);
  const others = (found.data ?? []).filter((one) => one.id !== tag.id);
  const target = others.find((one) => one.id === into);
  const searching = term !== "" || (found.data?.length ?? 0) >= CHOICES;
  const run = async () => {
    if (!target) return;
    stopped.current = false;
    let finished = false;
    const taken = await form.send(async () => {
      finished = await merge(tag, target, setProgress, () => stopped.current);
    });
    setProgress(undefined);
    if (!taken) return;
    toast(t(finished ? "tags.merged" : "tags.mergeStopped", { name: tag.name, into: target.name }), finished ? {} : { bad: true });
    merged();
    onClose();
  };
  const leave = () => {
    if (progress) stopped.current = true;
    else onClose();
  };
  return (
    <Dialog
      title={t("tags.mergeTitle")}
      onClose={leave}
      footer={
        <>
          <button type="button" class="button" onClick={leave}>
            {t(progress ? "tags.mergeStop" : "cancel")}
          </button>
          <button type="button" class="button danger" disabled={form.busy || !target} onClick={() => void run()}>
            {t("tags.merge")}
          </button>
        </>
      }
    >
      {form.problem ? <ProblemBox problem={form.problem} retry={() => void run()} /> : null}
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      <p dir="auto">{t("tags.mergeText", { name: tag.name })}</p>
      <div class="two top-gap">
        {searching ? <TextField label={t("tags.search")} autocomplete="off" value={term} onValue={setTerm} disabled={form.busy} /> : null}
        <Select label={t("tags.mergeInto")} value={target?.id ?? ""} disabled={form.busy || others.length === 0} onValue={setInto} choices={[{ value: "", label: t("tags.choose") }, ...others.map((one) => ({ value: one.id, label: one.name }))]} />
      </div>
      {found.data && others.length === 0 ? <p class="muted">{t("tags.mergeNone")}</p> : null}
      {progress ? (
        <div class="progress" role="status">
          <progress aria-label={t("tags.mergeTitle")} value={progress.done} max={Math.max(progress.all, 1)} />
          <span>{t("tags.mergeProgress", { n: progress.done, all: progress.all })}</span>
        </div>
      ) : null}
    </Dialog>
  );
}

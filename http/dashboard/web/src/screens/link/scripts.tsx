import { api } from "../../api/client";
import { every, useEvery } from "../../api/every";
import { useLoad } from "../../api/load";
import type { Link, Script } from "../../api/types";
import { Empty } from "../../components/empty";
import { Checkbox } from "../../components/field";
import { Narrow } from "../../components/narrow";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { attempt, toast } from "../../components/toast";
import { has, mayEdit } from "../../state";
import { t } from "../../text";

/** Which of the workspace's scripts visitors of the link run on their way. */
export function Scripts({ link }: { link: Link }) {
  const all = useEvery((page, signal) => api.get("/scripts", { query: { ...page, orderDir: "asc" }, signal }));
  const found = useLoad((signal) => every((page) => api.get("/links/{link_id}/scripts", { in: { link_id: link.id }, query: page, signal })), [link.id]);
  const problem = found.problem ?? (all.data ? undefined : all.problem);
  if (problem) return <ProblemBox problem={problem} retry={() => (all.reload(), found.reload())} />;
  if (!all.data || !found.data) return <Skeleton />;
  const editable = mayEdit(link) && has("links.scripts");
  const to = async (script: Script, on: boolean) => {
    const names = { in: { link_id: link.id, script_id: script.id } };
    await (on ? api.post("/links/{link_id}/scripts/{script_id}", names) : api.delete("/links/{link_id}/scripts/{script_id}", names));
    found.reload();
  };
  const set = async (script: Script, on: boolean) => {
    if (await attempt(() => to(script, on))) toast(t(on ? "scripts.on" : "scripts.off", { name: script.name }), { undo: () => void attempt(() => to(script, !on)) });
  };
  if (all.data.items.length === 0 && !all.term) return <Empty icon="code" title={t("scripts.empty")} text={t("scripts.emptyText")} />;
  return (
    <>
      <p class="lead">{t("scripts.text")}</p>
      <Narrow list={all} label={t("scripts.search")} />
      <ul class="rows">
        {all.data.items.map((script) => (
          <li key={script.id} class="row">
            <Checkbox label={script.name} checked={found.data?.items.some((one) => one.id === script.id) ?? false} disabled={!editable} onChecked={(on) => void set(script, on)} />
          </li>
        ))}
      </ul>
    </>
  );
}

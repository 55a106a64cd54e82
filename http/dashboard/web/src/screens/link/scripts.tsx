import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link, Script } from "../../api/types";
import { Empty } from "../../components/empty";
import { Checkbox } from "../../components/field";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { attempt, toast } from "../../components/toast";
import { has, mayEdit } from "../../state";
import { t } from "../../text";

/** Which of the workspace's scripts visitors of the link run on their way. */
export function Scripts({ link }: { link: Link }) {
  const all = useLoad((signal) => api.get("/scripts", { query: { limit: 100 }, signal }), []);
  const found = useLoad((signal) => api.get("/links/{link_id}/scripts", { in: { link_id: link.id }, query: { limit: 100 }, signal }), [link.id]);
  const problem = all.problem ?? found.problem;
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
  if (all.data.length === 0) return <Empty icon="code" title={t("scripts.empty")} text={t("scripts.emptyText")} />;
  return (
    <>
      <p class="lead">{t("scripts.text")}</p>
      <ul class="rows">
        {all.data.map((script) => (
          <li key={script.id} class="row">
            <Checkbox label={script.name} checked={found.data?.some((one) => one.id === script.id) ?? false} disabled={!editable} onChecked={(on) => void set(script, on)} />
          </li>
        ))}
      </ul>
    </>
  );
}

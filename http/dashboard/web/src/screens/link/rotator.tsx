import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link, RotatorRule } from "../../api/types";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { Skeleton } from "../../components/skeleton";
import { Segments } from "../../components/tabs";
import { toast } from "../../components/toast";
import { mayEdit } from "../../state";
import { t } from "../../text";
import { percent } from "../../text/formats";

interface Arm {
  id: string | undefined;
  destination: string;
  weight: string;
  clicks: number;
}

const PARTS = ["destination", "weight"] as const;

function armsOf(rules: readonly RotatorRule[]): Arm[] {
  return rules.map((one) => ({ id: one.id, destination: one.destination, weight: one.weight === undefined ? "1" : String(one.weight), clicks: one.clicks }));
}

/** Where a rotator spreads its visitors: all destinations are saved at once. */
export function Rotator({ link }: { link: Link }) {
  const found = useLoad((signal) => api.get("/links/{link_id}/rotator", { in: { link_id: link.id }, signal }), [link.id]);
  const [arms, setArms] = useState<readonly Arm[]>([]);
  const [weighted, setWeighted] = useState(true);
  const form = useForm(arms.flatMap((_, index) => PARTS.flatMap((part) => [`[${index}].${part}`])));
  useEffect(() => {
    if (!found.data) return;
    setArms(armsOf(found.data));
    setWeighted(found.data.length === 0 || found.data.some((one) => one.weight !== undefined));
  }, [found.data]);
  const editable = mayEdit(link);
  const weight = (arm: Arm) => (weighted ? Math.max(0, Number(arm.weight) || 0) : 1);
  const all = arms.reduce((sum, arm) => sum + weight(arm), 0);
  const set = (index: number, part: Partial<Arm>) => setArms(arms.map((arm, place) => (place === index ? { ...arm, ...part } : arm)));
  const save = async () => {
    const body = arms.map((arm) => ({ ...(arm.id ? { id: arm.id } : {}), destination: arm.destination, ...(weighted ? { weight: Number(arm.weight) } : {}) }));
    if (!(await form.send(() => api.put("/links/{link_id}/rotator", { in: { link_id: link.id }, body })))) return;
    found.reload();
    toast(t("rotator.saved"));
  };
  if (!found.data) return found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Skeleton />;
  return (
    <SavedForm save={save}>
      <p class="lead">{t("rotator.text")}</p>
      {editable ? (
        <div class="toolbar">
          <Segments
            label={t("rotator.how")}
            value={weighted ? "weights" : "turns"}
            choices={[
              { value: "weights", label: t("rotator.weights") },
              { value: "turns", label: t("rotator.turns") },
            ]}
            onValue={(how) => setWeighted(how === "weights")}
          />
        </div>
      ) : null}
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      {arms.length === 0 ? <p class="note">{t("rotator.empty")}</p> : null}
      {arms.map((arm, index) => (
        <div key={arm.id ?? index} class="arm">
          <TextField label={t("rotator.destination", { n: index + 1 })} type="url" value={arm.destination} disabled={!editable} onValue={(destination) => set(index, { destination })} error={form.error(`[${index}].destination`)} hint={t("rotator.share", { share: percent(all > 0 ? weight(arm) / all : 0), n: arm.clicks })} />
          {weighted ? <TextField label={t("rotator.weight")} type="number" inputmode="numeric" min={0} max={1_000_000} value={arm.weight} disabled={!editable} onValue={(value) => set(index, { weight: value })} error={form.error(`[${index}].weight`)} /> : <span />}
          <IconButton icon="trash" label={t("rotator.remove", { n: index + 1 })} disabled={!editable} onClick={() => setArms(arms.filter((_, place) => place !== index))} />
        </div>
      ))}
      {editable ? (
        <div class="actions">
          <button type="button" class="button" onClick={() => setArms([...arms, { id: undefined, destination: "", weight: "1", clicks: 0 }])}>
            <Icon name="plus" />
            {t("rotator.add")}
          </button>
          <button type="submit" class="button primary" disabled={form.busy}>
            {t("save")}
          </button>
        </div>
      ) : null}
    </SavedForm>
  );
}

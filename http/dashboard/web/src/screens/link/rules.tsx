import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link, Rule } from "../../api/types";
import { Empty } from "../../components/empty";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { attempt, toast } from "../../components/toast";
import { has, mayEdit } from "../../state";
import { t } from "../../text";
import { Preview } from "../edit/preview";
import { inWords } from "./conditions";
import { RuleDialog } from "./rule_dialog";

interface RowProps {
  rule: Rule;
  place: number;
  last: boolean;
  editable: boolean;
  move: (by: number) => void;
  edit: () => void;
  remove: () => void;
}

function Row({ rule, place, last, editable, move, edit, remove }: RowProps) {
  return (
    <li class="row">
      <span class="row-number">{place + 1}</span>
      <span class="row-main">
        <strong dir="auto">{rule.condition.and.map(inWords).join(` ${t("rule.and")} `)}</strong>
        <bdi class="muted">{rule.destination}</bdi>
      </span>
      {editable ? (
        <span class="tools-row">
          <IconButton icon="up" label={t("rule.up", { n: place + 1 })} disabled={place === 0} onClick={() => move(-1)} />
          <IconButton icon="down" label={t("rule.down", { n: place + 1 })} disabled={last} onClick={() => move(1)} />
          <IconButton icon="edit" label={t("rule.editOne", { n: place + 1 })} onClick={edit} />
          <IconButton icon="trash" label={t("rule.delete", { n: place + 1 })} onClick={remove} />
        </span>
      ) : null}
    </li>
  );
}

/** Which visitors are sent elsewhere: the first rule that holds counts. */
export function Rules({ link }: { link: Link }) {
  const found = useLoad(async (signal) => (await api.get("/links/{link_id}/rules", { in: { link_id: link.id }, query: { limit: 100 }, signal })).sort((a, b) => a.rank - b.rank), [link.id]);
  const [opened, setOpened] = useState<Rule | "new" | undefined>(undefined);
  const rules = found.data ?? [];
  const editable = mayEdit(link) && has("links.rules");
  const move = (from: number, by: number) =>
    attempt(async () => {
      const order = [...rules];
      const [moved] = order.splice(from, 1);
      if (moved) order.splice(from + by, 0, moved);
      found.set(() => order);
      for (const [rank, rule] of order.entries()) {
        if (rule.rank !== rank) await api.post("/links/{link_id}/rules/{rule_id}", { in: { link_id: link.id, rule_id: rule.id }, body: { rank } });
      }
      found.reload();
    });
  const remove = (rule: Rule) =>
    attempt(async () => {
      await api.delete("/links/{link_id}/rules/{rule_id}", { in: { link_id: link.id, rule_id: rule.id } });
      found.reload();
      const { destination, rank, condition } = rule;
      toast(t("rule.deleted"), {
        undo: () =>
          void attempt(async () => {
            await api.post("/links/{link_id}/rules", { in: { link_id: link.id }, body: { destination, rank, condition } });
            found.reload();
          }),
      });
    });
  const add = editable ? (
    <button type="button" class="button primary" onClick={() => setOpened("new")}>
      <Icon name="plus" />
      {t("rule.new")}
    </button>
  ) : null;
  return (
    <>
      <p class="lead">{t("rules.text")}</p>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton /> : null}
      {found.data && rules.length === 0 ? (
        <Empty icon="route" title={t("rules.empty")} text={t("rules.emptyText")}>
          {add}
        </Empty>
      ) : null}
      {rules.length > 0 ? (
        <>
          <ol class="rows" aria-busy={found.loading}>
            {rules.map((rule, place) => (
              <Row key={rule.id} rule={rule} place={place} last={place === rules.length - 1} editable={editable} move={(by) => void move(place, by)} edit={() => setOpened(rule)} remove={() => void remove(rule)} />
            ))}
            <li class="row else">
              <span class="row-main">
                <strong>{t("rules.else")}</strong>
                <bdi class="muted">{link.destination}</bdi>
              </span>
            </li>
          </ol>
          {add}
        </>
      ) : null}
      {found.data ? (
        <div class="card explain">
          <Preview link={link} version={found.data} explain />
        </div>
      ) : null}
      {opened ? <RuleDialog link={link} rule={opened === "new" ? undefined : opened} rank={(rules.at(-1)?.rank ?? -1) + 1} onClose={() => setOpened(undefined)} saved={found.reload} /> : null}
    </>
  );
}

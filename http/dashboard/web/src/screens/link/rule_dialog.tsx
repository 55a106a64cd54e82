import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Link, Rule, RuleComparison } from "../../api/types";
import { Checkbox, Select, TextField } from "../../components/field";
import { useForm, type Form } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { Icon } from "../../components/icon";
import { labelOf } from "../../statistics/values";
import { t } from "../../text";
import { operatorsOf, PROPERTIES, propertyOf, VALUES, type Property } from "./conditions";

const EMPTY: RuleComparison = { property: "req.country", operator: "in", values: [] };

function Condition({ index, comparison, set, remove, form }: { index: number; comparison: RuleComparison; set: (changed: RuleComparison) => void; remove: (() => void) | undefined; form: Form }) {
  const property = propertyOf(comparison);
  const listed = VALUES[property];
  const where = `condition.and[${index}]`;
  const by = property.slice("req.".length) as "device" | "os" | "browser";
  const wrong = form.error(`${where}.values`, `${where}.values[0]`, where);
  return (
    <fieldset class="condition">
      <Select
        label={t("rule.property")}
        value={property}
        error={form.error(`${where}.property`)}
        choices={PROPERTIES.map((one) => ({ value: one, label: t(`rule.property.${one}`) }))}
        onValue={(chosen) => set({ property: chosen === "req.query" ? "req.query.ref" : chosen, operator: "in", values: [] })}
      />
      <Select label={t("rule.operator")} value={comparison.operator} error={form.error(`${where}.operator`)} choices={operatorsOf(property).map((one) => ({ value: one, label: t(`rule.operator.${one as "in"}`) }))} onValue={(operator) => set({ ...comparison, operator })} />
      {property === "req.query" ? <TextField label={t("rule.parameterName")} value={comparison.property.slice("req.query.".length)} onValue={(name) => set({ ...comparison, property: `req.query.${name.trim()}` })} /> : null}
      {listed ? (
        <div class="tag-choice" role="group" aria-label={t("rule.values")}>
          <div class="tag-choice-list">
            {listed.map((value) => (
              <Checkbox key={value} label={labelOf(by, value)} checked={comparison.values.includes(value)} onChecked={(on) => set({ ...comparison, values: on ? [...comparison.values, value] : comparison.values.filter((one) => one !== value) })} />
            ))}
          </div>
          {wrong ? <p class="field-error">{wrong}</p> : null}
        </div>
      ) : (
        <TextField label={t("rule.values")} hint={t(`rule.hint.${property as Exclude<Property, "req.device" | "req.os" | "req.browser">}`)} error={wrong} value={comparison.values.join(", ")} onValue={(text) => set({ ...comparison, values: text.split(/,\s*/).filter((one, place, all) => one || place < all.length - 1 || all.length > 1) })} />
      )}
      {remove ? (
        <button type="button" class="button small" onClick={remove}>
          <Icon name="close" />
          {t("rule.removeCondition")}
        </button>
      ) : null}
    </fieldset>
  );
}

/** Makes a rule, at the end of the others, or changes one. */
export function RuleDialog({ link, rule, rank, onClose, saved }: { link: Link; rule?: Rule | undefined; rank: number; onClose: () => void; saved: () => void }) {
  const [destination, setDestination] = useState(rule?.destination ?? "");
  const [before] = useState<readonly RuleComparison[]>(rule?.condition.and ?? [EMPTY]);
  const [conditions, setConditions] = useState(before);
  const shown = ["destination", ...conditions.flatMap((_, index) => ["", ".values", ".values[0]", ".property", ".operator"].map((part) => `condition.and[${index}]${part}`))];
  const form = useForm(shown);
  const save = async () => {
    const and = conditions.map((one) => ({ ...one, values: one.values.map((value) => value.trim()).filter(Boolean) }));
    const done = await form.send(() =>
      rule
        ? api.post("/links/{link_id}/rules/{rule_id}", { in: { link_id: link.id, rule_id: rule.id }, body: { destination, condition: { and } } })
        : api.post("/links/{link_id}/rules", { in: { link_id: link.id }, body: { destination, rank, condition: { and } } }),
    );
    if (!done) return;
    saved();
    onClose();
  };
  const dirty = destination !== (rule?.destination ?? "") || JSON.stringify(conditions) !== JSON.stringify(before);
  return (
    <FormDialog side title={rule ? t("rule.edit") : t("rule.new")} action={t("save")} form={form} dirty={dirty} save={save} onClose={onClose}>
      <TextField label={t("link.destination")} type="url" inputmode="url" autofocus value={destination} onValue={setDestination} error={form.error("destination")} />
      <p class="lead">{t("rule.allHold")}</p>
      {conditions.map((one, index) => (
        <Condition
          key={index}
          index={index}
          comparison={one}
          form={form}
          set={(changed) => setConditions(conditions.map((old, place) => (place === index ? changed : old)))}
          remove={conditions.length > 1 ? () => setConditions(conditions.filter((_, place) => place !== index)) : undefined}
        />
      ))}
      <button type="button" class="button small" onClick={() => setConditions([...conditions, EMPTY])}>
        <Icon name="plus" />
        {t("rule.addCondition")}
      </button>
    </FormDialog>
  );
}

import { useEffect } from "preact/hooks";
import { Popover } from "../../components/popover";
import { Select, TextField } from "../../components/field";
import { onlyFirst } from "../../components/narrow";
import { go, place, withQuery } from "../../router";
import { t } from "../../text";
import type { Names } from "./filters";

function Filters({ names, look }: { names: Names | undefined; look: () => void }) {
  useEffect(look, []);
  const query = place.value.query;
  const set = (name: string) => (value: string) => go(withQuery({ [name]: value, last: "", page: "" }));
  const any = { value: "", label: t("filter.any") };
  return (
    <div class="filter-form two">
      <Select label={t("filter.tag")} value={query.get("tag") ?? ""} onValue={set("tag")} hint={onlyFirst(names?.tags.more)} choices={[any, ...(names?.tags.items ?? []).map((one) => ({ value: one.id, label: one.name }))]} />
      <Select label={t("filter.domain")} value={query.get("domain") ?? ""} onValue={set("domain")} hint={onlyFirst(names?.domains.more)} choices={[any, ...(names?.domains.items ?? []).map((one) => ({ value: one.id, label: one.fullName }))]} />
      <Select label={t("filter.creator")} value={query.get("creator") ?? ""} onValue={set("creator")} hint={onlyFirst(names?.people.more)} choices={[any, ...(names?.people.items ?? []).map((one) => ({ value: one.id, label: one.fullName || one.username }))]} />
      <Select
        label={t("filter.favourite")}
        value={query.get("favourite") ?? ""}
        onValue={set("favourite")}
        choices={[any, { value: "true", label: t("yes") }, { value: "false", label: t("no") }]}
      />
      <Select
        label={t("filter.status")}
        value={query.get("status") ?? ""}
        onValue={set("status")}
        choices={[
          { value: "", label: t("filter.active") },
          { value: "trashed", label: t("filter.ended") },
          { value: "all", label: t("filter.all") },
        ]}
      />
      <TextField label={t("filter.from")} type="date" value={query.get("from") ?? ""} onValue={set("from")} />
      <TextField label={t("filter.to")} type="date" value={query.get("to") ?? ""} onValue={set("to")} />
    </div>
  );
}

/** Every filter at one place; each holds as soon as it is chosen. `look` is called when it is opened. */
export function FilterButton({ names, look }: { names: Names | undefined; look: () => void }) {
  return (
    <Popover icon="filter" label={t("filters")}>
      {() => <Filters names={names} look={look} />}
    </Popover>
  );
}

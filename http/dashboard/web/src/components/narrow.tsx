import { EVERY_MAX, type Narrowed } from "../api/every";
import { t } from "../text";
import { Icon } from "./icon";
import { ProblemBox } from "./problem";

const LONG = 20; // entries, from which on a list is searched rather than read

/** Stands above a list to choose from: a field that finds entries of a long one, and what is not there. */
export function Narrow<T>({ list, label }: { list: Narrowed<T>; label: string }) {
  const shown = list.term !== "" || (list.data?.items.length ?? 0) > LONG;
  return (
    <>
      {list.problem ? <ProblemBox problem={list.problem} retry={list.reload} /> : null}
      {shown ? (
        <div class="search low-gap">
          <Icon name="search" />
          <input type="search" dir="auto" aria-label={label} placeholder={label} value={list.term} onInput={(event) => list.narrow(event.currentTarget.value)} />
        </div>
      ) : null}
      {list.data?.more ? <p class="field-hint">{t("every.search", { n: EVERY_MAX })}</p> : null}
      {list.data?.items.length === 0 && list.term ? <p class="muted">{t("every.none")}</p> : null}
    </>
  );
}

/** The word below a menu of a list that is longer. */
export function onlyFirst(more: boolean | undefined): string | undefined {
  return more ? t("every.more", { n: EVERY_MAX }) : undefined;
}

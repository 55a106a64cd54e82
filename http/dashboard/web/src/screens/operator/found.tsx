// A list that is searched on the server, with a button for more of it.
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { Empty } from "../../components/empty";
import { ProblemBox } from "../../components/problem";
import { Search, searched } from "../../components/search";
import { Skeleton } from "../../components/skeleton";
import { Table, type Column } from "../../components/table";
import { attempt } from "../../components/toast";
import { t } from "../../text";

interface Found<T> {
  items: T[];
  next: string;
}

export interface Searched<T> {
  found: ReturnType<typeof useLoad<Found<T>>>;
  more: () => void;
  /** Puts what a change has given in place of the row before. */
  put: (row: T) => void;
}

export function useSearched<T extends { id: string }>(what: string): Searched<T> {
  const term = searched();
  const address = (after: string) => `/operator/${what}?${new URLSearchParams({ term, after }).toString()}`;
  const found = useLoad((signal) => ask<Found<T>>("GET", address(""), undefined, signal), [what, term]);
  const more = () =>
    void attempt(async () => {
      const page = await ask<Found<T>>("GET", address(found.data?.next ?? ""));
      found.set((old) => ({ items: [...old.items, ...page.items], next: page.next }));
    });
  const put = (row: T) => found.set((old) => ({ ...old, items: old.items.map((one) => (one.id === row.id ? row : one)) }));
  return { found, more, put };
}

export function SearchedList<T extends { id: string }>({ list, columns, caption }: { list: Searched<T>; columns: Column<T>[]; caption: string }) {
  const { found } = list;
  return (
    <>
      <div class="toolbar">
        <Search label={t("operator.search")} />
      </div>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!found.data && found.loading ? <Skeleton lines={4} /> : null}
      {found.data && found.data.items.length === 0 && !found.data.next ? <Empty icon="search" title={t("operator.none")} text={t("list.tryOther")} /> : null}
      {found.data && found.data.items.length > 0 ? <Table caption={caption} columns={columns} rows={found.data.items} busy={found.loading} /> : null}
      {found.data?.next ? (
        <button type="button" class="button top-gap" onClick={list.more}>
          {t("operator.more")}
        </button>
      ) : null}
    </>
  );
}

import type { ComponentChildren } from "preact";
import type { Pages } from "../api/pages";
import { Pager } from "./pager";
import { ProblemBox } from "./problem";
import { Skeleton } from "./skeleton";
import { Table, type Column } from "./table";

/** A page of a list: what went wrong, what is being loaded, what stands there when there is nothing, or the rows. */
export function List<Row extends { id: string }>({ caption, columns, pages, count, empty }: { caption: string; columns: readonly Column<Row>[]; pages: Pages<Row>; count?: number | undefined; empty: ComponentChildren }) {
  const rows = pages.data ?? [];
  return (
    <>
      {pages.problem ? <ProblemBox problem={pages.problem} retry={pages.reload} /> : null}
      {!pages.data && pages.loading ? <Skeleton lines={6} /> : null}
      {pages.data && rows.length === 0 ? empty : null}
      {rows.length > 0 ? <Table caption={caption} columns={columns} rows={rows} busy={pages.loading} /> : null}
      <Pager first={pages.first} shown={rows.length} count={count} back={pages.back} next={pages.next} />
    </>
  );
}

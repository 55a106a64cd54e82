import type { ComponentChildren } from "preact";
import { t } from "../text";

export interface Column<Row> {
  /** Says what the column is; on a narrow screen it stands before the value. */
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** "number" stands at the right; "main" is the first that one reads; "tools" are buttons. */
  kind?: "number" | "main" | "tools";
}

interface Selection {
  chosen: ReadonlySet<string>;
  choose: (ids: readonly string[], on: boolean) => void;
  /** What the checkbox of a row is called. */
  label: (index: number) => string;
}

/** Rows with columns; below 700 pixels each row is a card. */
export function Table<Row extends { id: string }>({ caption, columns, rows, select, busy }: { caption: string; columns: readonly Column<Row>[]; rows: readonly Row[]; select?: Selection | undefined; busy?: boolean }) {
  const all = rows.length > 0 && rows.every((row) => select?.chosen.has(row.id));
  const some = rows.some((row) => select?.chosen.has(row.id));
  return (
    <div class="table-frame" aria-busy={busy ?? false}>
      <table class="table">
        <caption class="only-read">{caption}</caption>
        <thead>
          <tr>
            {select ? (
              <th scope="col" class="choose">
                <input
                  type="checkbox"
                  aria-label={t("choose.all")}
                  checked={all}
                  ref={(element) => {
                    if (element) element.indeterminate = some && !all;
                  }}
                  onChange={() => select.choose(rows.map((row) => row.id), !all)}
                />
              </th>
            ) : null}
            {columns.map((column) => (
              <th key={column.title} scope="col" class={column.kind}>
                {column.kind === "tools" ? <span class="only-read">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={row.id} class={select?.chosen.has(row.id) ? "chosen" : undefined}>
              {select ? (
                <td class="choose">
                  <input type="checkbox" aria-label={select.label(index)} checked={select.chosen.has(row.id)} onChange={(event) => select.choose([row.id], event.currentTarget.checked)} />
                </td>
              ) : null}
              {columns.map((column) => (
                <td key={column.title} class={column.kind} data-title={column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

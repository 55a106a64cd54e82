// Lists of which one page is shown at a time, by the id of the last item of the page before.
import { useEffect, useMemo, useState } from "preact/hooks";
import { useLoad, type Loaded } from "./load";

export const PAGE = 25;

export interface PageQuery {
  limit: number;
  last?: string;
}

export interface Pages<T> extends Loaded<T[]> {
  /** How many items stand before the page. */
  first: number;
  back: (() => void) | undefined;
  next: (() => void) | undefined;
}

/** Begins with the first page again when `on` changes. One item more than a page is asked for, to know of a next one. */
export function usePages<T extends { id: string }>(question: (page: PageQuery, signal: AbortSignal) => Promise<T[]>, on: readonly unknown[]): Pages<T> {
  const key = JSON.stringify(on);
  const [before, setBefore] = useState<{ key: string; cursors: readonly string[] }>({ key, cursors: [] });
  const cursors = before.key === key ? before.cursors : [];
  const last = cursors.at(-1);
  const found = useLoad((signal) => question({ limit: PAGE + 1, ...(last ? { last } : {}) }, signal), [key, last]);
  useEffect(() => setBefore((old) => (old.key === key ? old : { key, cursors: [] })), [key]);
  const shown = useMemo(() => found.data?.slice(0, PAGE), [found.data]);
  const turn = (to: readonly string[]) => {
    setBefore({ key, cursors: to });
    scrollTo(0, 0);
  };
  const end = shown?.at(-1)?.id;
  return {
    ...found,
    data: shown,
    first: cursors.length * PAGE,
    back: cursors.length > 0 ? () => turn(cursors.slice(0, -1)) : undefined,
    next: (found.data?.length ?? 0) > PAGE && end ? () => turn([...cursors, end]) : undefined,
  };
}

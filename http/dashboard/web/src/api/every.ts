// Lists that one chooses from: read to their end, a page after the other, but no further than a bound.
import { useEffect, useState } from "preact/hooks";
import { useLoad, type Loaded } from "./load";
import type { PageQuery } from "./pages";

export const EVERY_MAX = 1000;
const AT_ONCE = 100; // as many as one call answers
const ASKED_AFTER = 200; // milliseconds without another key

export interface Every<T> {
  items: readonly T[];
  /** There are more than these. */
  more: boolean;
}

export async function every<T extends { id: string }>(ask: (page: PageQuery) => Promise<T[]>): Promise<Every<T>> {
  const items: T[] = [];
  for (;;) {
    const last = items.at(-1)?.id;
    const page = await ask({ limit: AT_ONCE, ...(last ? { last } : {}) });
    const more = items.length + page.length > EVERY_MAX;
    items.push(...page.slice(0, EVERY_MAX - items.length));
    if (more || page.length < AT_ONCE) return { items, more };
  }
}

export interface Narrowed<T> extends Loaded<Every<T>> {
  /** What a name has to contain. */
  term: string;
  narrow: (term: string) => void;
}

/** All of a list, or what of it has a term in its name, which the server looks for. */
export function useEvery<T extends { id: string }>(ask: (page: PageQuery & { term?: string }, signal: AbortSignal) => Promise<T[]>, on: readonly unknown[] = []): Narrowed<T> {
  const [term, narrow] = useState("");
  const [asked, setAsked] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => setAsked(term.trim()), ASKED_AFTER);
    return () => clearTimeout(timer);
  }, [term]);
  const found = useLoad((signal) => every((page) => ask({ ...page, ...(asked ? { term: asked } : {}) }, signal)), [...on, asked]);
  return { ...found, term, narrow };
}

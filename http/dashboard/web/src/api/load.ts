// What a screen shows is asked for when it appears and again when what it depends on changes.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Problem } from "./client";

export interface Loaded<T> {
  /** The last answer; it stays while the next one is on its way, and when that fails. */
  data: T | undefined;
  problem: Problem | undefined;
  loading: boolean;
  /** Asks again. */
  reload: () => void;
  /** Puts something else in place of the answer, such as what a change has just given. */
  set: (change: (old: T) => T) => void;
}

/** What a failed action is as a Problem; mistakes of our own are thrown on. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

export function useLoad<T>(question: (signal: AbortSignal) => Promise<T>, on: readonly unknown[]): Loaded<T> {
  const [state, setState] = useState<{ data?: T; problem?: Problem; loading: boolean }>({ loading: true });
  const [turn, setTurn] = useState(0);
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    const aborter = new AbortController();
    setState((old) => ({ ...old, loading: true }));
    latest.current(aborter.signal).then(
      (data) => {
        if (!aborter.signal.aborted) setState({ data, loading: false });
      },
      (error: unknown) => {
        if (aborter.signal.aborted) return;
        setState((old) => ({ ...old, problem: asProblem(error), loading: false }));
      },
    );
    return () => aborter.abort();
  }, [...on, turn]);
  const reload = useCallback(() => setTurn((old) => old + 1), []);
  const set = useCallback((change: (old: T) => T) => {
    setState((old) => (old.data === undefined ? old : { ...old, data: change(old.data) }));
  }, []);
  return { data: state.data, problem: state.problem, loading: state.loading, reload, set };
}

/** A part of the program that is loaded when it is needed: `useLater(() => import("./part"))`. */
export function useLater<T>(part: () => Promise<T>): Loaded<T> {
  const load = () =>
    part().catch(() => {
      throw new Problem(0, "Offline", "");
    });
  return useLoad(load, []);
}

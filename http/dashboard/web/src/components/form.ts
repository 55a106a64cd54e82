// What a form keeps in common with every other: which fields were refused, and whether it is on its way.
import { useState } from "preact/hooks";
import type { Problem } from "../api/client";
import { asProblem } from "../api/load";
import { fieldSentence } from "./field";

export interface Form {
  busy: boolean;
  /** What went wrong as a whole, or at fields that the form does not show. */
  problem: Problem | undefined;
  /** The sentence at a field, by any of the names that the API has for it. */
  error: (...properties: string[]) => string | undefined;
  /** Sends it; answers whether it was taken. */
  send: (action: () => Promise<unknown>) => Promise<boolean>;
  /** The field is being changed: what was said of it holds no longer. */
  clear: (...properties: string[]) => void;
}

/** `shown` are the fields that the form shows errors at by itself. */
export function useForm(shown: readonly string[]): Form {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [cleared, setCleared] = useState<readonly string[]>([]);
  const error = (...properties: string[]) => {
    const found = problem?.fields.find((one) => properties.includes(one.property) && !cleared.includes(one.property));
    return found && fieldSentence(found);
  };
  const send = async (action: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    setCleared([]);
    try {
      await action();
      return true;
    } catch (failure) {
      setProblem(asProblem(failure));
      setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
      return false;
    } finally {
      setBusy(false);
    }
  };
  const elsewhere = problem && (problem.fields.length === 0 || problem.fields.some((one) => !shown.includes(one.property)));
  return { busy, problem: elsewhere ? problem : undefined, error, send, clear: (...properties) => setCleared((old) => [...old, ...properties]) };
}

import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../api/client";
import { t } from "../text";
import { Icon } from "./icon";

/** What went wrong, in one sentence that says what to do. */
export function sentenceOf(problem: Problem): string {
  if (problem.status === 0) return t("problem.offline");
  if (problem.status === 401) return t("problem.signedOut");
  if (problem.status === 429) return t("problem.tooMany");
  if (problem.status === 404) return t("problem.notFound");
  if (problem.status >= 500) return t("problem.server", { n: problem.status });
  if (problem.code === "Forbidden") return t("problem.forbidden");
  if (problem.code === "FeatureNotIncluded") return t("problem.feature");
  if (problem.code === "LimitReached") return t("problem.limit");
  const said = problem.fields.map((one) => one.verbose || one.message).join(" ");
  return said || problem.message || t("problem.other", { n: problem.status });
}

/** A part of a screen that could not be loaded, with a button that tries again. */
export function ProblemBox({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const [wait, setWait] = useState(problem.retryAfter);
  useEffect(() => {
    setWait(problem.retryAfter);
    const timer = setInterval(() => setWait((old) => Math.max(0, old - 1)), 1000);
    return () => clearInterval(timer);
  }, [problem]);
  return (
    <div class="problem" role="alert">
      <Icon name="alert" />
      <p dir="auto">{sentenceOf(problem)}</p>
      {retry ? (
        <button type="button" class="button" onClick={retry} disabled={wait > 0}>
          {wait > 0 ? t("retryIn", { n: wait }) : t("retry")}
        </button>
      ) : null}
    </div>
  );
}

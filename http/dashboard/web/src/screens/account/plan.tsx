import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { t } from "../../text";
import { number } from "../../text/formats";

const WITHOUT_BOUND = 2_147_483_647; // what the API says for a limit that there is not
const LIMITS = ["links", "workspaces", "domains", "teammates", "tags", "scripts"] as const;

function Bar({ name, used, included }: { name: string; used: number; included: number }) {
  const bounded = included < WITHOUT_BOUND;
  const text = bounded ? t("plan.usedOf", { used, n: included }) : t("plan.used", { used });
  return (
    <div class={bounded && used >= included ? "limit full" : "limit"}>
      <dt>{name}</dt>
      <dd>
        <span>{text}</span>
        {bounded ? <meter min={0} max={Math.max(included, 1)} high={included * 0.9} optimum={0} value={Math.min(used, included)} aria-label={`${name}: ${text}`} /> : null}
      </dd>
    </div>
  );
}

/** The plan's name and how much of it is used. */
export function Plan() {
  const found = useLoad((signal) => api.get("/account", { signal }), []);
  const plan = found.data?.subscription;
  return (
    <section class="card">
      <header class="card-head">
        <h2>{t("plan.title")}</h2>
        {plan ? (
          <span class="badge">
            <bdi>{plan.category}</bdi>
          </span>
        ) : null}
      </header>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!plan && found.loading ? <Skeleton lines={3} /> : null}
      {plan ? (
        <>
          <dl class="limits">
            {LIMITS.map((one) => (
              <Bar key={one} name={t(`plan.${one}`)} {...plan.limits[one]} />
            ))}
            <Bar name={t("plan.clicks")} {...plan.limits.cycle.clicks} />
          </dl>
          <p class="field-hint top-gap">{t("plan.totals", { clicks: number(found.data?.clicks ?? 0), sessions: number(found.data?.sessions ?? 0) })}</p>
        </>
      ) : null}
    </section>
  );
}

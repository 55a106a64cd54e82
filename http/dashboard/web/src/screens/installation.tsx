// What operators of the installation see, loaded when they go there.
import { useLater } from "../api/load";
import { Page } from "../components/page";
import { ProblemBox } from "../components/problem";
import { Skeleton } from "../components/skeleton";
import { Tabs } from "../components/tabs";
import { t } from "../text";

const TABS = ["health", "accounts", "plans", "workspaces", "domains"] as const;

export function Installation({ tab = "health" }: { tab?: string }) {
  const current = TABS.find((one) => one === tab) ?? "health";
  const found = useLater(() => import("./operator"));
  const Part = found.data?.parts[current];
  return (
    <Page title={t("nav.installation")}>
      <Tabs label={t("operator.parts")} tabs={TABS.map((one) => ({ address: one === "health" ? "/installation" : `/installation/${one}`, label: t(`operator.part.${one}`), current: one === current }))} />
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {Part ? <Part key={current} /> : found.problem ? null : <Skeleton lines={4} />}
    </Page>
  );
}

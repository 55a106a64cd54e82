import { Page } from "../../components/page";
import { Tabs } from "../../components/tabs";
import { t } from "../../text";
import { Applications } from "./applications";
import { Keys } from "./keys";
import { Plan } from "./plan";
import { Profile } from "./profile";
import { Security } from "./security";

const TABS = ["profile", "security", "keys", "applications"] as const;

export function AccountScreen({ tab = "profile" }: { tab?: string }) {
  const current = TABS.find((one) => one === tab) ?? "profile";
  return (
    <Page title={t("nav.account")}>
      <Tabs label={t("account.parts")} tabs={TABS.map((one) => ({ address: one === "profile" ? "/account" : `/account/${one}`, label: t(`account.part.${one}`), current: one === current }))} />
      {current === "profile" ? (
        <div class="stack">
          <Profile />
          <Plan />
        </div>
      ) : null}
      {current === "security" ? <Security /> : null}
      {current === "keys" ? <Keys /> : null}
      {current === "applications" ? <Applications /> : null}
    </Page>
  );
}

import { Avatar } from "../../components/avatar";
import { Page } from "../../components/page";
import { Tabs } from "../../components/tabs";
import { session } from "../../state";
import { t } from "../../text";
import { Keys } from "./keys";
import { Plan } from "./plan";
import { Security } from "./security";

const TABS = ["profile", "security", "keys"] as const;

function Profile() {
  const account = session.value?.account;
  if (!account) return null;
  const facts = [
    [t("account.fullName"), account.fullName || "–"],
    [t("account.username"), account.username],
    [t("account.email"), account.email || "–"],
  ] as const;
  return (
    <section class="card">
      <div class="person-cell">
        <Avatar name={account.fullName || account.username} />
        <h2>
          <bdi>{account.fullName || account.username}</bdi>
        </h2>
      </div>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <bdi>{value}</bdi>
            </dd>
          </div>
        ))}
      </dl>
      <p class="field-hint top-gap">{t("account.changedBy")}</p>
    </section>
  );
}

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
    </Page>
  );
}

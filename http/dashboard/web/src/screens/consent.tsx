// Asks whether an application of others may act for who is signed in, and sends the browser back to it.
import { useEffect, useState } from "preact/hooks";
import { ask } from "../api/client";
import { useLoad } from "../api/load";
import { Select } from "../components/field";
import { onlyFirst } from "../components/narrow";
import { ProblemBox } from "../components/problem";
import { attempt, Toasts } from "../components/toast";
import { moreWorkspaces, session, signOut, workspaces } from "../state";
import { t } from "../text";
import { scopeWords } from "./account/types";
import { LanguageChoice, Logo, Reason } from "./sign_in";

/** Where the browser goes on: to an address, or there with a form that is posted. */
interface Answer {
  address: string;
  fields?: Record<string, string>;
}

interface Asked {
  application: { id: string; name: string; website: string; registeredBy: string };
  scopes: string[];
  returnsTo: string;
  /** Not when it was allowed all of that before. */
  asks: boolean;
}

function goOn({ address, fields }: Answer): void {
  if (!fields) {
    location.assign(address);
    return;
  }
  const form = document.createElement("form");
  form.method = "post";
  form.action = address;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}

export function Consent() {
  const query = location.search;
  const found = useLoad((signal) => ask<Partial<Asked> & { answer?: Answer }>("POST", "/connect/authorize/shown", { query }, signal), [query]);
  const [workspace, setWorkspace] = useState("");
  const [busy, setBusy] = useState(false);
  const asked = found.data?.application ? (found.data as Asked) : undefined;
  const decide = async (allow: boolean) => {
    setBusy(true);
    const done = await attempt(async () => goOn((await ask<{ answer: Answer }>("POST", "/connect/authorize", { query, allow, ...(workspace ? { workspace } : {}) })).answer));
    if (!done) setBusy(false);
  };
  useEffect(() => {
    document.title = `${t("consent.page")} · ${t("app")}`;
  }, []);
  useEffect(() => {
    if (found.data?.answer) goOn(found.data.answer);
    else if (asked && !asked.asks) void decide(true);
  }, [found.data]);
  const unknown = found.problem?.code === "UnknownApplication" || found.problem?.code === "UnknownRedirect";
  const name = asked?.application.name ?? "";
  return (
    <>
      <main class="alone">
        <section class="card sign-in">
          <Logo />
          <h1 dir="auto">{asked ? t("consent.title", { name }) : t("consent.page")}</h1>
          {found.problem && !unknown ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
          {unknown ? <Reason text={t("consent.unknown")} /> : null}
          {!found.problem && !asked?.asks ? <p class="muted">{t("loading")}</p> : null}
          {asked?.asks ? (
            <>
              <p class="break" dir="auto">
                {t("consent.who", { name, by: asked.application.registeredBy })}
              </p>
              {asked.application.website ? <p class="muted break">{asked.application.website}</p> : null}
              <h2 class="low-gap">{t("consent.may")}</h2>
              <ul>
                <li>{t("consent.account")}</li>
                {asked.scopes.map((scope) => (
                  <li key={scope}>{scopeWords(scope)}</li>
                ))}
              </ul>
              <Select label={t("workspace")} hint={onlyFirst(moreWorkspaces.value)} value={workspace} onValue={setWorkspace} choices={[{ value: "", label: t("keys.allWorkspaces") }, ...workspaces.value.map((one) => ({ value: one.id, label: one.name }))]} />
              <div class="actions">
                <button type="button" class="button primary" disabled={busy} onClick={() => void decide(true)}>
                  {t("consent.allow")}
                </button>
                <button type="button" class="button" disabled={busy} onClick={() => void decide(false)}>
                  {t("consent.deny")}
                </button>
              </div>
              <p class="muted break" dir="auto">
                {t("consent.returns", { address: asked.returnsTo })}
              </p>
              <p class="muted break" dir="auto">
                {t("consent.as", { user: session.value?.account.username ?? "" })}{" "}
                <button type="button" class="button small" onClick={() => void attempt(signOut)}>
                  {t("invitePage.signOut")}
                </button>
              </p>
            </>
          ) : null}
        </section>
        <LanguageChoice />
      </main>
      <Toasts />
    </>
  );
}

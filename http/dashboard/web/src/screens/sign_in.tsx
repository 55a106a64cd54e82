import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, type Problem } from "../api/client";
import { asProblem } from "../api/load";
import { Select, TextField } from "../components/field";
import { Icon } from "../components/icon";
import { sentenceOf } from "../components/problem";
import { goToProvider, learnProvider, provider, sessionEnded, signIn, type SignInBy } from "../state";
import { isKey, language, languages, setLanguage, t, type Language } from "../text";

function reasonOf(problem: Problem): string {
  if (problem.status === 401) return t("signIn.failed");
  if (problem.status === 429) return t("signIn.tooMany", { n: Math.ceil(problem.retryAfter / 60) || 1 });
  return sentenceOf(problem);
}

/** Why somebody who has come back from the provider, or wanted to go there, is not signed in. */
export function providerReason(problem: Problem): string {
  const name = provider.value ?? "";
  const key = `provider.problem.${problem.code}`;
  if (isKey(key)) return t(key, { name });
  if (problem.status === 503) return t("provider.silent", { name });
  return reasonOf(problem);
}

export function Logo() {
  return (
    <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M19 7 13 25" />
    </svg>
  );
}

export function LanguageChoice() {
  return (
    <div class="sign-in-language">
      <Select label={t("language")} value={language.value} choices={Object.entries(languages).map(([value, label]) => ({ value, label }))} onValue={(chosen) => void setLanguage(chosen as Language).catch(() => {})} />
    </div>
  );
}

/** What went wrong as a whole. */
export function Reason({ text }: { text: string }) {
  if (!text) return null;
  return (
    <p class="note bad" role="alert">
      <Icon name="alert" />
      {text}
    </p>
  );
}

/** The second half of signing in, for who has a second factor. */
function CodeForm({ by, second, back }: { by: SignInBy; second: boolean; back: () => void }) {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState("");
  const [reason, setReason] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = `${t("signIn.codeTitle")} · ${t("app")}`;
    document.querySelector<HTMLInputElement>("input[name=code]")?.focus();
  }, []);
  const send = async () => {
    setBusy(true);
    setReason("");
    try {
      await signIn(by, code.trim());
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 401) setWrong(t("signIn.codeWrong"));
      else setReason(reasonOf(problem));
      setBusy(false);
      document.querySelector<HTMLInputElement>("input[name=code]")?.focus();
    }
  };
  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {second ? null : <Logo />}
      {second ? <h2>{t("signIn.codeTitle")}</h2> : <h1>{t("signIn.codeTitle")}</h1>}
      <p class="muted">{t("signIn.codeText")}</p>
      <Reason text={reason} />
      <TextField
        label={t("signIn.code")}
        name="code"
        autocomplete="one-time-code"
        autocapitalize="none"
        spellcheck={false}
        required
        maxLength={40}
        value={code}
        onValue={(value) => {
          setCode(value);
          setWrong("");
        }}
        error={wrong || undefined}
        hint={t("signIn.codeHint")}
      />
      <button type="submit" class="button primary wide" disabled={busy}>
        {t("signIn")}
      </button>
      <button type="button" class="button quiet wide" onClick={back}>
        {t("signIn.back")}
      </button>
      <details>
        <summary>{t("signIn.codeLost")}</summary>
        <p class="muted">{t("signIn.codeLostText")}</p>
      </details>
    </form>
  );
}

/** `first` is what went wrong before; `second`: the page has its title already. */
function PasswordForm({ first, second, askForCode }: { first: string; second: boolean; askForCode: (by: SignInBy) => void }) {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [reason, setReason] = useState(first);
  const [busy, setBusy] = useState(false);
  const [mail, setMail] = useState<"offered" | "sent" | "none">("offered");
  useEffect(() => {
    document.title = `${t("signIn")} · ${t("app")}`;
    document.querySelector<HTMLInputElement>("input[name=user]")?.focus();
    void learnProvider();
  }, []);
  const doing = async (action: () => Promise<void>, why = reasonOf) => {
    setBusy(true);
    setReason("");
    try {
      await action();
    } catch (error) {
      setReason(why(asProblem(error)));
    } finally {
      setBusy(false);
    }
  };
  const enter = async () => {
    try {
      await signIn({ user, password });
    } catch (error) {
      if (asProblem(error).code !== "CodeRequired") throw error;
      askForCode({ user, password });
    }
  };
  const sendMail = () =>
    doing(async () => {
      try {
        await ask("POST", "/session/mail", { user });
        setMail("sent");
      } catch (error) {
        if (asProblem(error).code !== "NoMail") throw error;
        setMail("none");
        setReason(t("signIn.noMail"));
      }
    });
  return (
    <form
      class="card sign-in"
      onSubmit={(event) => {
        event.preventDefault();
        void doing(enter);
      }}
    >
      {second ? null : <Logo />}
      {second ? <h2>{t("signIn.title")}</h2> : <h1>{t("signIn.title")}</h1>}
      {sessionEnded.value ? <p class="muted">{t("signIn.ended")}</p> : null}
      <Reason text={reason} />
      {mail === "sent" ? (
        <p class="note" role="status">
          <Icon name="check" />
          {t("signIn.mailSent")}
        </p>
      ) : null}
      <TextField label={t("signIn.user")} name="user" autocomplete="username" autocapitalize="none" spellcheck={false} required value={user} onValue={setUser} />
      <TextField label={t("signIn.password")} name="password" type="password" autocomplete="current-password" required value={password} onValue={setPassword} />
      <button type="submit" class="button primary wide" disabled={busy}>
        {t("signIn")}
      </button>
      {mail === "offered" ? (
        <button type="button" class="button quiet wide" disabled={busy || !user} onClick={() => void sendMail()}>
          {t("signIn.mail")}
        </button>
      ) : null}
      {provider.value ? (
        <button type="button" class="button wide" disabled={busy} onClick={() => void doing(() => goToProvider(), providerReason)}>
          {t("signIn.provider", { name: provider.value })}
        </button>
      ) : null}
      <details>
        <summary>{t("signIn.other")}</summary>
        <p class="muted">{t("signIn.otherText")}</p>
        <code class="line">slashpost-admin sign-in-address {user || "USER"}</code>
      </details>
    </form>
  );
}

/** `token` is of a one-time address whose account has a second factor. */
export function SignIn({ addressFailed, token, providerProblem, above }: { addressFailed?: boolean; token?: string; providerProblem?: Problem | undefined; above?: ComponentChildren }) {
  const [asked, setAsked] = useState<SignInBy | undefined>(token ? { token } : undefined);
  const first = addressFailed ? t("signIn.addressFailed") : providerProblem ? providerReason(providerProblem) : "";
  return (
    <main class="alone">
      {above}
      {asked ? <CodeForm by={asked} second={above !== undefined} back={() => setAsked(undefined)} /> : <PasswordForm first={first} askForCode={setAsked} second={above !== undefined} />}
      <LanguageChoice />
    </main>
  );
}

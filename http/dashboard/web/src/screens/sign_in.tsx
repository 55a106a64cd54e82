import { useEffect, useRef, useState } from "preact/hooks";
import { ask, type Problem } from "../api/client";
import { asProblem } from "../api/load";
import { Select, TextField } from "../components/field";
import { Icon } from "../components/icon";
import { sentenceOf } from "../components/problem";
import { sessionEnded, signIn } from "../state";
import { language, languages, setLanguage, t, type Language } from "../text";

function reasonOf(problem: Problem): string {
  if (problem.status === 401) return t("signIn.failed");
  if (problem.status === 429) return t("signIn.tooMany", { n: Math.ceil(problem.retryAfter / 60) || 1 });
  return sentenceOf(problem);
}

export function SignIn({ addressFailed }: { addressFailed: boolean }) {
  const [user, setUser] = useState("");
  const [password, setPassword] = useState("");
  const [reason, setReason] = useState(addressFailed ? t("signIn.addressFailed") : "");
  const [busy, setBusy] = useState(false);
  const [mail, setMail] = useState<"offered" | "sent" | "none">("offered");
  const first = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${t("signIn")} · ${t("app")}`;
    document.querySelector<HTMLInputElement>("input[name=user]")?.focus();
  }, []);
  const doing = async (action: () => Promise<void>) => {
    setBusy(true);
    setReason("");
    try {
      await action();
    } catch (error) {
      setReason(reasonOf(asProblem(error)));
    } finally {
      setBusy(false);
    }
  };
  const sendMail = () =>
    doing(async () => {
      try {
        await ask("POST", "/session/mail", { user });
        setMail("sent");
      } catch (error) {
        if (asProblem(error).status !== 404) throw error;
        setMail("none");
        setReason(t("signIn.noMail"));
      }
    });
  return (
    <main class="alone">
      <form
        class="card sign-in"
        onSubmit={(event) => {
          event.preventDefault();
          void doing(() => signIn({ user, password }));
        }}
      >
        <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M19 7 13 25" />
        </svg>
        <h1 ref={first}>{t("signIn.title")}</h1>
        {sessionEnded.value ? <p class="muted">{t("signIn.ended")}</p> : null}
        {reason ? (
          <p class="note bad" role="alert">
            <Icon name="alert" />
            {reason}
          </p>
        ) : null}
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
        <details>
          <summary>{t("signIn.other")}</summary>
          <p class="muted">{t("signIn.otherText")}</p>
          <code class="line">slashpost-admin sign-in-address {user || "USER"}</code>
        </details>
      </form>
      <div class="sign-in-language">
        <Select label={t("language")} value={language.value} choices={Object.entries(languages).map(([value, label]) => ({ value, label }))} onValue={(chosen) => setLanguage(chosen as Language)} />
      </div>
    </main>
  );
}

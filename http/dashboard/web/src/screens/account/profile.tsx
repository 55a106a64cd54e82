import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import type { Session } from "../../api/types";
import { Avatar } from "../../components/avatar";
import { Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { CodeField, CurrentPasswordField } from "../../components/secret_fields";
import { toast } from "../../components/toast";
import { session } from "../../state";
import { language, languages, setLanguage, t, type Language } from "../../text";

/** The new address, and then the code that was mailed there. */
function ChangeEmail({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [current, setCurrent] = useState("");
  const [code, setCode] = useState("");
  const [sent, setSent] = useState(false);
  const form = useForm(sent ? ["code"] : ["email", "current"]);
  const send = () =>
    form.send(async () => {
      await ask("PUT", "/session/email", { email, ...(current ? { current } : {}) });
      setSent(true);
    });
  const confirm = async () => {
    const sendCode = async () => {
      session.value = await ask<Session>("POST", "/session/email", { code });
    };
    if (!(await form.send(sendCode))) return;
    toast(t("profile.emailSaved"));
    onClose();
  };
  if (sent) {
    return (
      <FormDialog key="code" title={t("profile.email")} action={t("save")} form={form} dirty={false} save={confirm} onClose={onClose}>
        <p class="low-gap" dir="auto">
          {t("profile.mailSent", { email })}
        </p>
        <CodeField form={form} code={code} setCode={setCode} />
      </FormDialog>
    );
  }
  const asks = session.value?.asksForPassword || form.error("current");
  return (
    <FormDialog key="address" title={t("profile.email")} action={t("profile.sendCode")} form={form} dirty={email !== ""} save={send} onClose={onClose}>
      <TextField
        label={t("profile.newEmail")}
        type="email"
        inputmode="email"
        autofocus
        autocomplete="email"
        maxLength={254}
        value={email}
        onValue={(value) => {
          setEmail(value);
          form.clear("email");
        }}
        error={form.error("email")}
        hint={t("profile.emailHint")}
      />
      {asks ? (
        <CurrentPasswordField form={form} current={current} setCurrent={setCurrent} />
      ) : null}
    </FormDialog>
  );
}

export function Profile() {
  const account = session.value?.account;
  const [draft, setDraft] = useState({ fullName: account?.fullName ?? "", username: account?.username ?? "", avatarUrl: account?.avatarUrl ?? "" });
  const [changing, setChanging] = useState(false);
  const form = useForm(["fullName", "username", "avatarUrl"]);
  if (!account) return null;
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const save = async () => {
    const saved = async () => {
      const answer = await ask<Session>("PUT", "/session/profile", { ...draft, avatarUrl: draft.avatarUrl || null });
      session.value = answer;
      setDraft({ fullName: answer.account.fullName, username: answer.account.username, avatarUrl: answer.account.avatarUrl });
    };
    if (!(await form.send(saved))) return;
    toast(t("profile.saved"));
  };
  const dirty = draft.fullName !== account.fullName || draft.username !== account.username || draft.avatarUrl !== account.avatarUrl;
  return (
    <SavedForm look="card form-card" save={save}>
      <div class="person-cell low-gap">
        <Avatar name={account.fullName || account.username} picture={account.avatarUrl} />
        <h2>
          <bdi>{account.fullName || account.username}</bdi>
        </h2>
      </div>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      <TextField label={t("account.fullName")} autocomplete="name" maxLength={255} value={draft.fullName} onValue={(fullName) => set({ fullName })} error={form.error("fullName")} hint={t("profile.nameHint")} />
      <TextField label={t("account.username")} autocomplete="username" autocapitalize="none" spellcheck={false} maxLength={255} value={draft.username} onValue={(username) => set({ username })} error={form.error("username")} hint={t("invitePage.usernameHint")} />
      <TextField label={t("avatar")} optional type="url" inputmode="url" autocomplete="photo" spellcheck={false} value={draft.avatarUrl} onValue={(avatarUrl) => set({ avatarUrl })} error={form.error("avatarUrl")} hint={t(session.value?.showsOutsideImages ? "avatar.shown" : "avatar.notShown")} />
      <TextField
        label={t("account.email")}
        readOnly
        value={account.email}
        onValue={() => {}}
        hint={t(session.value?.sendsMail ? "profile.emailText" : "profile.emailByOperator")}
        aside={
          session.value?.sendsMail ? (
            <button type="button" class="button" onClick={() => setChanging(true)}>
              {t("profile.changeEmail")}
            </button>
          ) : null
        }
      />
      <Select label={t("language")} value={language.value} choices={Object.entries(languages).map(([value, label]) => ({ value, label }))} onValue={(chosen) => void setLanguage(chosen as Language).catch(() => {})} hint={t("profile.languageHint")} />
      <button type="submit" class="button primary" disabled={form.busy || !dirty || draft.username === ""}>
        {t("save")}
      </button>
      {changing ? <ChangeEmail onClose={() => setChanging(false)} /> : null}
    </SavedForm>
  );
}

// What the address of an invite shows: to who is signed in, to who has an account, and to who makes one here.
import { useEffect, useState } from "preact/hooks";
import { api, ask, type Problem } from "../api/client";
import { asProblem, useLoad } from "../api/load";
import type { Role } from "../api/types";
import { confirm, Confirmation } from "../components/confirm";
import { TextField } from "../components/field";
import { useForm } from "../components/form";
import { ProblemBox, sentenceOf } from "../components/problem";
import { SavedForm } from "../components/saved_form";
import { attempt, toast, Toasts } from "../components/toast";
import { go } from "../router";
import { chooseWorkspace, goToProvider, join, learnProvider, loadWorkspaces, provider, session, signOut } from "../state";
import { t } from "../text";
import { moment } from "../text/formats";
import { LanguageChoice, Logo, providerReason, Reason, SignIn } from "./sign_in";

const PASSWORD_LEAST = 10; // characters

interface Offer {
  workspace: { id: string; name: string };
  role: Role;
  from: string;
  message: string;
  /** The address or the name of who is invited. */
  for: string;
  expiresAt: string;
  /** Who is invited has an account. */
  hasAccount: boolean;
  /** Who is signed in may accept it. */
  isYours: boolean;
}

function reasonOf(problem: Problem): string {
  if (problem.code === "InviteExpired") return t("invitePage.expired");
  if (problem.status === 404) return t("invitePage.gone");
  if (problem.code === "AccountExists") return t("invitePage.exists");
  return sentenceOf(problem);
}

function What({ offer }: { offer: Offer }) {
  const words = { from: offer.from, name: offer.workspace.name, role: t(`role.${offer.role}`) };
  return (
    <>
      <p dir="auto">{t(offer.role === "owner" ? "invitePage.owner" : "received.text", words)}</p>
      {offer.message ? (
        <blockquote class="break" dir="auto">
          {offer.message}
        </blockquote>
      ) : null}
      <p class="muted" dir="auto">
        {t("invitePage.for", { name: offer.for, at: moment(offer.expiresAt) })}
      </p>
    </>
  );
}

/** For the one that the invite is for, signed in. */
function Answer({ offer, token }: { offer: Offer; token: string }) {
  const name = offer.workspace.name;
  const accept = () =>
    attempt(async () => {
      await api.post("/invites/{token}/accept", { in: { token } });
      await loadWorkspaces();
      if (!(await chooseWorkspace(offer.workspace.id))) return;
      go("/links", { replace: true });
      toast(t("received.accepted", { name }));
    });
  const decline = async () => {
    if (!(await confirm({ title: t("received.declineTitle", { name }), text: t("received.declineText"), action: t("received.decline") }))) return;
    await attempt(async () => {
      await api.post("/invites/{token}/decline", { in: { token } });
      go("/links", { replace: true });
      toast(t("received.declined", { name }));
    });
  };
  return (
    <div class="actions">
      <button type="button" class="button primary" onClick={() => void accept()}>
        {t("received.accept")}
      </button>
      <button type="button" class="button" onClick={() => void decline()}>
        {t("received.decline")}
      </button>
    </div>
  );
}

/** For somebody else who is signed in. */
function NotYours({ offer }: { offer: Offer }) {
  return (
    <>
      <Reason text={t("invitePage.other", { name: offer.for, user: session.value?.account.email || session.value?.account.username || "" })} />
      <div class="actions">
        <button type="button" class="button primary" onClick={() => void attempt(signOut)}>
          {t("invitePage.signOut")}
        </button>
        <button type="button" class="button" onClick={() => go("/links", { replace: true })}>
          {t("invitePage.leave")}
        </button>
      </div>
    </>
  );
}

function Newcomer({ offer, token }: { offer: Offer; token: string }) {
  const [draft, setDraft] = useState({ fullName: "", username: "", password: "" });
  const form = useForm(["fullName", "username", "password"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const save = async () => {
    if (!(await form.send(() => join({ token, ...draft }, offer.workspace.id)))) return;
    go("/links", { replace: true });
    toast(t("received.accepted", { name: offer.workspace.name }));
  };
  return (
    <SavedForm save={save}>
      <p class="low-gap">{t("invitePage.new")}</p>
      <Reason text={form.problem ? reasonOf(form.problem) : ""} />
      <TextField label={t("account.fullName")} name="fullName" optional autocomplete="name" maxLength={255} value={draft.fullName} onValue={(fullName) => set({ fullName })} error={form.error("fullName")} />
      <TextField label={t("account.username")} name="username" autocomplete="username" autocapitalize="none" spellcheck={false} required maxLength={255} value={draft.username} onValue={(username) => set({ username })} error={form.error("username")} hint={t("invitePage.usernameHint")} />
      <TextField label={t("signIn.password")} name="password" type="password" autocomplete="new-password" required value={draft.password} onValue={(password) => set({ password })} error={form.error("password")} hint={t("password.hint", { n: PASSWORD_LEAST })} />
      <button type="submit" class="button primary wide" disabled={form.busy}>
        {t("invitePage.join")}
      </button>
    </SavedForm>
  );
}

/** Who is invited and known to the provider needs no password here; the invite waits for them inside. */
function ByProvider() {
  const [reason, setReason] = useState("");
  useEffect(() => void learnProvider(), []);
  if (!provider.value) return null;
  const leave = async () => {
    try {
      await goToProvider();
    } catch (error) {
      setReason(providerReason(asProblem(error)));
    }
  };
  return (
    <>
      <Reason text={reason} />
      <button type="button" class="button wide" onClick={() => void leave()}>
        {t("signIn.provider", { name: provider.value })}
      </button>
    </>
  );
}

export function InvitePage({ token }: { token: string }) {
  const who = session.value?.account.id ?? "";
  const found = useLoad((signal) => ask<Offer>("POST", "/session/invite/shown", { token }, signal), [who]);
  const offer = found.loading ? undefined : found.data;
  const signsIn = offer?.hasAccount === true && !session.value;
  useEffect(() => {
    document.title = `${t("invitePage.title")} · ${t("app")}`;
  }, []);
  const gone = found.problem && (found.problem.status === 404 || found.problem.code === "InviteExpired");
  const card = (
    <section class="card sign-in">
      <Logo />
      <h1>{t("invitePage.title")}</h1>
      {found.loading ? <p class="muted">{t("loading")}</p> : null}
      {found.problem && !gone ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {found.problem && gone ? <Reason text={reasonOf(found.problem)} /> : null}
      {offer ? <What offer={offer} /> : null}
      {offer && session.value ? offer.isYours ? <Answer offer={offer} token={token} /> : <NotYours offer={offer} /> : null}
      {offer && !session.value && !offer.hasAccount ? <Newcomer offer={offer} token={token} /> : null}
      {offer && !session.value && !offer.hasAccount ? <ByProvider /> : null}
      {signsIn ? <p dir="auto">{t("invitePage.signIn")}</p> : null}
      {gone ? (
        <button type="button" class="button" onClick={() => go("/", { replace: true })}>
          {t("invitePage.leave")}
        </button>
      ) : null}
    </section>
  );
  return (
    <>
      {signsIn ? (
        <SignIn above={card} />
      ) : (
        <main class="alone">
          {card}
          <LanguageChoice />
        </main>
      )}
      <Confirmation />
      <Toasts />
    </>
  );
}

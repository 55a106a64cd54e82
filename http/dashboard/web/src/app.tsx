import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Problem } from "./api/client";
import { asProblem } from "./api/load";
import { toast } from "./components/toast";
import { ProblemBox } from "./components/problem";
import { go, path, place } from "./router";
import { Consent } from "./screens/consent";
import { InvitePage } from "./screens/invite_page";
import { providerReason, SignIn } from "./screens/sign_in";
import { Shell } from "./shell";
import { resume, returnFromProvider, session, sessionProblem, signIn, workspaceId } from "./state";
import { language, t } from "./text";

/** A one-time address did not work: why. */
const addressFailed = signal(false);
/** The token of a one-time address whose account has a second factor. */
const waitingToken = signal("");

async function enterByAddress(token: string): Promise<void> {
  go("/", { replace: true }); // the token is gone from the address before anything else happens
  try {
    await signIn({ token });
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 0) sessionProblem.value = problem;
    if (problem.code === "CodeRequired") waitingToken.value = token;
    else addressFailed.value = true;
    session.value = null;
  }
}

/** Why somebody who has come back from the provider is not signed in. */
const providerProblem = signal<Problem | undefined>(undefined);

async function enterFromProvider(query: URLSearchParams): Promise<void> {
  const said = Object.fromEntries(["state", "code", "iss", "error"].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? ""]] : [])));
  go("/", { replace: true }); // nor is the code of any more use
  try {
    if (await returnFromProvider(said)) go("/account/security", { replace: true });
  } catch (error) {
    const problem = asProblem(error);
    if (problem.code === "CodeRequired") waitingToken.value = problem.more.token ?? "";
    else providerProblem.value = problem;
    await resume();
    if (session.value && providerProblem.value) toast(providerReason(providerProblem.value), { bad: true });
  }
}

/** The token of the invite whose address was opened: no longer in the address, but still there after a reload. */
function inviteToken(): string {
  if (path.value !== "/invite") return "";
  const { state } = place.value;
  return typeof state === "object" && state !== null && "invite" in state ? String(state.invite) : "";
}

export function App() {
  useEffect(() => {
    const secret = location.hash.slice(1);
    if (path.value === "/sign-in/provider") void enterFromProvider(place.value.query);
    else if (path.value === "/sign-in" && secret) void enterByAddress(secret);
    else {
      if (path.value === "/invite" && secret) go("/invite", { replace: true, state: { invite: secret } });
      void resume();
    }
  }, []);
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  if (sessionProblem.value) {
    return (
      <main class="alone">
        <h1 class="only-read">{t("app")}</h1>
        <ProblemBox problem={sessionProblem.value} retry={() => void resume()} />
      </main>
    );
  }
  const invite = inviteToken();
  if (invite && (session.value === null || (session.value && workspaceId.value))) return <InvitePage token={invite} />;
  if (session.value === null) return <SignIn key={`${waitingToken.value} ${providerProblem.value ? 1 : 0}`} addressFailed={addressFailed.value} token={waitingToken.value} providerProblem={providerProblem.value} />;
  if (session.value === undefined || !workspaceId.value) {
    return (
      <main class="alone" aria-busy="true">
        <h1 class="only-read">{t("app")}</h1>
        <p class="muted">{t("loading")}</p>
      </main>
    );
  }
  if (place.value.path === "/sign-in" || place.value.path === "/invite") go("/", { replace: true });
  if (place.value.path.startsWith("/connect/authorize")) return <Consent />;
  return <Shell />;
}

import { useEffect } from "preact/hooks";
import { ProblemBox } from "./components/problem";
import { go, path, place } from "./router";
import { SignIn } from "./screens/sign_in";
import { Shell } from "./shell";
import { resume, session, sessionProblem, signIn, workspaceId } from "./state";
import { language, t } from "./text";
import { asProblem } from "./api/load";
import { signal } from "@preact/signals";

/** A one-time address did not work: why. */
const addressFailed = signal(false);

async function enterByAddress(token: string): Promise<void> {
  go("/", { replace: true }); // the token is gone from the address before anything else happens
  try {
    await signIn({ token });
  } catch (error) {
    if (asProblem(error).status === 0) sessionProblem.value = asProblem(error);
    addressFailed.value = true;
    session.value = null;
  }
}

export function App() {
  useEffect(() => {
    if (path.value === "/sign-in" && location.hash.length > 1) void enterByAddress(location.hash.slice(1));
    else void resume();
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
  if (session.value === null) return <SignIn addressFailed={addressFailed.value} />;
  if (session.value === undefined || !workspaceId.value) {
    return (
      <main class="alone" aria-busy="true">
        <h1 class="only-read">{t("app")}</h1>
        <p class="muted">{t("loading")}</p>
      </main>
    );
  }
  if (place.value.path === "/sign-in") go("/", { replace: true });
  return <Shell />;
}

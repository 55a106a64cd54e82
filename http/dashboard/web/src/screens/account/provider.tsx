// Who one is at the provider that people may sign in with.
import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import type { Session } from "../../api/types";
import { useForm } from "../../components/form";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { CurrentPasswordField } from "../../components/secret_fields";
import { toast } from "../../components/toast";
import { changeSession, goToProvider, session } from "../../state";
import { t } from "../../text";

export function Provider() {
  const [current, setCurrent] = useState("");
  const form = useForm(["current"]);
  const there = session.value?.provider;
  if (!there) return null;
  const asks = session.value?.asksForPassword || form.error("current") !== undefined;
  const said = asks ? { current } : {};
  const { name } = there;
  const disconnect = async () => {
    if (!(await form.send(async () => changeSession(await ask<Session>("DELETE", "/session/provider", said))))) return;
    setCurrent("");
    toast(t("provider.disconnected"));
  };
  const text = there.connected ? (there.email ? t("provider.as", { name, email: there.email }) : t("provider.connected", { name })) : t("provider.text", { name });
  return (
    <SavedForm look="card form-card" save={() => (there.connected ? disconnect() : form.send(() => goToProvider(said)))}>
      <h2 class="low-gap">{t("provider.title", { name })}</h2>
      <p class="muted" dir="auto">
        {text}
      </p>
      {form.problem ? <ProblemBox problem={form.problem} /> : null}
      {asks ? <CurrentPasswordField form={form} current={current} setCurrent={setCurrent} /> : null}
      <button type="submit" class="button" disabled={form.busy || (asks && current === "")}>
        {t(there.connected ? "provider.disconnect" : "provider.connect")}
      </button>
    </SavedForm>
  );
}

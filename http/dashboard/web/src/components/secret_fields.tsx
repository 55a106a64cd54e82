import { t } from "../text";
import { TextField } from "./field";
import type { Form } from "./form";

/** A code of the second factor, of recovery, or out of a mail. */
export function CodeField({ form, code, setCode, hint }: { form: Form; code: string; setCode: (code: string) => void; hint?: string }) {
  return (
    <TextField
      label={t("signIn.code")}
      name="code"
      autofocus
      autocomplete="one-time-code"
      autocapitalize="none"
      spellcheck={false}
      maxLength={40}
      value={code}
      onValue={(value) => {
        setCode(value);
        form.clear("code");
      }}
      error={form.error("code")}
      hint={hint}
    />
  );
}

/** The password that the account has, for what it is asked once more. */
export function CurrentPasswordField({ form, current, setCurrent, autofocus }: { form: Form; current: string; setCurrent: (current: string) => void; autofocus?: boolean }) {
  return (
    <TextField
      label={t("password.current")}
      type="password"
      autofocus={autofocus}
      autocomplete="current-password"
      value={current}
      onValue={(value) => {
        setCurrent(value);
        form.clear("current");
      }}
      error={form.error("current")}
    />
  );
}

import type { Link } from "../../api/types";
import { Checkbox, TextField } from "../../components/field";
import type { Form } from "../../components/form";
import { FormPart } from "../../components/form_part";
import { t } from "../../text";
import { moment } from "../../text/formats";
import type { Draft } from "./draft";

type Set = <Name extends keyof Draft>(name: Name, value: Draft[Name]) => void;

/** Who of a link's visitors gets to its destination. The password is shown: it is for telling others. */
export function Guards({ draft, set, form, link }: { draft: Draft; set: Set; form: Form; link: Link | undefined }) {
  const since = link?.passwordSetAt;
  return (
    <FormPart
      title={
        <>
          {t("guards.title")}
          {since ? <span class="badge">{t("guards.password")}</span> : null}
          {link?.maxClicks ? <span class="badge">{t("guards.left", { n: link.clicksLeft ?? 0 })}</span> : null}
        </>
      }
      refused={Boolean(form.error("password", "maxClicks"))}
    >
      <div class="two">
        <TextField
          label={t("guards.password")}
          optional
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          maxLength={256}
          disabled={draft.noPassword}
          value={draft.password}
          onValue={(value) => set("password", value)}
          error={form.error("password")}
          hint={since ? t("guards.passwordSet", { at: moment(since) }) : t("guards.passwordHint")}
        />
        <TextField label={t("guards.clicks")} optional inputmode="numeric" maxLength={10} value={draft.maxClicks} onValue={(value) => set("maxClicks", value)} error={form.error("maxClicks")} hint={t("guards.clicksHint")} />
      </div>
      {since ? <Checkbox label={t("guards.noPassword")} checked={draft.noPassword} onChecked={(on) => set("noPassword", on)} /> : null}
    </FormPart>
  );
}

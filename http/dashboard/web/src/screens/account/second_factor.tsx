// The second factor of signing in: an authenticator app, and codes on paper for when it is lost.
import { useMemo, useState } from "preact/hooks";
import { ask } from "../../api/client";
import { CopyButton } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { Select } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { QrImage, useQr } from "../../components/qr";
import { CodeField, CurrentPasswordField } from "../../components/secret_fields";
import { toast } from "../../components/toast";
import { saveFile } from "../../files";
import { changeSession, session } from "../../state";
import { t } from "../../text";

const ADDRESS = "/session/second-factor";

/** In groups of four, as people read it from paper. */
function inGroups(text: string): string {
  return text.replace(/(.{4})(?=.)/g, "$1 ");
}

/** The recovery codes, which the server does not know again. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.map(inGroups).join("\n");
  return (
    <Dialog
      title={t("factor.codes")}
      onClose={onClose}
      footer={
        <>
          <button type="button" class="button" onClick={() => saveFile("slashpost-recovery-codes.txt", new Blob([`${text}\n`], { type: "text/plain" }))}>
            {t("factor.save")}
          </button>
          <CopyButton secret words text={text} label={t("factor.copyCodes")} />
          <button type="button" class="button primary" onClick={onClose}>
            {t("factor.kept")}
          </button>
        </>
      }
    >
      <p class="low-gap">{t("factor.codesText")}</p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{inGroups(code)}</code>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

interface Offer {
  secret: string;
  address: string;
}

function Scan({ offer, onClose, shown }: { offer: Offer; onClose: () => void; shown: (codes: string[]) => void }) {
  const [code, setCode] = useState("");
  const form = useForm(["code"]);
  const drawing = useQr();
  const picture = useMemo(() => drawing.data?.qrOf(offer.address), [drawing.data, offer]);
  const confirmIt = () =>
    form.send(async () => {
      const { recoveryCodes } = await ask<{ recoveryCodes: string[] }>("PUT", ADDRESS, { code: code.trim() });
      changeSession({ hasSecondFactor: true, recoveryCodes: recoveryCodes.length });
      shown(recoveryCodes);
    });
  return (
    <FormDialog title={t("factor.setUp")} action={t("factor.switchOn")} form={form} dirty={false} save={confirmIt} onClose={onClose}>
      <p>{t("factor.scan")}</p>
      <div class="qr">
        <QrImage code={picture} drawing={drawing} label={t("factor.qr")} />
      </div>
      <p>{t("factor.byHand")}</p>
      <div class="secret low-gap">
        <code>{inGroups(offer.secret)}</code>
        <CopyButton secret text={offer.secret} label={t("factor.copySecret")} />
      </div>
      <CodeField form={form} code={code} setCode={setCode} hint={t("factor.codeHint")} />
    </FormDialog>
  );
}

/** The password where it has to be said, the app, and then the recovery codes. */
function SetUp({ onClose }: { onClose: () => void }) {
  const [password, setPassword] = useState("");
  const [offer, setOffer] = useState<Offer | undefined>(undefined);
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const form = useForm(["current"]);
  const begin = () => form.send(async () => setOffer(await ask<Offer>("POST", ADDRESS, password ? { current: password } : {})));
  if (codes) return <Codes codes={codes} onClose={onClose} />;
  if (offer) return <Scan offer={offer} onClose={onClose} shown={setCodes} />;
  const asks = session.value?.asksForPassword || form.error("current");
  return (
    <FormDialog title={t("factor.setUp")} action={t("factor.next")} form={form} dirty={false} save={begin} onClose={onClose}>
      <p class="low-gap">{t("factor.need")}</p>
      {asks ? <CurrentPasswordField form={form} current={password} setCurrent={setPassword} autofocus /> : null}
    </FormDialog>
  );
}

function Renew({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState("");
  const [codes, setCodes] = useState<readonly string[] | undefined>(undefined);
  const form = useForm(["code"]);
  const renew = () =>
    form.send(async () => {
      const { recoveryCodes } = await ask<{ recoveryCodes: string[] }>("POST", `${ADDRESS}/codes`, { code: code.trim() });
      changeSession({ recoveryCodes: recoveryCodes.length });
      setCodes(recoveryCodes);
    });
  if (codes) return <Codes codes={codes} onClose={onClose} />;
  return (
    <FormDialog title={t("factor.renew")} action={t("factor.renewAction")} form={form} dirty={false} save={renew} onClose={onClose}>
      <p class="low-gap">{t("factor.renewText")}</p>
      <CodeField form={form} code={code} setCode={setCode} hint={t("signIn.codeHint")} />
    </FormDialog>
  );
}

const WAYS = ["code", "password"] as const;

function SwitchOff({ onClose }: { onClose: () => void }) {
  const [way, setWay] = useState<(typeof WAYS)[number]>("code");
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const form = useForm([way === "code" ? "code" : "current"]);
  const end = async () => {
    const proof = way === "code" ? { code: code.trim() } : { current: password };
    if (!(await form.send(() => ask("DELETE", ADDRESS, proof)))) return;
    changeSession({ hasSecondFactor: false, recoveryCodes: 0 });
    toast(t("factor.isOff"));
    onClose();
  };
  return (
    <FormDialog title={t("factor.switchOff")} action={t("factor.switchOff")} form={form} dirty={false} save={end} onClose={onClose}>
      <p class="low-gap">{t("factor.offText")}</p>
      {session.value?.hasPassword ? <Select label={t("factor.proof")} value={way} onValue={(value) => setWay(value as typeof way)} choices={WAYS.map((one) => ({ value: one, label: t(`factor.by.${one}`) }))} /> : null}
      {way === "code" ? <CodeField form={form} code={code} setCode={setCode} hint={t("signIn.codeHint")} /> : <CurrentPasswordField form={form} current={password} setCurrent={setPassword} autofocus />}
    </FormDialog>
  );
}

export function SecondFactor() {
  const [open, setOpen] = useState<"setUp" | "renew" | "off" | undefined>(undefined);
  const close = () => setOpen(undefined);
  const on = session.value?.hasSecondFactor ?? false;
  return (
    <section class="card form-card">
      <header class="card-head">
        <h2>{t("factor.title")}</h2>
        <span class="badge">{t(on ? "factor.on" : "factor.off")}</span>
      </header>
      <p class="muted low-gap">{on ? t("factor.left", { n: session.value?.recoveryCodes ?? 0 }) : t("factor.text")}</p>
      <div class="actions">
        {on ? (
          <>
            <button type="button" class="button" onClick={() => setOpen("renew")}>
              {t("factor.renew")}
            </button>
            <button type="button" class="button" onClick={() => setOpen("off")}>
              {t("factor.switchOff")}
            </button>
          </>
        ) : (
          <button type="button" class="button primary" onClick={() => setOpen("setUp")}>
            {t("factor.setUp")}
          </button>
        )}
      </div>
      {open === "setUp" ? <SetUp onClose={close} /> : null}
      {open === "renew" ? <Renew onClose={close} /> : null}
      {open === "off" ? <SwitchOff onClose={close} /> : null}
    </section>
  );
}

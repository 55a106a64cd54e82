import { useMemo, useState } from "preact/hooks";
import type { Link } from "../../api/types";
import { CopyButton } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { FileField, TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { canBeRead, PLAIN, QrImage, useQr, type QrLook } from "../../components/qr";
import { saveFile } from "../../files";
import { t } from "../../text";
import { addressOf, shownAddress } from "./filters";

const LOGO_BYTES_MAX = 256 * 1024;
const LOGO_TYPES = "image/png,image/jpeg,image/webp,image/svg+xml";

/** Rejects what is no picture. */
async function pictureOf(address: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return picture;
}

/** Its picture as a data: address; undefined when it is none that can be shown. */
async function readLogo(file: File): Promise<string | undefined> {
  if (file.size > LOGO_BYTES_MAX || !LOGO_TYPES.split(",").includes(file.type)) return undefined;
  const bytes = new Uint8Array(await file.arrayBuffer());
  const address = `data:${file.type};base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))}`;
  return pictureOf(address).then(
    () => address,
    () => undefined,
  );
}

function Look({ look, set }: { look: QrLook; set: (change: Partial<QrLook>) => void }) {
  const [refused, setRefused] = useState(false);
  const choose = async (file: File | undefined) => {
    const logo = file ? await readLogo(file) : "";
    setRefused(logo === undefined);
    set({ logo: logo ?? "" });
  };
  return (
    <details class="part">
      <summary>{t("qr.look")}</summary>
      <TextField label={t("qr.dark")} type="color" value={look.dark} onValue={(dark) => set({ dark })} error={canBeRead(look) ? undefined : t("qr.tooPale")} />
      <TextField label={t("qr.light")} type="color" value={look.light} onValue={(light) => set({ light })} />
      <FileField label={t("qr.logo")} optional accept={LOGO_TYPES} onFile={(file) => void choose(file)} hint={t("qr.logoHint")} error={refused ? t("qr.noLogo") : undefined} />
    </details>
  );
}

export function QrDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  const [look, setLook] = useState(PLAIN);
  const drawing = useQr();
  const made = drawing.data;
  // Of the address that scans are counted by, as the server's own codes are.
  const code = useMemo(() => made?.qrOf(`${addressOf(link)}?sp_scan`, look.logo ? "H" : "M"), [made, link, look.logo]);
  const name = `${link.domainName.replace(/[^\w.-]/g, "-")}-${link.slashtag}`;
  const off = !code || !canBeRead(look);
  const save = async (kind: "svg" | "png") => {
    if (!made || !code) return;
    const content = kind === "svg" ? made.svgOf(code, look) : await made.pngOf(code, look, look.logo ? await pictureOf(look.logo) : undefined);
    if (content) saveFile(`${name}.${kind}`, content);
  };
  return (
    <Dialog title={t("qr.title")} onClose={onClose}>
      <div class="qr">
        <QrImage code={code} drawing={drawing} look={look} label={t("qr.label", { address: shownAddress(link) })} />
        <p>
          <bdi>{shownAddress(link)}</bdi>
        </p>
        <p class="muted">{t("qr.text")}</p>
        <Look look={look} set={(change) => setLook((old) => ({ ...old, ...change }))} />
        <div class="actions">
          <button type="button" class="button primary" disabled={off} onClick={() => void save("svg")}>
            <Icon name="download" />
            {t("qr.svg")}
          </button>
          <button type="button" class="button" disabled={off} onClick={() => void save("png")}>
            <Icon name="download" />
            {t("qr.png")}
          </button>
          <CopyButton words text={addressOf(link)} label={t("copy")} />
        </div>
      </div>
    </Dialog>
  );
}

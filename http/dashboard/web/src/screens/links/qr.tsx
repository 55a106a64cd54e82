import { useMemo, useState } from "preact/hooks";
import type { Link } from "../../api/types";
import { CopyButton } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { FileField, TextField } from "../../components/field";
import { Icon } from "../../components/icon";
import { canBeRead, logoPlace, PLAIN, QrImage, qrOf, type QrCode, type QrLook } from "../../components/qr";
import { saveFile } from "../../files";
import { t } from "../../text";
import { addressOf } from "./filters";

const PNG_SIZE = 1024; // pixels, at least
const LOGO_BYTES_MAX = 256 * 1024;
const LOGO_TYPES = "image/png,image/jpeg,image/webp,image/svg+xml";

function svgOf(code: QrCode, { dark, light, logo }: QrLook): string {
  const { at, edge } = logoPlace(code);
  const picture = logo ? `<path fill="${light}" d="M${at} ${at}h${edge}v${edge}h-${edge}z"/><image href="${logo}" x="${at + 0.5}" y="${at + 0.5}" width="${edge - 1}" height="${edge - 1}"/>` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges"><rect width="${code.size}" height="${code.size}" fill="${light}"/><path fill="${dark}" d="${code.path}"/>${picture}</svg>\n`;
}

/** Rejects what is no picture. */
async function pictureOf(address: string): Promise<HTMLImageElement> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  return picture;
}

async function savePng(code: QrCode, look: QrLook, name: string): Promise<void> {
  const module = Math.ceil(PNG_SIZE / code.size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = module * code.size;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const square = (color: string, x: number, y: number, edge: number) => {
    pen.fillStyle = color;
    pen.fillRect(x * module, y * module, edge * module, edge * module);
  };
  square(look.light, 0, 0, code.size);
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.dark(x, y)) square(look.dark, x, y, 1);
  }
  if (look.logo) {
    const { at, edge } = logoPlace(code);
    const picture = await pictureOf(look.logo);
    const scale = ((edge - 1) * module) / Math.max(picture.width, picture.height, 1);
    const [width, height] = [picture.width * scale, picture.height * scale];
    square(look.light, at, at, edge);
    pen.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  }
  canvas.toBlob((blob) => blob && saveFile(name, blob), "image/png");
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
  // Of the address that scans are counted by, as the server's own codes are.
  const code = useMemo(() => qrOf(`${addressOf(link)}?sp_scan`, look.logo ? "H" : "M"), [link, look.logo]);
  const name = `${link.domainName.replace(/[^\w.-]/g, "-")}-${link.slashtag}`;
  const off = !canBeRead(look);
  return (
    <Dialog title={t("qr.title")} onClose={onClose}>
      <div class="qr">
        <QrImage code={code} look={look} label={t("qr.label", { address: link.shortUrl })} />
        <p>
          <bdi>{link.shortUrl}</bdi>
        </p>
        <p class="muted">{t("qr.text")}</p>
        <Look look={look} set={(change) => setLook((old) => ({ ...old, ...change }))} />
        <div class="actions">
          <button type="button" class="button primary" disabled={off} onClick={() => saveFile(`${name}.svg`, new Blob([svgOf(code, look)], { type: "image/svg+xml" }))}>
            <Icon name="download" />
            {t("qr.svg")}
          </button>
          <button type="button" class="button" disabled={off} onClick={() => void savePng(code, look, `${name}.png`)}>
            <Icon name="download" />
            {t("qr.png")}
          </button>
          <CopyButton words text={addressOf(link)} label={t("copy")} />
        </div>
      </div>
    </Dialog>
  );
}

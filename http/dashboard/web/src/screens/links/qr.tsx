import { useMemo } from "preact/hooks";
import type { Link } from "../../api/types";
import { CopyButton } from "../../components/copy";
import { Dialog } from "../../components/dialog";
import { Icon } from "../../components/icon";
import { QrImage, qrOf, type QrCode } from "../../components/qr";
import { saveFile } from "../../files";
import { t } from "../../text";
import { addressOf } from "./filters";

const PNG_SIZE = 1024; // pixels, at least

function svgOf(code: QrCode): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges"><rect width="${code.size}" height="${code.size}" fill="#fff"/><path d="${code.path}"/></svg>\n`;
}

function savePng(code: QrCode, name: string): void {
  const module = Math.ceil(PNG_SIZE / code.size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = module * code.size;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.fillStyle = "#000";
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.dark(x, y)) pen.fillRect(x * module, y * module, module, module);
  }
  canvas.toBlob((blob) => blob && saveFile(name, blob), "image/png");
}

export function QrDialog({ link, onClose }: { link: Link; onClose: () => void }) {
  // Of the address that scans are counted by, as the server's own codes are.
  const code = useMemo(() => qrOf(`${addressOf(link)}?sp_scan`), [link]);
  const name = `${link.domainName.replace(/[^\w.-]/g, "-")}-${link.slashtag}`;
  return (
    <Dialog title={t("qr.title")} onClose={onClose}>
      <div class="qr">
        <QrImage code={code} label={t("qr.label", { address: link.shortUrl })} />
        <p>
          <bdi>{link.shortUrl}</bdi>
        </p>
        <p class="muted">{t("qr.text")}</p>
        <div class="actions">
          <button type="button" class="button primary" onClick={() => saveFile(`${name}.svg`, new Blob([svgOf(code)], { type: "image/svg+xml" }))}>
            <Icon name="download" />
            {t("qr.svg")}
          </button>
          <button type="button" class="button" onClick={() => savePng(code, `${name}.png`)}>
            <Icon name="download" />
            {t("qr.png")}
          </button>
          <CopyButton words text={addressOf(link)} label={t("copy")} />
        </div>
      </div>
    </Dialog>
  );
}

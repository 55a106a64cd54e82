// QR codes and files of them. Loaded when one is shown; it imports nothing that other parts have, so that the bundler
// makes no further file of what they would share.
import { encode } from "uqr";
import type { QrCode, QrLook } from "./components/qr";

const QUIET = 4; // modules around the code that have to stay light
const LOGO_SHARE = 0.24; // of an edge of the code: about 6 % of it, of which 30 % may be missing
const PNG_SIZE = 1024; // pixels, at least

/** The logo stands in the middle, over whole modules. */
function logoPlace(size: number): QrCode["logo"] {
  const edge = 2 * Math.round(((size - 2 * QUIET) * LOGO_SHARE - 1) / 2) + 1;
  return { at: (size - edge) / 2, edge };
}

export function qrOf(text: string, ecc: "M" | "H" = "M"): QrCode {
  const { data, size } = encode(text, { ecc, border: QUIET });
  let path = "";
  for (const [y, row] of data.entries()) {
    for (const [x, on] of row.entries()) if (on) path += `M${x} ${y}h1v1h-1z`;
  }
  return { size, path, logo: logoPlace(size), dark: (x, y) => data[y]?.[x] ?? false };
}

export function svgOf(code: QrCode, { dark, light, logo }: QrLook): Blob {
  const { at, edge } = code.logo;
  const picture = logo ? `<path fill="${light}" d="M${at} ${at}h${edge}v${edge}h-${edge}z"/><image href="${logo}" x="${at + 0.5}" y="${at + 0.5}" width="${edge - 1}" height="${edge - 1}"/>` : "";
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${code.size} ${code.size}" shape-rendering="crispEdges"><rect width="${code.size}" height="${code.size}" fill="${light}"/><path fill="${dark}" d="${code.path}"/>${picture}</svg>\n`;
  return new Blob([text], { type: "image/svg+xml" });
}

/** `logo` is the picture of the look's, if it has one. */
export async function pngOf(code: QrCode, look: QrLook, logo: HTMLImageElement | undefined): Promise<Blob | null> {
  const module = Math.ceil(PNG_SIZE / code.size);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = module * code.size;
  const pen = canvas.getContext("2d");
  if (!pen) return null;
  const square = (color: string, x: number, y: number, edge: number) => {
    pen.fillStyle = color;
    pen.fillRect(x * module, y * module, edge * module, edge * module);
  };
  square(look.light, 0, 0, code.size);
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) if (code.dark(x, y)) square(look.dark, x, y, 1);
  }
  if (logo) {
    const { at, edge } = code.logo;
    const scale = ((edge - 1) * module) / Math.max(logo.width, logo.height, 1);
    const [width, height] = [logo.width * scale, logo.height * scale];
    square(look.light, at, at, edge);
    pen.drawImage(logo, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
  }
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

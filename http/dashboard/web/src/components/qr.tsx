import { encode } from "uqr";

const QUIET = 4; // modules around the code that have to stay light
const LOGO_SHARE = 0.24; // of an edge of the code: about 6 % of it, of which 30 % may be missing
const CONTRAST_MIN = 3;

export interface QrCode {
  /** Modules on each side, with the quiet ones. */
  size: number;
  /** The dark modules as the path of an SVG. */
  path: string;
  dark: (x: number, y: number) => boolean;
}

export interface QrLook {
  /** As #rrggbb. */
  dark: string;
  light: string;
  /** A picture as a data: address; empty: none. */
  logo: string;
}

export const PLAIN: QrLook = { dark: "#000000", light: "#ffffff", logo: "" };

export function qrOf(text: string, ecc: "M" | "H" = "M"): QrCode {
  const { data, size } = encode(text, { ecc, border: QUIET });
  let path = "";
  for (const [y, row] of data.entries()) {
    for (const [x, on] of row.entries()) if (on) path += `M${x} ${y}h1v1h-1z`;
  }
  return { size, path, dark: (x, y) => data[y]?.[x] ?? false };
}

/** Where the logo stands, in modules: in the middle, over whole ones. */
export function logoPlace({ size }: QrCode): { at: number; edge: number } {
  const edge = 2 * Math.round(((size - 2 * QUIET) * LOGO_SHARE - 1) / 2) + 1;
  return { at: (size - edge) / 2, edge };
}

/** WCAG 2.2, "relative luminance". */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Whether cameras tell the code from what is behind it. */
export function canBeRead({ dark, light }: QrLook): boolean {
  return luminance(light) + 0.05 >= CONTRAST_MIN * (luminance(dark) + 0.05);
}

/** The same in both themes, as cameras want it. */
export function QrImage({ code, label, look = PLAIN }: { code: QrCode; label: string; look?: QrLook }) {
  const { at, edge } = logoPlace(code);
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={code.size} height={code.size} fill={look.light} />
      <path d={code.path} fill={look.dark} />
      {look.logo ? <rect x={at} y={at} width={edge} height={edge} fill={look.light} /> : null}
      {look.logo ? <image href={look.logo} x={at + 0.5} y={at + 0.5} width={edge - 1} height={edge - 1} /> : null}
    </svg>
  );
}

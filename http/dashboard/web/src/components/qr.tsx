import { encode } from "uqr";

const QUIET = 4; // modules around the code that have to stay light

export interface QrCode {
  /** Modules on each side, with the quiet ones. */
  size: number;
  /** The dark modules as the path of an SVG. */
  path: string;
  dark: (x: number, y: number) => boolean;
}

export function qrOf(text: string): QrCode {
  const { data, size } = encode(text, { ecc: "M", border: QUIET });
  let path = "";
  for (const [y, row] of data.entries()) {
    for (const [x, on] of row.entries()) if (on) path += `M${x} ${y}h1v1h-1z`;
  }
  return { size, path, dark: (x, y) => data[y]?.[x] ?? false };
}

/** Dark on light in both themes, as cameras want it. */
export function QrImage({ code, label }: { code: QrCode; label: string }) {
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={code.size} height={code.size} fill="#fff" />
      <path d={code.path} fill="#000" />
    </svg>
  );
}

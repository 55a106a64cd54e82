import { useLater } from "../api/load";
import { ProblemBox } from "./problem";

const CONTRAST_MIN = 3;

export interface QrCode {
  /** Modules on each side, with the quiet ones. */
  size: number;
  /** The dark modules as the path of an SVG. */
  path: string;
  /** Where a logo stands, in modules. */
  logo: { at: number; edge: number };
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

/** What makes codes, which not everybody needs: it is loaded with the first one. */
export function useQr() {
  return useLater(() => import("../qr"));
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

/** The same in both themes, as cameras want it. Has its place already while `drawing` is being loaded. */
export function QrImage({ code, drawing, label, look = PLAIN }: { code: QrCode | undefined; drawing: ReturnType<typeof useQr>; label: string; look?: QrLook }) {
  if (drawing.problem) return <ProblemBox problem={drawing.problem} retry={drawing.reload} />;
  if (!code) return <svg viewBox="0 0 1 1" aria-busy="true" />;
  const { at, edge } = code.logo;
  return (
    <svg viewBox={`0 0 ${code.size} ${code.size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={code.size} height={code.size} fill={look.light} />
      <path d={code.path} fill={look.dark} />
      {look.logo ? <rect x={at} y={at} width={edge} height={edge} fill={look.light} /> : null}
      {look.logo ? <image href={look.logo} x={at + 0.5} y={at + 0.5} width={edge - 1} height={edge - 1} /> : null}
    </svg>
  );
}

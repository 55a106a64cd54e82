// How a page of the program itself is for those who do not see well, or have a small screen before them.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [360, 768, 1280, 1920];
const FITS_WITHIN = 2000; // milliseconds: what is drawn anew is not there at once

/** Chromium, with further arguments of its own. */
export function launch(...more) {
  return chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", ...more] });
}

/** As axe sees it in both themes, and whether it fits at all widths. Of what lies above the page only, where something does. */
export async function looksGood(page, name = page.url()) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async () => (await globalThis.axe.run(document.querySelector("dialog[open]") ?? document, { resultTypes: ["violations"] })).violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`));
    assert.deepEqual(found, [], `${name}, ${colorScheme}`);
  }
  const before = page.viewportSize();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const fits = await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, { timeout: FITS_WITHIN }).then(() => true, () => false);
    assert.ok(fits, `${name} fits ${width}`);
  }
  await page.setViewportSize(before);
}

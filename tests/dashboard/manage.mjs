// The screens beside the links, in a browser: looked at with axe in both themes and at all widths, used as people use
// them, and never breaking the content policy whatever strangers have written. Says what failed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { open, settled, world } from "./browser.mjs";
import { CHECKS, SCREENS } from "./manage_checks.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const only = process.argv[2] ?? "";
const failures = [];

async function check(name, action) {
  if (only && !name.includes(only)) return;
  try {
    await action();
  } catch (error) {
    failures.push(name);
    console.log(`${name}: ${error.message}`);
  }
}

/** What axe finds; of what lies above the page only, where something does. */
async function findings(page, rules) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const { violations } = await page.evaluate((runOnly) => {
    const above = [...document.querySelectorAll("dialog[open]")].at(-1); // one may stand above another
    return globalThis.axe.run(above ?? document, { resultTypes: ["violations"], ...(runOnly ? { runOnly } : {}) });
  }, rules);
  return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(" | ")}`);
}

const tests = await open();
for (const workspace of ["some", "empty"]) {
  const page = await tests.page("/links", { workspace });
  for (const { name, address, act } of SCREENS.filter((one) => (one.workspace ?? "some") === workspace)) {
    await check(name, async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(address);
      await page.waitForSelector("#content h1");
      await settled(page);
      await act?.(page);
      await settled(page);
      const found = [];
      for (const theme of ["light", "dark"]) {
        await page.emulateMedia({ colorScheme: theme });
        // The other theme changes nothing but colours.
        for (const one of await findings(page, theme === "dark" ? ["color-contrast"] : undefined)) found.push(`axe, ${theme}: ${one}`);
      }
      for (const width of [360, 768, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        const fits = () => document.documentElement.scrollWidth <= innerWidth;
        const wide = await page.waitForFunction(fits, undefined, { timeout: 2000 }).then(() => 0, () => page.evaluate(() => document.documentElement.scrollWidth));
        if (wide > width) found.push(`${wide} pixels wide at ${width}`);
      }
      found.push(...page.faults.splice(0));
      if (found.length > 0) throw new Error(found.join("\n  "));
    });
  }
  await page.context().close();
}
for (const [name, action] of Object.entries(CHECKS)) await check(name, () => action(tests, world));
await tests.end();
process.exitCode = failures.length > 0 ? 1 : 0;

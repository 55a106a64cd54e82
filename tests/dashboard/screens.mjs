// Pictures of every screen at 360 and 1,280 pixels, light and dark, into the folder that is named.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { open, settled, world } from "./browser.mjs";
import { SCREENS as OTHERS } from "./manage_checks.mjs";

const folder = process.argv[2];
const only = new RegExp(process.argv[3] ?? "");
await mkdir(folder, { recursive: true });
const link = `/links/${world.link}`;

/** Name, address, and what to do before the picture. */
const SCREENS = [
  { name: "sign-in", address: "/", user: "" },
  { name: "links", address: "/links" },
  { name: "links-empty", address: "/links", workspace: "empty" },
  { name: "links-many", address: "/links?order=clicks-desc", workspace: "many" },
  { name: "links-none", address: "/links?q=nothing&favourite=true" },
  { name: "links-filters", address: "/links?status=all", act: (page) => page.getByRole("button", { name: "Filters" }).click() },
  {
    name: "links-chosen",
    address: "/links",
    act: async (page) => {
      for (const index of [1, 2, 4]) await page.locator("tbody input[type=checkbox]").nth(index).check();
    },
  },
  { name: "links-qr", address: "/links", act: (page) => page.getByRole("button", { name: "QR code of Spring sale", exact: true }).click() },
  {
    name: "link-new",
    address: "/links",
    act: async (page) => {
      await page.keyboard.press("n");
      await page.getByLabel("Destination").fill("example");
      await page.getByLabel(/^Slashtag/).fill("s1");
      await page.getByText("Campaign (UTM)").click();
      await page.getByText("Expiry").click();
      await page.getByRole("button", { name: "Make link" }).click();
      await page.waitForSelector(".field-error");
    },
  },
  { name: "link-edit", address: "/links?q=spring+sale", act: async (page) => page.getByRole("button", { name: "Edit Spring sale", exact: true }).click() },
  { name: "help", address: "/links", act: (page) => page.keyboard.press("?") },
  { name: "menu", address: "/links", narrow: true, act: (page) => page.getByRole("button", { name: "Menu" }).click() },
  { name: "link-statistics", address: `${link}?compare=1` },
  { name: "link-narrowed", address: `${link}?by=device&value=mobile&period=7d`, act: (page) => page.evaluate(() => scrollTo(0, 600)) },
  { name: "link-values", address: link, act: (page) => page.getByRole("button", { name: /^Show all/ }).first().click() },
  { name: "link-rule", address: `${link}/rules`, act: (page) => page.getByRole("button", { name: "Edit rule 1" }).click() },
  { name: "failed", address: "/links", act: async (page) => {
    await page.route("**/v1/links?*", (route) => route.fulfill({ status: 503, json: { code: "Unavailable", message: "busy" } }));
    await page.reload();
  } },
  ...["rules", "rotator", "preview", "apps", "scripts", "conversions"].map((tab) => ({
    name: `link-${tab}`,
    address: `/links/${tab === "rotator" ? world.rotator : world.link}/${tab}`,
  })),
  ...OTHERS,
];

const tests = await open();
for (const { name, address, act, narrow, ...who } of SCREENS.filter((one) => only.test(one.name))) {
  for (const width of narrow ? [360] : [360, 1280]) {
    for (const theme of ["light", "dark"]) {
      const page = await tests.page(address, { ...who, width, height: width < 600 ? 740 : 900, theme });
      await settled(page);
      await act?.(page);
      await settled(page);
      await page.waitForTimeout(150);
      await page.screenshot({ path: join(folder, `${name}-${width}-${theme}.png`) });
      if (page.faults.length > 0) console.log(name, page.faults);
      await page.context().close();
    }
  }
}
await tests.end();

// A browser before the dashboard of a world (world.py), signed in or not.
import assert from "node:assert/strict";
import { chromium } from "playwright-core";
import { startOrigin } from "./origin.mjs";
import { watch } from "./watching.mjs";

export const world = JSON.parse(process.env.SLASHPOST_WORLD);

/** Everything that a test needs: the origin, a browser, and pages in it. */
export async function open() {
  const origin = await startOrigin({ built: world.built, api: world.api, keys: world.keys });
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
  return {
    origin,
    browser,
    async end() {
      await browser.close();
      origin.end();
    },
    /**
     * A page at an address, signed in as this person (nobody for "") in this workspace. What it breaks of the content
     * policy, throws, or asks of elsewhere is in `page.faults`.
     */
    async page(address, { user = "admin", workspace = "some", width = 1280, height = 900, theme = "light", language = "en", motion = "reduce" } = {}) {
      const context = await browser.newContext({
        baseURL: origin.base,
        viewport: { width, height },
        colorScheme: theme,
        locale: language,
        reducedMotion: motion,
        timezoneId: "Europe/Berlin",
        permissions: ["clipboard-read", "clipboard-write"],
      });
      const page = await context.newPage();
      await watch(page, origin.base);
      await context.addInitScript((id) => {
        if (id && !sessionStorage.getItem("workspace")) sessionStorage.setItem("workspace", id);
      }, world.workspaces[workspace]);
      if (user) {
        await page.goto(origin.signInAddress(user));
        await page.waitForSelector("#content h1");
      }
      if (!user || address !== "/") await page.goto(address);
      await page.waitForSelector("h1");
      return page;
    },
  };
}

/** Until a page that was just opened has all that it shows; what it loads later is not waited for. */
export async function settled(page) {
  await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
  await page.waitForLoadState("networkidle");
}

/** Until the page says that something was done. */
export async function toastSays(page, words) {
  await page.locator(".toast", { hasText: words }).waitFor();
}

/** Until there is none of it any more: a list is read anew after what was done is said. */
export async function gone(locator) {
  await locator.waitFor({ state: "detached" });
}

/** Asks the API as the admin does, in this workspace; what is refused fails the test. */
export async function api(method, path, body, workspace = "some") {
  const headers = { apikey: world.keys.admin, workspace: world.workspaces[workspace], ...(body ? { "content-type": "application/json" } : {}) };
  const answer = await fetch(`${world.api}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, `${method} ${path}`);
  return answer.json();
}

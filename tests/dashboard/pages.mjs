// The dashboard in Chromium, before a real server: world.py says what that holds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { api, open, settled, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const ROWS_MAX = 50;
const LINK = `/links/${world.link}`;
let tests;
before(async () => (tests = await open()));
after(() => tests.end());

/** A page for as long as the test lasts, in which nothing may have gone wrong at the end. */
async function on(address, options, action) {
  const page = await tests.page(address, options);
  let alerted = false;
  page.on("dialog", (dialog) => {
    alerted = true;
    void dialog.dismiss();
  });
  await settled(page);
  await action(page);
  assert.deepEqual(page.faults, []);
  assert.equal(alerted, false);
  await page.context().close();
}

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** What axe finds by WCAG 2.2 AA and its good advice. Of what lies above the page only, where something does. */
async function findings(page, rules = RULES) {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const found = await page.evaluate((runOnly) => {
    const above = ["dialog[open]", ".popover", ".bulk"].find((one) => document.querySelector(one));
    return globalThis.axe.run(above ?? document, { runOnly, resultTypes: ["violations"] });
  }, rules);
  return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => `${node.html.slice(0, 160)} ${node.any[0]?.message ?? ""}`).join(" | ")}`);
}

/** The theme changes nothing but colours. */
async function inBothThemes(page, name) {
  await page.emulateMedia({ colorScheme: "light" });
  assert.deepEqual(await findings(page), [], `${name}, light`);
  await page.emulateMedia({ colorScheme: "dark" });
  assert.deepEqual(await findings(page, ["color-contrast"]), [], `${name}, dark`);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${name} is wider than the window`);
}

const button = (page, name) => page.getByRole("button", { name, exact: true });

test("signing in with a wrong password says so, with the right one shows the links", async () => {
  await on("/", { user: "" }, async (page) => {
    await inBothThemes(page, "sign in");
    await page.getByLabel("User name or e-mail").fill("admin");
    await page.getByLabel("Password").fill("wrong");
    await button(page, "Sign in").click();
    assert.match(await page.getByRole("alert").innerText(), /do not fit together/);
    await page.getByLabel("Password").fill(tests.origin.password);
    await page.keyboard.press("Enter");
    await page.waitForSelector(".table");
    assert.equal(await page.getByRole("heading", { level: 1 }).innerText(), "Links");
    await button(page, "Sign out").click();
    await page.waitForSelector(".sign-in");
    await page.reload();
    await page.waitForSelector(".sign-in");
  });
});

test("a one-time address signs in, leaves the address bar, and does so once", async () => {
  await on("/", { user: "" }, async (page) => {
    const address = tests.origin.signInAddress("admin");
    await page.goto(address);
    await page.waitForSelector(".table, .empty");
    await becomes(() => page.url(), `${tests.origin.base}/`);
    await button(page, "Sign out").click();
    await page.waitForSelector(".sign-in");
    await page.goto(address);
    assert.match(await page.getByRole("alert").innerText(), /used already/);
  });
});

test("too many tries say how long to wait", async () => {
  await on("/", { user: "" }, async (page) => {
    await page.route("**/session", (route) => route.fulfill({ status: 429, headers: { "retry-after": "120" }, json: { code: "TooManyTries" } }));
    await page.getByLabel("User name or e-mail").fill("admin");
    await page.getByLabel("Password").fill("x");
    await button(page, "Sign in").click();
    assert.match(await page.getByRole("alert").innerText(), /Wait 2 minutes/);
  });
});

for (const [width, workspace] of [[360, "empty"], [1280, "empty"], [360, "some"], [1280, "some"], [1280, "many"]]) {
  test(`the list of links with those of "${workspace}" at ${width} pixels is for everybody`, async () => {
    await on("/links", { width, workspace }, async (page) => {
      await inBothThemes(page, workspace);
      assert.ok((await page.locator("tbody tr").count()) <= ROWS_MAX);
    });
  });
}

test("the parts of a link's page are for everybody", async () => {
  await on(LINK, {}, async (page) => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 900 });
      for (const tab of ["Statistics", "Rules", "Preview card", "Deep links", "Scripts", "Conversions", "History"]) {
        await page.getByRole("navigation", { name: "Parts of the link" }).getByRole("link", { name: tab }).click();
        await settled(page);
        await inBothThemes(page, `${tab} at ${width}`);
      }
    }
    await page.goto(`/links/${world.rotator}/rotator`);
    await settled(page);
    await inBothThemes(page, "rotator");
  });
});

test("what opens above a page is for everybody", async () => {
  await on("/links", {}, async (page) => {
    await page.keyboard.press("n");
    for (const part of ["Campaign (UTM)", "Expiry", "Who gets through", "What visitors bring along"]) await page.getByText(part).click();
    await page.getByText("More", { exact: true }).click();
    await inBothThemes(page, "new link");
    await page.keyboard.press("Escape");
    await page.keyboard.press("?");
    await inBothThemes(page, "keys");
    await page.keyboard.press("Escape");
    await button(page, "Filters").click();
    await inBothThemes(page, "filters");
    await page.keyboard.press("Escape");
    await button(page, "QR code of Spring sale").click();
    await inBothThemes(page, "QR code");
    await page.keyboard.press("Escape");
    await page.locator("tbody input[type=checkbox]").first().check();
    await inBothThemes(page, "chosen");
  });
});

test("strings of strangers are shown as they are and do nothing", async () => {
  await on("/links", {}, async (page) => {
    const text = await page.locator("tbody").innerText();
    for (const hostile of ["<img src=x onerror=alert(1)>", "\"'><script>alert(1)</script>", "{path} {{n}} ${7*7}"]) assert.ok(text.includes(hostile), hostile);
    assert.equal(await page.locator("tbody img, tbody script").count(), 0);
    await page.goto(LINK);
    await settled(page);
    await button(page, "Source").click();
    await page.getByText("<b>x").waitFor();
    await button(page, "Edit").click();
    await page.getByLabel("<img src=x onerror=alert(1)>").waitFor();
  });
});

test("the search narrows as one types, filters are chips that stand in the address, and pages go on and back", async () => {
  await on("/links", { workspace: "many" }, async (page) => {
    await becomes(() => page.locator("tbody tr").count(), ROWS_MAX);
    await button(page, "Next").click();
    await page.getByText(`51–100 of ${world.many.toLocaleString("en")}`).waitFor();
    await settled(page);
    const second = await page.locator(".link-title").first().innerText();
    await page.reload();
    await settled(page);
    await becomes(() => page.locator(".link-title").first().innerText(), second);
    await button(page, "Back").click();
    await page.getByText(`1–50 of ${world.many.toLocaleString("en")}`).waitFor();
    await page.keyboard.press("/");
    await becomes(() => page.evaluate(() => document.activeElement.type), "search");
    await page.keyboard.type("article 001234");
    await page.getByText("1 link", { exact: true }).waitFor();
    await becomes(() => new URL(page.url()).searchParams.get("q"), "article 001234");
    await page.goto("/links?favourite=true&status=all");
    await page.getByText("No link fits").waitFor();
    await page.getByRole("button", { name: "Favourite: Yes. Remove this filter" }).click();
    await page.waitForSelector(".table");
    await becomes(() => new URL(page.url()).searchParams.get("favourite"), null);
    await page.goBack();
    await page.getByText("No link fits").waitFor();
  });
});

test("a broken link is refused at its fields, a taken slashtag while it is typed, and the mended one is made and copied", async () => {
  await on("/links", { workspace: "empty" }, async (page) => {
    await button(page, "New link").first().click();
    await page.getByLabel("Destination").fill("nonsense");
    await page.getByLabel(/^Slashtag/).fill("bad slash");
    await page.getByText("Letters without accents").waitFor();
    await button(page, "Make link").click();
    await page.locator(".field", { hasText: "Destination" }).locator(".field-error").waitFor();
    await becomes(() => page.evaluate(() => document.activeElement.getAttribute("aria-invalid")), "true");
    await page.getByLabel("Destination").fill("https://example.com/a?x=1#part");
    await page.getByLabel(/^Slashtag/).fill("s0"); // which another workspace has
    await page.getByText("Free in this workspace. Whether others have it shows when you save.").waitFor();
    await button(page, "Make link").click();
    await page.getByText("This is taken already.").waitFor();
    assert.equal(await page.getByLabel(/^Slashtag/).inputValue(), "s0");
    await page.getByLabel(/^Slashtag/).fill("fresh");
    await page.getByText("Free in this workspace.").waitFor();
    await page.getByText("Campaign (UTM)").click();
    await page.getByLabel("Source").fill("mail & more");
    await becomes(() => page.getByLabel("Destination").inputValue(), "https://example.com/a?x=1&utm_source=mail%20%26%20more#part");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Copied:").waitFor();
    await becomes(async () => /^http:\/\/localhost:\d+\/fresh$/.test(await page.evaluate(() => navigator.clipboard.readText())), true);
    const [link] = await api("GET", "/links?slashtag=fresh", undefined, "empty");
    assert.equal(link.destination, "https://example.com/a?x=1&utm_source=mail%20%26%20more#part");
    await button(page, `Edit ${link.title}`).click();
    await page.getByLabel("Title").fill("Kept");
    await page.keyboard.press("Escape");
    await page.getByText("Leave without saving?").waitFor();
    await button(page, "Cancel").last().click();
    await button(page, "Save").click();
    await page.getByText("The link is saved.").waitFor();
    assert.equal((await api("GET", `/links/${link.id}`, undefined, "empty")).title, "Kept");
    await api("DELETE", `/links/${link.id}`, undefined, "empty");
  });
});

test("chosen links get a tag, lose it by undo, are paused, are deleted, come back by undo, and are deleted for good", async () => {
  const made = [];
  for (const slashtag of ["bulk1", "bulk2"]) made.push(await api("POST", "/links", { destination: "https://example.com/", slashtag, title: slashtag }));
  const tagsOf = async () => (await Promise.all(made.map((one) => api("GET", `/links/${one.id}`)))).map((one) => one.tags.length);
  await on("/links?q=bulk", {}, async (page) => {
    await page.getByLabel("Choose all on this page").check();
    await button(page, "Add tag").click();
    await page.locator(".picks").getByText("print").click();
    await page.getByText("2 links have the tag print now.").waitFor();
    await becomes(tagsOf, [1, 1]);
    await button(page, "Undo").click();
    await page.waitForFunction(() => !document.querySelector("tbody .tag"));
    await becomes(tagsOf, [0, 0]);
    await button(page, "Pause").click();
    await page.locator("tbody .status.paused").nth(1).waitFor();
    const statuses = async () => (await Promise.all(made.map((one) => api("GET", `/links/${one.id}`)))).map((one) => one.status);
    await button(page, "Delete").click();
    await page.getByText("2 links are deleted.").waitFor();
    await page.getByText("No link fits").waitFor();
    const deleted = async () => (await api("GET", "/links?status=trashed&limit=100")).filter((one) => one.slashtag.startsWith("bulk"));
    await becomes(async () => (await deleted()).map((one) => one.status), ["deleted", "deleted"]);
    await page.locator(".toast", { hasText: "2 links are deleted." }).getByRole("button", { name: "Undo" }).press("Enter");
    await page.getByText("2 links are there again, with all that they had.").waitFor();
    await becomes(statuses, ["paused", "paused"]);
    await page.goto("/links?q=bulk&status=all"); // without that the list is of active ones
    await page.locator("tbody .status.paused").nth(1).waitFor();
    await page.getByLabel("Choose all on this page").check();
    await button(page, "Delete").click();
    await page.locator("tbody .status.deleted").nth(1).waitFor();
    await page.goto("/links?q=bulk1&status=trashed");
    await page.locator("tbody .status.deleted").waitFor();
    await becomes(() => button(page, "Edit bulk1").isDisabled(), true);
    assert.equal(await page.locator("tbody a").count(), 0);
  });
});

test("a code in colours and with a logo is given out, and one that nobody could read is not", async () => {
  await on("/links", {}, async (page) => {
    assert.equal(await page.evaluate(() => performance.getEntriesByType("resource").some((one) => one.name.endsWith("/qr.js"))), false);
    await button(page, "QR code of Spring sale").click();
    await page.getByText("Colours and logo").click();
    await page.getByLabel("Code", { exact: true }).fill("#7a0f5c");
    await page.getByLabel("Background", { exact: true }).fill("#fdf3d0");
    await page.locator("input[type=file]").setInputFiles({ name: "logo.png", mimeType: "image/png", buffer: Buffer.from("no picture") });
    await page.getByText("This is no picture of at most 256 KB.").waitFor();
    await page.locator("input[type=file]").setInputFiles({ name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#0a6"/></svg>') });
    await page.locator(".qr svg image").waitFor();
    await inBothThemes(page, "QR code with a logo");
    for (const kind of ["PNG", "SVG"]) {
      const download = page.waitForEvent("download");
      await button(page, kind).click();
      await (await download).saveAs(join(process.env.SLASHPOST_CODES, `code.${kind.toLowerCase()}`)); // pages_test.py reads it
    }
    await page.getByLabel("Code", { exact: true }).fill("#e0d080");
    await page.getByText("Cameras cannot read this").waitFor();
    assert.equal(await button(page, "PNG").isDisabled(), true);
  });
});

test("a code whose program cannot be loaded says so", async () => {
  await on("/links", {}, async (page) => {
    await page.route("**/qr.js", (route) => route.abort());
    await button(page, "QR code of Spring sale").click();
    assert.match(await page.getByRole("dialog").getByRole("alert").innerText(), /cannot be reached/);
    assert.equal(await button(page, "SVG").isDisabled(), true);
    await page.unroute("**/qr.js");
    await page.getByRole("dialog").getByRole("button", { name: "Try again" }).click();
    await page.getByRole("img", { name: /^QR code of localhost/ }).waitFor();
  });
});

test("everything can be done with the keyboard alone", async () => {
  await on("/links", {}, async (page) => {
    const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
    await page.keyboard.press("Tab");
    await becomes(focused, "Skip to the content");
    await page.keyboard.press("Enter");
    await becomes(focused, "Links");
    await page.keyboard.press("n");
    await becomes(() => page.evaluate(() => document.activeElement.type), "url");
    await page.keyboard.type("https://example.com/keys");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Copied:").waitFor();
    await page.keyboard.press("/");
    await becomes(() => page.evaluate(() => document.activeElement.type), "search");
    await page.keyboard.type("example.com/keys");
    await page.getByText("1 link", { exact: true }).waitFor();
    await page.locator(".link-title").focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector(".tabs");
    await becomes(() => page.evaluate(() => document.activeElement.tagName), "H1");
    await page.locator("g.bar[tabindex='0']").focus();
    await page.keyboard.press("End");
    await becomes(async () => (await focused()).endsWith(": 0 Clicks"), true);
    await page.keyboard.press("g");
    await page.keyboard.press("l");
    await page.waitForSelector(".table");
  });
  const [link] = await api("GET", "/links/search?term=example.com/keys");
  await api("DELETE", `/links/${link.id}`);
});

test("rules are made, moved and deleted, and the explanation says which one holds", async () => {
  await on(`${LINK}/rules`, {}, async (page) => {
    await page.getByText("System is iOS or Android and Country is not United States").waitFor();
    await button(page, "New rule").click();
    await page.getByLabel("Destination").fill("https://shop.example.com/phone");
    await page.getByLabel("What").selectOption("req.device");
    await page.getByLabel("Mobile").check();
    await button(page, "Save").click();
    await page.getByText("Device is Mobile").waitFor();
    await button(page, "Move rule 3 up").click();
    await page.waitForFunction(() => document.querySelectorAll("ol.rows li")[1].textContent.includes("Device is Mobile"));
    const stored = async () => (await api("GET", `${LINK}/rules`)).sort((a, b) => a.rank - b.rank).map((one) => new URL(one.destination).pathname);
    await becomes(stored, ["/app", "/phone", "/de"]);
    await page.locator(".explain").getByLabel("Device").selectOption("mobile");
    await page.locator(".result").getByText("https://shop.example.com/phone").waitFor();
    await button(page, "Delete rule 2").click();
    await page.waitForFunction(() => document.querySelectorAll("ol.rows li").length === 3);
    await becomes(stored, ["/app", "/de"]);
  });
});

test("a breakdown narrows the chart to one value, and the period before can stand beside", async () => {
  await on(LINK, {}, async (page) => {
    const figure = page.locator(".figure-value").first();
    await page.waitForFunction(() => document.querySelector(".figure-value").textContent === "40");
    await button(page, /Mobile/).or(page.getByRole("button", { name: /^Mobile/ })).click();
    await page.getByRole("button", { name: "Device: Mobile. Remove this filter" }).waitFor();
    await page.waitForFunction(() => document.querySelector(".figure-value").textContent === "13");
    await becomes(() => new URL(page.url()).searchParams.get("value"), "mobile");
    await page.getByLabel("Compare with the period before").check();
    await page.getByText("before: 0").first().waitFor();
    await button(page, "Table").click();
    await becomes(() => page.locator(".card .table tbody tr").count(), 30);
    await becomes(() => figure.innerText(), "13");
  });
});

test("spreadsheets get no formulas of strangers", async () => {
  const { outputFiles } = await build({ entryPoints: ["src/files.ts"], bundle: true, write: false, format: "esm" });
  const { csvOf } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  assert.equal(csvOf([["=1+1", '@x"', -3], ["+a,b", "plain", 2]]), `'=1+1,"'@x""",-3\r\n"'+a,b",plain,2\r\n`);
});

test("a refused, failed or missing answer says what to do, and a button tries again", async () => {
  await on("/links", {}, async (page) => {
    const answers = [
      [{ status: 503, json: { code: "Unavailable", message: "busy" } }, /has a problem \(status 503\)/],
      [{ status: 403, json: { code: "Forbidden", message: "no", errors: [] } }, /does not allow that/],
      [{ status: 429, headers: { "retry-after": "1" }, json: { code: "TooManyRequests", message: "slow" } }, /too much at once/],
      ["offline", /cannot be reached/],
    ];
    for (const [answer, words] of answers) {
      await page.route("**/v1/links?*", (route) => (answer === "offline" ? route.abort() : route.fulfill(answer)));
      await page.reload();
      assert.match(await page.getByRole("alert").innerText(), words);
      assert.deepEqual(await findings(page), []);
      await page.unroute("**/v1/links?*");
      await page.getByRole("button", { name: "Try again", exact: true }).click();
      await page.waitForSelector(".table");
    }
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await page.context().setOffline(false);
    await page.route("**/v1/links?*", (route) => route.fulfill({ status: 401, json: { code: "Unauthorized", message: "no" } }));
    await page.reload();
    await page.getByText("Your session has ended. Sign in to go on").waitFor();
    assert.equal(new URL(page.url()).pathname, "/links");
  });
});

test("who may only read is shown nothing that would be refused", async () => {
  await on("/links", { user: "ann" }, async (page) => {
    await page.waitForSelector(".table");
    assert.equal(await page.getByRole("button", { name: "New link" }).count(), 0);
    assert.equal(await page.locator("tbody input[type=checkbox]").count(), 0);
    assert.equal(await page.getByRole("link", { name: "Webhooks" }).count(), 0);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Domains").waitFor();
    assert.equal(await page.getByRole("dialog").getByText("Webhooks").count(), 0);
    await page.keyboard.press("Escape");
    await becomes(() => page.getByRole("button", { name: /^Edit / }).first().isDisabled(), true);
    await page.goto(`${LINK}/rules`);
    await page.getByText("Everybody else").waitFor();
    assert.equal(await page.getByRole("button", { name: /New rule|Delete/ }).count(), 0);
    await inBothThemes(page, "rules of a viewer");
  });
});

test("German speaks German, and the theme can be chosen", async () => {
  await on("/links", { language: "de" }, async (page) => {
    await button(page, "Neuer Link").waitFor();
    await becomes(() => page.evaluate(() => document.documentElement.lang), "de");
    await page.locator(".side").getByLabel("Darstellung").selectOption("dark");
    await becomes(() => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme), "dark");
    await page.locator(".side").getByLabel("Sprache").selectOption("en");
    await button(page, "New link").waitFor();
    await page.reload();
    await button(page, "New link").waitFor();
  });
});

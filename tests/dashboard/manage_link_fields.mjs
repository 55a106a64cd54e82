// What a link has beside its address, in the drawer that makes and changes it: who gets through, other slashtags, what other
// systems call it, paths, and the title of its page.
import assert from "node:assert/strict";
import { api, gone, settled, toastSays } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const wrong = (page, label, words) => page.locator("dialog[open] .field", { has: page.getByLabel(label) }).locator(".field-error", { hasText: words });
const part = (page, name) => page.locator("dialog[open] summary").filter({ hasText: name });
const make = (page) => page.getByRole("button", { name: "Make link" }).click();
const PASSWORD = /^Password/;

async function openNew(tests) {
  const page = await tests.page("/links", { workspace: "empty" });
  await settled(page);
  await page.keyboard.press("n");
  await page.locator("dialog[open]").waitFor();
  return page;
}

async function edit(page) {
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await page.locator("dialog[open]").waitFor();
}

async function save(page) {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await gone(page.locator("dialog"));
}

/** The one link in the workspace of this slashtag. */
async function made(page, slashtag) {
  await toastSays(page, "Copied:");
  const links = await api("GET", `/links?slashtag=${slashtag}`, undefined, "empty");
  assert.equal(links.length, 1);
  return links[0];
}

const stored = ({ id }) => api("GET", `/links/${id}`, undefined, "empty");

async function done(page, ...links) {
  for (const { id } of links) await api("DELETE", `/links/${id}`, undefined, "empty");
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

export const fields = {
  "a link's password and its number of clicks are told at their fields, saved, shown as set, and taken away": async (tests) => {
    const page = await openNew(tests);
    await page.getByLabel("Destination").fill("https://example.com/guarded");
    await page.getByLabel(/^Slashtag/).fill("guarded");
    await part(page, /^Who gets through/).click();
    await page.getByLabel(PASSWORD).fill("short");
    await page.getByLabel("Clicks at most").fill("0");
    await make(page);
    await wrong(page, PASSWORD, "Must have at least 6 characters").waitFor();
    await wrong(page, "Clicks at most", "Must be between 1 and 1000000000").waitFor();
    await becomes(() => page.getByLabel(PASSWORD).evaluate((field) => field === document.activeElement), true);
    await page.getByLabel(PASSWORD).fill("open sesame");
    await page.getByLabel("Clicks at most").fill("many");
    await becomes(() => page.locator("dialog .field-error").count(), 0); // and their part stays open
    await make(page);
    await wrong(page, "Clicks at most", "Must be a whole number").waitFor();
    await page.getByLabel("Clicks at most").fill("3");
    await make(page);
    const link = await made(page, "guarded");
    assert.match(link.passwordSetAt, /^\d{4}-/);
    assert.deepEqual([link.maxClicks, link.clicksLeft], [3, 3]);

    await page.goto(`/links/${link.id}`);
    await page.getByText("Asks for a password. 3 clicks of 3 left.").waitFor();
    await edit(page);
    assert.deepEqual(await part(page, /^Who gets through/).locator(".badge").allInnerTexts(), ["Password", "3 clicks left"]);
    await part(page, /^Who gets through/).click();
    await page.locator("dialog .field-hint", { hasText: /^Set on .+\. Left empty, it stays\.$/ }).waitFor();
    assert.equal(await page.getByLabel(PASSWORD).inputValue(), "");
    assert.equal(await page.getByLabel("Clicks at most").inputValue(), "3");
    await page.getByLabel("Clicks at most").fill("5");
    await save(page);
    const more = await stored(link);
    assert.deepEqual([more.passwordSetAt, more.maxClicks], [link.passwordSetAt, 5]);
    await edit(page);
    await part(page, /^Who gets through/).click();
    await page.getByLabel(PASSWORD).fill("another one");
    await save(page);
    assert.notEqual((await stored(link)).passwordSetAt, link.passwordSetAt);
    await edit(page);
    await part(page, /^Who gets through/).click();
    await page.getByLabel("Ask for no password any more").check();
    await becomes(() => page.getByLabel(PASSWORD).isDisabled(), true);
    await page.getByLabel("Clicks at most").fill("");
    await save(page);
    const free = await stored(link);
    assert.deepEqual([free.passwordSetAt, free.maxClicks, free.clicksLeft], [undefined, undefined, undefined]);
    await gone(page.getByText("Asks for a password."));
    assert.doesNotMatch(await page.content(), /open sesame|another one/);
    await done(page, link);
  },
  "a link's other slashtags and its external id are told at their fields, saved, read back, and taken away": async (tests) => {
    const other = await api("POST", "/links", { destination: "https://example.com/", slashtag: "other-names", externalId: "shop-1" }, "empty");
    const page = await openNew(tests);
    await page.getByLabel("Destination").fill("https://example.com/names");
    await page.getByLabel(/^Slashtag/).fill("names");
    await part(page, /^More$/).click();
    await page.getByLabel("Other slashtags").fill("names-1, bad!");
    await page.getByLabel("External id").fill("W".repeat(256));
    await make(page);
    await wrong(page, "Other slashtags", "Must match ^[a-zA-Z0-9_-]+$").waitFor(); // of the second
    await wrong(page, "External id", "Must have 1 to 255 characters").waitFor();
    await page.getByLabel("Other slashtags").fill("names-1 s0"); // which another workspace has
    await page.getByLabel("External id").fill("shop-1");
    await becomes(() => page.locator("dialog .field-error").count(), 0);
    await make(page);
    await wrong(page, "Other slashtags", "This is taken already.").waitFor();
    await wrong(page, "External id", "This is taken already.").waitFor();
    await page.getByLabel("Other slashtags").fill("names-1 names-2 NAMES");
    await page.getByLabel("External id").fill("shop-2 <b>");
    await make(page);
    await wrong(page, "Other slashtags", "This is taken already.").waitFor(); // by the link itself
    await page.getByLabel("Other slashtags").fill(Array.from({ length: 11 }, (_, at) => `names-${at}`).join(" "));
    await make(page);
    await wrong(page, "Other slashtags", "Must have at most 10 items").waitFor();
    await page.getByLabel("Other slashtags").fill(" names-1,  names-2 ");
    await make(page);
    const link = await made(page, "names");
    assert.deepEqual([link.aliases, link.externalId], [["names-1", "names-2"], "shop-2 <b>"]);

    await page.goto(`/links/${link.id}`);
    await edit(page);
    await part(page, /^More$/).click();
    assert.equal(await page.getByLabel("Other slashtags").inputValue(), "names-1 names-2");
    assert.equal(await page.getByLabel("External id").inputValue(), "shop-2 <b>");
    await page.getByLabel("Other slashtags").fill("names-2");
    await save(page);
    assert.deepEqual((await stored(link)).aliases, ["names-2"]);
    await edit(page);
    await part(page, /^More$/).click();
    await page.getByLabel("Other slashtags").fill("");
    await page.getByLabel("External id").fill("");
    await save(page);
    const plain = await stored(link);
    assert.deepEqual([plain.aliases, plain.externalId], [undefined, undefined]);
    await done(page, link, other);
  },
  "a link that passes paths on is told where it cannot, saved, read back, and switched off": async (tests) => {
    const link = await api("POST", "/links", { destination: "https://go.acme.example/there", slashtag: "paths" }, "empty");
    const page = await tests.page(`/links/${link.id}`, { workspace: "empty" });
    await settled(page);
    const passes = page.getByLabel("Hand on what stands behind the address");
    await edit(page);
    await part(page, /^What visitors bring along/).click();
    assert.equal(await passes.isChecked(), false);
    await passes.check();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.locator("dialog[open] details[open] .field-error", { hasText: "Is on a domain of this server, where a link with passPath cannot lead to" }).waitFor();
    assert.equal((await stored(link)).passPath, undefined);
    await page.getByLabel("Destination").fill("https://example.com/docs");
    await save(page);
    assert.equal((await stored(link)).passPath, true);
    await edit(page);
    await part(page, /^What visitors bring along/).click();
    assert.equal(await passes.isChecked(), true);
    await passes.uncheck();
    await save(page);
    assert.equal((await stored(link)).passPath, undefined);
    await done(page, link);
  },
  "a link's title is fetched from its page when one asks for it, and why not is told at the field": async (tests, world) => {
    const page = await openNew(tests);
    const ask = page.getByRole("button", { name: "Fetch from the page" });
    const title = page.getByLabel("Title");
    assert.equal(await ask.isDisabled(), true);
    await page.getByLabel("Destination").fill(`${world.api}/`); // this machine, where the server goes for nobody
    await ask.click();
    await wrong(page, "Title", "Must lead to a public address").waitFor();
    assert.equal(await title.inputValue(), "");
    await page.getByLabel("Destination").fill("ftp://shop.example.com/");
    await ask.click();
    await wrong(page, "Title", "Is not a valid URL").waitFor();
    await page.getByLabel("Destination").fill("https://shop.example.com/sale");
    await page.getByLabel(/^Slashtag/).fill("titled");
    const asked = [];
    let answer = { status: 503, json: { code: "Unavailable", message: "later" } };
    await page.route("**/v1/links/title", (route) => {
      asked.push(route.request().postDataJSON());
      return route.fulfill(answer);
    });
    await ask.click();
    await wrong(page, "Title", "The page did not answer in time. Try again in a moment.").waitFor();
    answer = { json: { title: "Summer <b>sale</b>", description: "" } };
    await ask.click();
    await becomes(() => title.inputValue(), "Summer <b>sale</b>");
    await becomes(() => page.locator("dialog .field-error").count(), 0);
    answer = { json: { title: "", description: "" } };
    await ask.click();
    await toastSays(page, "The page has no title.");
    assert.equal(await title.inputValue(), "Summer <b>sale</b>");
    assert.deepEqual(asked, Array(3).fill({ destination: "https://shop.example.com/sale" }));
    await make(page);
    const link = await made(page, "titled");
    assert.equal(link.title, "Summer <b>sale</b>");
    await done(page, link);
  },
};

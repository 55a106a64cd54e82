// What every list and every part that is loaded shows while it is on its way, when there is nothing in it, and when it cannot
// be had; and that it is there as soon as it can be.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const TIME = { timeout: 60_000 };
const SOME = `/v1/workspaces/${world.workspaces.some}`;
const LINK = `/links/${world.link}`;
const DOMAIN = `/domains/${world.domain}`;
const WEBHOOK = `/webhooks/${world.webhook}`;

/**
 * Where it is, what is asked for, and what is said when there is nothing in it. `rows` are what is there of each entry, `shown`
 * is what is there in any case once it has been loaded, both `within` a part of the page.
 */
const LISTS = [
  { name: "links", address: "/links", asked: "/v1/links", empty: "Your first link is a minute away" },
  { name: "links that were searched for", address: "/links?q=spring", asked: "/v1/links/search", empty: "No link fits" },
  { name: "tags", address: "/tags", asked: "/v1/tags", empty: "Bring order into your links" },
  { name: "tags that were searched for", address: "/tags?q=print", asked: "/v1/tags", empty: "No tag fits" },
  { name: "scripts", address: "/scripts", asked: "/v1/scripts", empty: "No script yet" },
  { name: "scripts that were searched for", address: "/scripts?q=pixel", asked: "/v1/scripts", empty: "No script fits" },
  { name: "domains", address: "/domains", asked: "/v1/domains", empty: "No domain yet" },
  { name: "domains that were searched for", address: "/domains?q=acme", asked: "/v1/domains", empty: "No domain fits" },
  { name: "people", address: "/people", asked: `${SOME}/teammates`, rows: ".page > .table-frame tbody tr", empty: "Nobody fits" },
  { name: "open invites", address: "/people", within: ".part-of-page", asked: `${SOME}/invites`, empty: "There is no open invite." },
  { name: "webhooks", address: "/webhooks", asked: "/v1/webhooks", empty: "No webhook yet" },
  { name: "deliveries of a webhook", address: WEBHOOK, asked: `/v1${WEBHOOK}/deliveries`, empty: "Nothing was sent" },
  { name: "the history", address: "/history", asked: `${SOME}/audit`, empty: "Nothing has happened" },
  { name: "the history of a link", address: `${LINK}/history`, asked: `/v1${LINK}/history`, empty: "Nothing has happened" },
  { name: "workspaces of a domain", address: `${DOMAIN}/shares`, asked: `/v1${DOMAIN}/workspaces`, empty: "No workspace has the domain" },
  { name: "top links", address: "/statistics", within: ".top-links", asked: "/v1/links", empty: "No click yet" },
  { name: "rules", address: `${LINK}/rules`, asked: `/v1${LINK}/rules`, rows: "ol.rows li", empty: "No rules yet" },
  { name: "scripts to choose for a link", address: `${LINK}/scripts`, asked: "/v1/scripts", rows: "ul.rows li", empty: "No scripts yet" },
  { name: "destinations of a rotator", address: `/links/${world.rotator}/rotator`, asked: `/v1/links/${world.rotator}/rotator`, rows: ".arm", empty: "There is no destination yet: everybody gets to the link's own." },
  { name: "keys", address: "/account/keys", asked: "/v1/account/keys", empty: "No key yet" },
  { name: "applications that act for somebody", address: "/account/applications", within: ".stack > section:first-child", asked: "/v1/account/connections", shown: "p.muted", empty: "No application of others acts for you." },
  { name: "registered applications", address: "/account/applications", within: ".stack > section:last-child", asked: "/v1/account/applications", empty: "No application yet" },
  // What is no list, or never empty.
  { name: "sessions", address: "/account/security", within: ".stack > section:last-child", asked: "/v1/account/sessions" },
  { name: "the plan", address: "/account", within: ".stack > section.card", asked: "/v1/account", rows: ".limits" },
  { name: "a link", address: LINK, asked: `/v1${LINK}`, rows: "nav.tabs" },
  { name: "deep links", address: `${LINK}/apps`, asked: "/v1/apps", rows: "ul.rows li" },
  { name: "a preview card", address: `${LINK}/preview`, asked: `/v1${LINK}/opengraph`, rows: "form input" },
  { name: "conversions of a link", address: `${LINK}/conversions`, asked: `/v1${LINK}/statistics`, rows: ".figures" },
  { name: "statistics", address: "/statistics", asked: `${SOME}/statistics`, rows: ".chart svg" },
  { name: "statistics of a tag", address: `/tags/${world.tag}`, asked: `/v1/tags/${world.tag}/statistics`, rows: ".chart svg" },
  { name: "a tag", address: `/tags/${world.tag}`, asked: `/v1/tags/${world.tag}`, rows: ".chart svg" },
  { name: "a domain", address: DOMAIN, asked: `/v1${DOMAIN}`, rows: "nav.tabs" },
  { name: "a webhook", address: WEBHOOK, asked: `/v1${WEBHOOK}`, rows: ".status" },
  { name: "settings of conversions", address: "/settings", within: "section.card:has(h2)", asked: `${SOME}/conversion-tracking`, rows: "form" },
];

const UNREACHED = "The server cannot be reached. Check your connection, then try again.";
const broken = (status) => `The server has a problem (status ${status}). Try again; if it stays, tell the person who runs it.`;
/** How it can fail, and what is said then. */
const FAILURES = {
  "a fault of the server": { fulfill: { status: 500, json: { code: "InternalError", message: "x" } }, words: broken(500) },
  "a proxy's page": { fulfill: { status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }, words: broken(502) },
  "a server that is busy": { fulfill: { status: 503, headers: { "retry-after": "1" }, json: { code: "Unavailable", message: "x" } }, words: broken(503), waits: "Try again in 1 second" },
  "no connection": { abort: "internetdisconnected", words: UNREACHED },
  "an answer that is cut off": { fulfill: { status: 200, contentType: "application/json", body: '[{"id":"' }, words: UNREACHED },
  "somebody else's page": { fulfill: { status: 200, contentType: "text/html", body: "<h1>Welcome to the hotel</h1>" }, words: UNREACHED },
};

let tests;
before(async () => (tests = await open()));
after(() => tests.end());

const part = (page, { within = "#content" }) => page.locator(within).first();
const rows = (page, list) => part(page, list).locator(list.rows ?? "tbody tr");
const shown = (page, list) => part(page, list).locator(list.shown ?? `${list.rows ?? "tbody tr"}, .empty`).first();

/** From now on, until what this answers is called, `answer` is given to what the list asks for. */
async function answering(page, { asked }, answer) {
  const is = (url) => url.pathname === asked;
  await page.route(is, answer);
  return () => page.unroute(is);
}

async function isSlow(page, list) {
  let goOn;
  const waited = new Promise((go) => (goOn = go));
  const end = await answering(page, list, async (route) => {
    await waited;
    await route.continue();
  });
  await page.goto(list.address);
  await part(page, list).getByRole("status").filter({ hasText: "Loading …" }).first().waitFor();
  assert.equal(await rows(page, list).count(), 0);
  assert.equal(await part(page, list).locator(".empty, .problem").count(), 0);
  goOn();
  await shown(page, list).waitFor();
  await becomes(() => part(page, list).locator(".skeleton").count(), 0);
  assert.equal(await part(page, list).locator(".problem").count(), 0);
  await end();
}

async function fails(page, list, { fulfill, abort, words, waits }) {
  const end = await answering(page, list, (route) => (abort ? route.abort(abort) : route.fulfill(fulfill)));
  await page.goto(list.address);
  const alert = part(page, list).getByRole("alert").first();
  await alert.waitFor();
  assert.equal(await alert.locator("p").innerText(), words);
  assert.equal(await part(page, list).locator(".empty").count(), 0);
  await becomes(() => part(page, list).locator(".skeleton").count(), 0);
  const again = part(page, list).getByRole("button", { name: "Try again", exact: true });
  if (waits) {
    const later = alert.getByRole("button", { name: waits });
    await later.waitFor();
    assert.equal(await later.isDisabled(), true);
    await again.first().waitFor();
  }
  await end();
  const problems = part(page, list).locator(".problem"); // statistics are asked for part by part
  for (let left = await problems.count(); left > 0; left = await problems.count()) {
    await again.first().click();
    await problems.nth(left - 1).waitFor({ state: "detached" });
  }
  await shown(page, list).waitFor();
}

async function isEmpty(page, list) {
  const end = await answering(page, list, (route) => route.fulfill({ json: [] }));
  await page.goto(list.address);
  await part(page, list).getByText(list.empty, { exact: true }).waitFor();
  assert.equal(await rows(page, list).count(), 0);
  await becomes(() => part(page, list).locator(".skeleton, .problem").count(), 0);
  assert.equal(await page.getByRole("navigation", { name: "Pages" }).count(), 0);
  await end();
}

for (const list of LISTS) {
  test(`${list.name}: on the way, failing${list.empty ? ", empty" : ""}, and there again`, TIME, async () => {
    const page = await tests.page("/workspaces");
    await isSlow(page, list);
    for (const [name, failure] of Object.entries(FAILURES)) {
      await fails(page, list, failure).catch((error) => {
        error.message = `${name}: ${error.message}`;
        throw error;
      });
    }
    if (list.empty) await isEmpty(page, list);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

test("an address with escapes that mean nothing has a page", TIME, async () => {
  const page = await tests.page("/links/%E0%A4%A");
  await page.getByText("It is not there, or not in this workspace.").waitFor();
  await page.locator(".side").getByRole("link", { name: "Tags" }).click();
  await page.getByRole("heading", { level: 1, name: "Tags" }).waitFor();
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// What each role is shown is what it may do: the screens of a workspace as five people see them, against matrix_table.mjs, and
// the call behind each control, made with their sessions.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./looks.mjs";
import { NAVIGATION, ROLES, SCREENS } from "./matrix_table.mjs";
import { becomes, watch } from "./watching.mjs";

const { addresses, made, domain, api, keys } = JSON.parse(process.env.SLASHPOST_MATRIX);
const origin = new URL(addresses.owner).origin;
const TIME = { timeout: 120_000 };

let browser;
/** The page of each role, in a browser of its own, at work in the workspace. */
const pages = {};

before(async () => {
  browser = await launch();
  for (const role of ROLES) {
    const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, locale: "en", reducedMotion: "reduce" });
    await context.addInitScript((id) => sessionStorage.setItem("workspace", id), made.workspace);
    pages[role] = await context.newPage();
    pages[role].setDefaultTimeout(20_000);
    await watch(pages[role], origin);
    await pages[role].goto(addresses[role]);
    await pages[role].waitForSelector("#content h1");
  }
});
after(() => browser.close());

const rank = (role) => ROLES.indexOf(role);
const may = (role, { least = "viewer", most = "owner", below = "" }) => (below ? rank(role) < rank(below) : rank(role) >= rank(least) && rank(role) <= rank(most));
/** With the ids of what is meant in place of its names in braces. */
const filled = (text, names) => text.replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? made[name] ?? whole);

/** What can be pressed, chosen or typed into in a part of the page, and the parts of a screen: each name once. */
function namesIn(root) {
  const nameOf = (element) => element.getAttribute("aria-label") ?? (element.labels?.[0] ? element.labels[0].firstChild.textContent : element.textContent);
  const controls = [...root.querySelectorAll("button, input, select, textarea, nav.tabs a")].filter((one) => !one.disabled && one.checkVisibility());
  return [...new Set(controls.map((one) => nameOf(one).replace(/\s+/g, " ").trim()))].sort();
}

const wanted = (role, rows) => [...new Set(rows.filter((one) => may(role, one)).map((one) => one.name))].sort();

async function arrive(page, address) {
  await page.goto(address);
  await page.waitForSelector("#content h1");
  await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
}

/** A key that opens a dialog for those only who may do what it is for. */
async function press(page, role, { press: key, least }) {
  await page.keyboard.press(key);
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  assert.equal(await page.locator("dialog[open]").count(), rank(role) >= rank(least) ? 1 : 0, `the key ${key}`);
}

for (const role of ROLES) {
  test(`the ${role} is shown what a ${role} may do, and nothing else`, TIME, async () => {
    const page = pages[role];
    await page.goto("/links");
    const navigation = page.locator(".side nav a");
    await navigation.first().waitFor();
    assert.deepEqual((await navigation.allInnerTexts()).sort(), wanted(role, NAVIGATION));
    for (const screen of SCREENS.filter((one) => may(role, one))) {
      await arrive(page, filled(screen.address, {}));
      await screen.act?.(page);
      const root = screen.root?.(page) ?? page.locator("#content");
      const shown = async () => (await root.evaluate(namesIn)).map((name) => name.replaceAll(domain, "go"));
      try {
        await becomes(shown, wanted(role, screen.shown));
        await page.waitForFunction(() => !document.querySelector(".skeleton, [aria-busy=true]"));
        assert.deepEqual(await shown(), wanted(role, screen.shown));
        if (screen.key) await press(page, role, screen.key);
      } catch (error) {
        error.message = `${screen.name}: ${error.message}`;
        throw error;
      }
    }
    assert.deepEqual(page.faults, []);
  });
}

/** Asks as the page of somebody does. */
function askIn(page, method, path, body) {
  return page.evaluate(
    async ([method, path, body, workspace]) => {
      const headers = { accept: "application/json", workspace, ...(body ? { "content-type": "application/json" } : {}) };
      const answer = await fetch(`/v1${path}`, { method, headers, ...(body ? { body } : {}) });
      return { status: answer.status, code: answer.ok ? "" : (await answer.json()).code };
    },
    [method, path, body, made.workspace],
  );
}

/** Asks as the one does whose key it is. */
async function askWith(key, method, path, body) {
  const headers = { apikey: key, workspace: made.workspace, ...(body ? { "content-type": "application/json" } : {}) };
  const answer = await fetch(`${api}/v1${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, `${method} ${path}`);
  return answer.json();
}

/** Links to be deleted, of the owner and of the guest. */
async function freshFor(text) {
  const made = {};
  for (const [name, key] of [["freshHers", keys.hers], ["freshHis", keys.his]]) {
    if (text.includes(`{${name}}`)) made[name] = (await askWith(key, "POST", "/links", { destination: "https://example.com/" })).id;
  }
  return made;
}

const WORDS = { 200: "", 403: "Forbidden", 404: "NotFound" };

for (const role of ROLES) {
  test(`what the ${role} is shown is done, and what is not shown is refused`, TIME, async () => {
    const page = pages[role];
    await page.goto("/account"); // where nothing of the workspace is asked for meanwhile
    await page.waitForSelector("#content h1");
    const found = [];
    const expected = [];
    for (const { name, shown } of [{ name: "navigation", shown: NAVIGATION }, ...SCREENS]) {
      for (const one of shown.filter((row) => row.call)) {
        const body = one.body && JSON.stringify(one.body);
        const names = { role, ...(await freshFor(body ?? "")) };
        const [method, path] = filled(one.call, names).split(" ");
        const { status, code } = await askIn(page, method, path, body && filled(body, names));
        const wants = may(role, one) ? one.done : one.refused;
        found.push(`${name}: ${one.name}: ${one.call}: ${status} ${code}`);
        expected.push(`${name}: ${one.name}: ${one.call}: ${wants} ${WORDS[wants]}`);
        if (one.after && status === 200) await askWith(keys.hers, ...filled(one.after, names).split(" "));
      }
    }
    assert.ok(found.length > 60, `${found.length} calls`);
    assert.deepEqual(found, expected);
  });
}

test("whoever is no owner leaves by what would delete the workspace, and the owner deletes it", TIME, async () => {
  for (const role of ["viewer", "guest", "user", "admin"]) {
    assert.deepEqual(await askIn(pages[role], "DELETE", `/workspaces/${made.workspace}`), { status: 200, code: "" });
    assert.deepEqual(await askIn(pages[role], "GET", "/links"), { status: 404, code: "NotFound" });
    assert.equal((await askWith(keys.hers, "GET", `/workspaces/${made.workspace}`)).name, "Matrix");
  }
  assert.deepEqual(await askIn(pages.owner, "DELETE", `/workspaces/${made.workspace}`), { status: 200, code: "" });
  assert.deepEqual(await askIn(pages.owner, "GET", "/links"), { status: 404, code: "NotFound" });
});

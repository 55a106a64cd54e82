// What others do to get at who is signed in to the dashboard: in a browser, on the listener of the program itself.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { launch } from "./looks.mjs";
import { becomes } from "./watching.mjs";

const { addresses, links } = JSON.parse(process.env.SLASHPOST_ATTACKS);
const origin = new URL(addresses.ben).origin;
const PASSWORD = "correct horse battery";
const WEEK = 7 * 24 * 3600;
const TIME = { timeout: 60_000 };
const REBOUND = "rebound.example"; // whose name leads here

let browser, evil;
/** Pages of somebody else: on this machine's other name, which is another site, and on another port of the same one. */
let sites;

before(async () => {
  browser = await launch(`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`);
  evil = http.createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    response.end('<!doctype html><html lang="en"><title>Win a prize</title><h1>Win a prize</h1>');
  });
  await new Promise((listening) => evil.listen(0, "127.0.0.1", listening));
  const { port } = evil.address();
  sites = { "another site": `http://127.0.0.1:${port}`, "another port of the same site": `http://localhost:${port}` };
});
after(async () => {
  await browser.close();
  evil.close();
});

/** A page in a browser of its own. */
async function newPage() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  return page;
}

async function signIn(page, name, password = PASSWORD) {
  await page.getByLabel("User name or e-mail").fill(name);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

/** Signed in by the address, which is good once, or, from the second time on, by the password that was chosen then. */
const known = new Set();
async function pageOf(name) {
  const page = await newPage();
  await page.goto(known.has(name) ? origin : addresses[name]);
  if (known.has(name)) await signIn(page, name);
  await page.waitForSelector("#content h1");
  if (!known.has(name)) assert.equal((await ask(page, "PUT", "/session/password", { new: PASSWORD })).status, 204);
  known.add(name);
  return page;
}

/** What the dashboard's own page is answered. */
function ask(page, method, address, body) {
  return page.evaluate(
    async ([method, address, body]) => {
      const headers = { accept: "application/json", ...(body ? { "content-type": "application/json" } : {}) };
      const answer = await fetch(address, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
      return { status: answer.status, ...(answer.status === 204 ? {} : { said: await answer.json() }) };
    },
    [method, address, body],
  );
}

const cookieOf = async (page) => (await page.context().cookies(origin)).find((one) => one.name === "slashpost");
/** The status with this token alone, as a program asks. */
const statusWith = async (token) => (await fetch(`${origin}/v1/account`, { headers: { cookie: `slashpost=${token}`, accept: "application/json" } })).status;
const whoIs = async (page) => (await ask(page, "GET", "/session")).said.account?.username;

test("the cookie of a session is out of the reach of scripts and of other sites, and keeps nothing else in the browser", TIME, async () => {
  const page = await pageOf("ben");
  const { value, expires, ...rest } = await cookieOf(page);
  assert.match(value, /^[0-9a-f]{64}$/);
  assert.ok(expires - Date.now() / 1000 > WEEK - 120 && expires - Date.now() / 1000 <= WEEK, String(expires));
  assert.deepEqual([rest.path, rest.domain, rest.httpOnly, rest.sameSite], ["/", "localhost", true, "Strict"]);
  assert.equal(await page.evaluate(() => document.cookie), "");
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href]));
  assert.equal(kept.includes(value), false);
  assert.equal(kept.includes(addresses.ben.split("#")[1]), false);
  await page.context().close();
});

test("a cookie that was planted before somebody signs in is another one afterwards, and worth nothing", TIME, async () => {
  const planted = "0123456789abcdef".repeat(4);
  const page = await newPage();
  await page.context().addCookies([{ name: "slashpost", value: planted, url: origin }]);
  await page.goto(origin);
  await signIn(page, "ben");
  await page.waitForSelector("#content h1");
  const { value } = await cookieOf(page);
  assert.notEqual(value, planted);
  assert.deepEqual([await statusWith(value), await statusWith(planted)], [200, 401]);
  await page.context().close();
});

test("a session of somebody else that was planted is ended when the person signs in", TIME, async () => {
  const eve = await pageOf("eve");
  const { value: planted } = await cookieOf(eve);
  assert.equal(await statusWith(planted), 200);
  const page = await newPage();
  await page.context().addCookies([{ name: "slashpost", value: planted, url: origin }]);
  await page.goto(addresses.mia);
  await page.waitForSelector("#content h1");
  await becomes(() => whoIs(page), "mia");
  assert.notEqual((await cookieOf(page)).value, planted);
  assert.equal(await statusWith(planted), 401);
  await eve.reload();
  await eve.getByRole("heading", { name: "Sign in to Slashpost" }).waitFor();
  await eve.context().close();
  await page.context().close();
});

test("a second cookie of the same name, which a page of another port may set, acts for nobody", TIME, async () => {
  const eve = await pageOf("eve");
  const { value: planted } = await cookieOf(eve);
  const page = await pageOf("ben");
  await page.context().addCookies([{ name: "slashpost", value: planted, domain: "localhost", path: "/v1" }]);
  const answer = await ask(page, "GET", "/v1/account");
  assert.equal(answer.status, 401);
  assert.equal((await ask(page, "POST", "/v1/links", { destination: "https://example.com/" })).status, 401);
  assert.equal(await statusWith(planted), 200); // it was good
  await page.context().close();
  await eve.context().close();
});

const JSON_AS_FORM = { name: '{"destination":"https://evil.example/","slashtag":"evil","title":"', value: '"}' };
/** What a form of somebody else is answered: by who has no cookie along, and by who has. */
const FORMS = [
  { path: "/session", type: "application/x-www-form-urlencoded", fields: { user: "eve", password: PASSWORD }, refused: { "another site": 403, "another port of the same site": 403 } },
  { path: "/session", type: "text/plain", fields: { '{"user":"eve","password":"': `${PASSWORD}"}` }, refused: { "another site": 403, "another port of the same site": 403 } },
  { path: "/v1/links", type: "text/plain", fields: { [JSON_AS_FORM.name]: JSON_AS_FORM.value }, refused: { "another site": 401, "another port of the same site": 403 } },
  { path: "/v1/links", type: "application/x-www-form-urlencoded", fields: { destination: "https://evil.example/" }, refused: { "another site": 401, "another port of the same site": 403 } },
];

/** Sends the form in the page's place; answers the status. */
async function post(page, { path, type, fields }) {
  const answered = page.waitForResponse((response) => response.url() === `${origin}${path}` && response.request().method() === "POST");
  await page.evaluate(
    ([action, type, fields]) => {
      const form = Object.assign(document.createElement("form"), { action, method: "post", enctype: type });
      for (const [name, value] of Object.entries(fields)) form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
      document.body.append(form);
      form.submit();
    },
    [`${origin}${path}`, type, fields],
  );
  return (await answered).status();
}

/** Calls of scripts: method, address, headers, body, and whether the browser sends them without asking first. */
const CALLS = [
  ["POST", "/v1/links", { "content-type": "text/plain" }, '{"destination":"https://evil.example/"}', "no-cors"],
  ["POST", "/v1/links", { "content-type": "application/json" }, '{"destination":"https://evil.example/"}', "cors"],
  ["POST", "/session", { "content-type": "text/plain" }, JSON.stringify({ user: "eve", password: PASSWORD }), "no-cors"],
  ["PUT", "/session/password", { "content-type": "application/json" }, '{"new":"a password of eve"}', "cors"],
  ["DELETE", "/session", {}, undefined, "cors"],
  ["GET", "/v1/account", {}, undefined, "cors"],
  ["GET", "/session", {}, undefined, "cors"],
  ["GET", "/v1/links/new?destination=https://evil.example/", {}, undefined, "no-cors"],
];

/** What the page gets to read of each. */
function tryCalls(page) {
  return page.evaluate(
    ([origin, calls]) =>
      Promise.all(
        calls.map(async ([method, path, headers, body, mode]) => {
          try {
            return await (await fetch(`${origin}${path}`, { method, headers, mode, credentials: "include", ...(body ? { body } : {}) })).text();
          } catch {
            return "";
          }
        }),
      ),
    [origin, CALLS],
  );
}

for (const name of ["another site", "another port of the same site"]) {
  test(`pages of ${name} do nothing in the name of who is signed in, and read nothing`, TIME, async () => {
    const page = await pageOf("ben");
    const { value } = await cookieOf(page);
    for (const form of FORMS) {
      const sender = await page.context().newPage(); // of its own, as what is answered is still being shown
      await sender.goto(sites[name]);
      assert.equal(await post(sender, form), form.refused[name], `${form.path} as ${form.type}`);
      await sender.close();
    }
    const other = await page.context().newPage();
    // A call that reads by its method and makes a link: followed, and as a picture.
    const making = `${origin}/v1/links/new?destination=https://evil.example/`;
    await other.goto(sites[name]);
    const followed = other.waitForResponse(making);
    await other.evaluate((address) => location.assign(address), making);
    assert.equal((await followed).status(), name === "another site" ? 401 : 403);
    await other.waitForURL(making);
    await other.goto(sites[name]);
    await other.evaluate((address) => new Promise((done) => document.body.append(Object.assign(new Image(), { src: address, onload: done, onerror: done }))), making);
    assert.deepEqual(await tryCalls(other), CALLS.map(() => ""));
    assert.equal((await cookieOf(page)).value, value);
    assert.equal(await whoIs(page), "ben");
    assert.deepEqual((await ask(page, "GET", "/v1/links/count?status=active,trashed")).said, { count: 0 });
    await page.context().close();
    await (await pageOf("ben")).context().close(); // by the password of before
  });
}

test("an address that signs in does so once, and is not in the browser's history", TIME, async () => {
  const page = await newPage();
  await page.goto("about:blank");
  await page.goto(addresses.ida);
  await page.waitForSelector("#content h1");
  await becomes(() => page.url(), `${origin}/`);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in to Slashpost" }).waitFor();
  await page.goBack();
  await page.goForward();
  await page.getByRole("heading", { name: "Sign in to Slashpost" }).waitFor();
  assert.equal(page.url(), `${origin}/`);
  const thief = await newPage();
  for (let tries = 0; tries < 2; ++tries) {
    await thief.goto("about:blank");
    await thief.goto(addresses.ida);
    await thief.getByRole("alert").filter({ hasText: "This sign-in address has been used already or is too old. Ask for a new one." }).waitFor();
    assert.equal(await cookieOf(thief), undefined);
  }
  await thief.context().close();
  await page.context().close();
});

/** Wrong passwords until one has to wait, and long enough for another try before that is over; answers for how many seconds. */
async function guess(page, name) {
  for (let tries = 1; tries <= 8; ++tries) {
    const answered = page.waitForResponse((response) => response.url() === `${origin}/session` && response.request().method() === "POST");
    await signIn(page, name, `guess ${tries}`);
    const answer = await answered;
    await page.getByRole("alert").waitFor();
    const wait = Number(answer.headers()["retry-after"] ?? 0);
    if (tries <= 3) assert.equal(answer.status(), 401); // they wait for nothing
    else if (answer.status() !== 401) assert.equal(answer.status(), 429);
    if (wait >= 2) return wait;
  }
  return 0;
}

test("guessing a password is slowed down, for names that nobody has as well, and the right one waits, too", { timeout: 120_000 }, async () => {
  await (await pageOf("dan")).context().close();
  for (const name of ["nobody-is-called-so", "dan"]) {
    const page = await newPage();
    await page.goto(origin);
    const wait = await guess(page, name);
    assert.ok(wait >= 2 && wait <= 60, `${wait} s`);
    assert.equal(await page.getByRole("alert").innerText(), "Too many tries. Wait 1 minute, then try again.");
    assert.equal(await page.getByLabel("User name or e-mail").inputValue(), name);
    assert.equal(await cookieOf(page), undefined);
    if (name === "dan") {
      assert.equal((await ask(page, "POST", "/session", { user: name, password: PASSWORD })).status, 429);
      assert.equal(await cookieOf(page), undefined);
      await page.waitForTimeout(wait * 1000);
      await signIn(page, name);
      await page.waitForSelector("#content h1");
    }
    await page.context().close();
  }
  await (await pageOf("ben")).context().close(); // whom that did not keep out
});

test("where short links are the session's cookie is sent, for ports are nothing to cookies, and worth nothing", TIME, async () => {
  const page = await pageOf("ben");
  const { value } = await cookieOf(page);
  for (const path of ["/v1/account", "/v1/links", "/v1/links/new?destination=https://example.com/"]) {
    const answer = await page.goto(`${links}${path}`);
    assert.equal(answer.status(), 401, path);
    assert.ok(((await answer.request().allHeaders()).cookie ?? "").includes(value), path);
  }
  await page.goto(origin);
  await page.waitForSelector("#content h1");
  assert.deepEqual((await ask(page, "GET", "/v1/links/count")).said, { count: 0 });
  await page.context().close();
});

test("a name that was made to lead here is shown nothing", TIME, async () => {
  const page = await newPage();
  const rebound = new URL(origin);
  rebound.hostname = REBOUND;
  for (const path of ["/", "/session", "/v1/account"]) {
    const answer = await page.goto(`${rebound.origin}${path}`);
    assert.equal(answer.status(), 403, path);
    assert.match(await answer.text(), /^The dashboard answers to the names of its own machine only/);
  }
  await page.context().close();
});

test("no page shows the dashboard in a frame, and none that opens it gets hold of it", TIME, async () => {
  const page = await pageOf("ben");
  const other = await page.context().newPage();
  let refused = 0;
  other.on("console", (message) => (refused += message.text().includes("frame-ancestors") ? 1 : 0));
  for (const site of Object.values(sites)) {
    await other.goto(site);
    const show = (address) => other.evaluate((src) => new Promise((done) => document.body.append(Object.assign(document.createElement("iframe"), { src, onload: () => done() }))), address);
    await show(`${site}/framed`); // which can be
    await becomes(() => other.frames()[1].url(), `${site}/framed`);
    for (const path of ["/", "/links", "/sign-in", "/connect/authorize"]) {
      const before = refused;
      await show(`${origin}${path}`);
      await becomes(() => refused > before, true);
      assert.ok(!other.frames().some((frame) => frame.url().startsWith(origin)), path);
    }
    const opened = other.waitForEvent("popup");
    await other.evaluate((address) => { globalThis.opened = open(address); }, origin);
    const popup = await opened;
    await popup.waitForSelector("#content h1, .sign-in");
    assert.equal(await popup.evaluate(() => opener), null);
    await becomes(() => other.evaluate(() => globalThis.opened.closed), true); // as far as this page is told
    await popup.close();
  }
  await page.context().close();
});

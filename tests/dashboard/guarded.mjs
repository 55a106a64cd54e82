// The pages in front of links that not everybody gets to, as visitors have them before them.
import assert from "node:assert/strict";
import http from "node:http";
import { after, before, test } from "node:test";
import { launch, looksGood } from "./looks.mjs";
import { becomes, watch } from "./watching.mjs";

const { links, key } = JSON.parse(process.env.SLASHPOST_GUARDED);
const PERSON = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const BOT = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
const TIME = { timeout: 60_000 };
const TRIES = 10; // with the password of one link, from one address

let browser, site, destination;
/** What the destination was asked for. A site of this machine: Playwright does not step in where a redirect leads. */
const arrived = [];

before(async () => {
  browser = await launch();
  site = http.createServer((request, response) => {
    if (request.url !== "/favicon.ico") arrived.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "text/html" });
    response.end('<!doctype html><html lang="en"><title>There</title><h1>You are there</h1>');
  });
  await new Promise((listening) => site.listen(0, "127.0.0.1", listening));
  destination = `http://localhost:${site.address().port}`;
});
after(async () => {
  await browser.close();
  site.close();
});

async function make(slashtag, more) {
  const answer = await fetch(`${links}/v1/links`, { method: "POST", headers: { apikey: key, "content-type": "application/json" }, body: JSON.stringify({ destination: `${destination}/there`, slashtag, ...more }) });
  assert.equal(answer.status, 200);
}

async function open(path, agent = PERSON) {
  arrived.length = 0;
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en", reducedMotion: "reduce", userAgent: agent });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await watch(page, links, destination);
  await page.goto(`${links}${path}`);
  return page;
}

async function done(page) {
  assert.deepEqual(page.faults.filter((one) => !one.includes("/favicon.ico")), []); // which the browser asks for by itself
  await page.context().close();
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name, exact: true });
const focused = (page) => page.evaluate(() => document.activeElement.id);

test("a password is typed with the keyboard alone, a wrong one is told, and the right one leads on", TIME, async () => {
  await make("plan", { password: "open sesame" });
  const page = await open("/plan?utm_source=x");
  await heading(page, "This link asks for a password").waitFor();
  await page.getByText("Whoever sent you the link knows it.").waitFor();
  await becomes(() => focused(page), "password");
  assert.equal(await page.getByLabel("Password").getAttribute("type"), "password");
  await looksGood(page, "password");
  await page.keyboard.press("Enter"); // nothing is sent of an empty field
  await page.keyboard.type("open sesam");
  await page.keyboard.press("Enter");
  const told = page.getByRole("alert");
  await told.waitFor();
  assert.equal(await told.innerText(), "That is not the password.");
  await becomes(() => focused(page), "password");
  const field = page.getByLabel("Password");
  assert.equal(await field.inputValue(), "");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.equal(await field.getAttribute("aria-describedby"), await told.getAttribute("id"));
  await looksGood(page, "wrong password");
  assert.equal(page.url(), `${links}/plan?utm_source=x`);
  assert.deepEqual(arrived, []);
  await page.keyboard.type("open sesame");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter"); // on the button
  await heading(page, "You are there").waitFor();
  assert.equal(page.url(), `${destination}/there?utm_source=x`);
  assert.deepEqual(arrived, ["GET /there?utm_source=x"]);
  await done(page);
});

test("a password with spaces, marks and letters of any script is taken as it was typed", TIME, async () => {
  await make("marks", { password: " a+b & 100% Größe مرحبا " });
  const page = await open("/marks");
  await page.getByLabel("Password").fill(" a+b & 100% Größe مرحبا ");
  await page.getByRole("button", { name: "Continue" }).click();
  await heading(page, "You are there").waitFor();
  assert.deepEqual(arrived, ["GET /there"]);
  await done(page);
});

test("a program that only looks is shown a page with the way on, which is for people", TIME, async () => {
  await make("few", { maxClicks: 1 });
  const page = await open("/few", BOT);
  await heading(page, "This link is for people").waitFor();
  assert.equal(await page.getByRole("link", { name: "Continue" }).getAttribute("href"), `${links}/few`);
  await looksGood(page, "for people");
  assert.deepEqual(arrived, []);
  await done(page);
  const person = await open("/few");
  await heading(person, "You are there").waitFor();
  await done(person);
});

test("who has tried too often is told how long to wait, and is not let through by the right password", TIME, async () => {
  await make("locked", { password: "open sesame" });
  for (let tries = 0; tries < TRIES; ++tries) {
    const answer = await fetch(`${links}/locked`, { method: "POST", redirect: "manual", headers: { "user-agent": PERSON }, body: new URLSearchParams({ password: `wrong ${tries}` }) });
    assert.equal(answer.status, 403);
  }
  const page = await open("/locked");
  await page.keyboard.type("open sesame");
  await page.keyboard.press("Enter");
  await heading(page, "Too many tries").waitFor();
  await page.getByText(/^The password may be tried again in (\d+ seconds?|\d+ minutes)\.$/).waitFor();
  await looksGood(page, "too many tries");
  assert.deepEqual(arrived, []);
  await done(page);
});

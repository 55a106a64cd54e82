// The dashboard of the program itself, from the first address on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium, firefox } from "playwright-core";
import { becomes, watch } from "./watching.mjs";

const { address, links, key, browser: name } = JSON.parse(process.env.SLASHPOST_JOURNEY);
const PASSWORD = "correct horse battery";
const PERSON = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";

const BROWSERS = {
  chromium: () => chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] }),
  "firefox-esr": () => firefox.launch({ channel: "moz-firefox", executablePath: "/usr/bin/firefox-esr" }), // as Mozilla makes it
};
let browser;
before(async () => (browser = await BROWSERS[name]()));
after(() => browser.close());

test("from the first start to a link with a click, on a phone, and back in with a password", { timeout: 100_000 }, async () => {
  const pages = [];
  const open = async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en", reducedMotion: "reduce" });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await watch(page, new URL(address).origin);
    pages.push(page);
    return page;
  };
  const page = await open();
  await page.goto(address);
  await page.getByRole("button", { name: "New link", exact: true }).first().click();
  assert.equal(page.url().includes("#"), false, "the address keeps no secret");
  await page.getByLabel("Destination").fill("https://example.com/autumn");
  await page.getByLabel(/^Slashtag/).fill("autumn");
  await page.getByText("Free in this workspace.").waitFor();
  await page.locator("dialog[open] button[type=submit]").click();
  await page.getByText(`${links.replace("http://", "")}/autumn`).first().waitFor();

  for (let visit = 0; visit < 3; ++visit) {
    const answer = await fetch(`${links}/autumn`, { redirect: "manual", headers: { "user-agent": PERSON } });
    assert.equal(answer.headers.get("location"), "https://example.com/autumn");
  }
  const [link] = await (await fetch(`${links}/v1/links`, { headers: { apikey: key } })).json();
  let shown = "";
  for (let look = 0; look < 30 && !/\b3\b/.test(shown); ++look) {
    await page.goto(new URL(`/links/${link.id}`, address).href);
    await page.waitForSelector(".figure-value");
    await page.waitForTimeout(300);
    shown = (await page.locator(".figure-value").allTextContents()).join(" ");
  }
  assert.match(shown, /\b3\b/);

  // A password, so that the next time needs no shell.
  const said = await page.evaluate(async (password) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/session/password", { method: "PUT", headers, body: JSON.stringify({ new: password }) })).status;
  }, PASSWORD);
  assert.equal(said, 204);
  const again = await open();
  await again.goto(new URL("/", address).href);
  await again.getByLabel("User name or e-mail").fill("admin");
  await again.getByLabel("Password").fill(PASSWORD);
  await again.keyboard.press("Enter");
  await again.getByText("https://example.com/autumn").first().waitFor();
  const spent = await open();
  await spent.goto(address);
  await spent.getByLabel("User name or e-mail").waitFor();
  assert.deepEqual(pages.flatMap((one) => one.faults), []);
  // A fault would have been seen.
  await spent.evaluate(() => document.body.append(Object.assign(new Image(), { src: "https://elsewhere.example/" })));
  await becomes(() => spent.faults.some((one) => one.includes("Content Security Policy: img-src https://elsewhere.example")), true);
});

// The dashboard of the program itself: the second factor, and invites.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, test } from "node:test";
import { launch, looksGood } from "./looks.mjs";
import { becomes, watch } from "./watching.mjs";

const { addresses, api, key } = JSON.parse(process.env.SLASHPOST_PEOPLE);
const origin = new URL(addresses.admin).origin;
const PASSWORD = "correct horse battery";
const PICTURES = "https://pictures.example"; // which the tests are, and nothing else

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

/** A browser of somebody's own, at an address; what its page breaks is in `faults`. */
async function open(address, { language = "en" } = {}) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: language, reducedMotion: "reduce", permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await watch(page, origin, PICTURES);
  await page.goto(address);
  await page.waitForSelector("h1");
  return page;
}

/** Once the first test has given the admin a password. */
async function openAsAdmin() {
  const page = await open(origin);
  await page.getByLabel("User name or e-mail").fill("admin");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForSelector("#content h1");
  return page;
}

async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** The code of RFC 6238 that an app shows for the secret. */
function totp(secret) {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const bits = [...secret.replace(/ /g, "")].map((one) => letters.indexOf(one).toString(2).padStart(5, "0")).join("");
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((one) => parseInt(one, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const mac = createHmac("sha1", bytes).update(step).digest();
  const at = mac[19] & 15;
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

async function ask(method, path, body) {
  const answer = await fetch(`${api}/v1${path}`, { method, headers: { apikey: key, "content-type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

/** The address of an invite, as the dashboard shows it to who invites. */
async function invite(email) {
  const [{ id }] = await ask("GET", "/workspaces");
  const { invites } = await ask("POST", `/workspaces/${id}/invite`, { emails: [email], role: "guest", message: "Join us <b>now</b>" });
  const token = /invites\/(\w+)\/accept/.exec(invites[0].acceptUrl)[1];
  return { address: `${origin}/invite#${token}`, withdraw: () => ask("DELETE", `/workspaces/${id}/invites/${invites[0].id}`) };
}

test("a second factor is set up, asked for, its codes renewed, and switched off", { timeout: 120_000 }, async () => {
  const page = await open(addresses.admin);
  await page.waitForSelector("#content h1");
  await page.goto(`${origin}/account/security`);
  await page.getByLabel("New password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("New password again").fill(PASSWORD);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The password is changed.").waitFor();
  await page.getByRole("button", { name: "Set up" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("QR code for the authenticator app").waitFor();
  await looksGood(page);
  const secret = await page.locator(".secret code").innerText();
  await page.getByLabel("Code", { exact: true }).fill("000000");
  await page.keyboard.press("Enter");
  await page.locator(".field-error").waitFor();
  await page.getByLabel("Code", { exact: true }).fill(totp(secret));
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  const codes = await page.locator(".recovery-codes code").allInnerTexts();
  assert.equal(codes.length, 10);
  await looksGood(page);
  await page.getByRole("button", { name: "Copy all" }).click();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), codes.join("\n"));
  await page.getByRole("button", { name: "I have kept them" }).click();
  await page.getByText("You have 10 recovery codes left.").waitFor();

  const again = await open(origin);
  await again.getByLabel("User name or e-mail").fill("admin");
  await again.getByLabel("Password").fill(PASSWORD);
  await again.keyboard.press("Enter");
  await again.getByRole("heading", { name: "One more step" }).waitFor();
  await looksGood(again);
  await again.getByLabel("Code", { exact: true }).fill("000000");
  await again.keyboard.press("Enter");
  await again.getByText("This code is not right, or was used already.").waitFor();
  await again.waitForTimeout(1200);
  await again.getByLabel("Code", { exact: true }).fill(codes[0]);
  await again.keyboard.press("Enter");
  await again.waitForSelector("#content h1");

  await again.goto(`${origin}/account/security`);
  await again.getByText("You have 9 recovery codes left.").waitFor();
  await again.getByRole("button", { name: "New recovery codes" }).click();
  await again.getByLabel("Code", { exact: true }).fill(codes[1]);
  await again.keyboard.press("Enter");
  await again.getByRole("heading", { name: "Your recovery codes" }).waitFor();
  await again.keyboard.press("Escape");
  await again.getByText("You have 10 recovery codes left.").waitFor();
  await again.getByRole("button", { name: "Switch off" }).click();
  await again.getByLabel("Show that it is you by").selectOption("password");
  await again.getByLabel("Present password").last().fill("something else");
  await again.keyboard.press("Enter");
  await again.locator("dialog .field-error").waitFor();
  await again.getByLabel("Present password").last().fill(PASSWORD);
  await again.keyboard.press("Enter");
  await again.getByText("The second factor is off.").waitFor();
  await done(again);
  await done(page);
});

test("a picture from elsewhere is shown where the operator allows it, and initials where it is none", { timeout: 60_000 }, async () => {
  const page = await openAsAdmin();
  await page.route(`${PICTURES}/**`, (route) => (route.request().url().endsWith("/me.svg") ? route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>' }) : route.fulfill({ status: 404 })));
  await page.goto(`${origin}/account`);
  await page.getByLabel("Address of a picture").fill(`${PICTURES}/me.svg`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const picture = page.locator("main img.avatar");
  await picture.waitFor();
  await page.waitForFunction(() => document.querySelector("main img.avatar").naturalWidth > 0);
  await looksGood(page);
  await page.getByLabel("Address of a picture").fill(`${PICTURES}/none.png`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await picture.waitFor({ state: "detached" });
  assert.match(await page.locator("main .avatar").innerText(), /^\w{1,2}$/);
  await page.getByLabel("Address of a picture").fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Your profile is saved.").last().waitFor();
  for (let tries = 0; tries < 50 && (await ask("GET", "/account")).avatarUrl; ++tries) await page.waitForTimeout(100);
  assert.equal((await ask("GET", "/account")).avatarUrl, "");
  await done(page);
});

test("who is invited and has no account makes one in the page, and begins in the workspace", { timeout: 60_000 }, async () => {
  const { address } = await invite("new@example.com");
  const page = await open(address);
  await page.getByText("Join us <b>now</b>").waitFor();
  assert.equal(page.url(), `${origin}/invite`);
  await page.reload();
  await page.getByLabel("User name").fill("admin");
  await page.getByLabel("Password").fill("short");
  await looksGood(page);
  await page.getByRole("button", { name: "Make account and accept" }).click();
  await page.locator(".field-error").waitFor();
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByText("This is taken already.").waitFor();
  await page.getByLabel("User name").fill("newcomer");
  await page.keyboard.press("Enter");
  await page.getByText("You work in Main workspace now.").waitFor();
  await page.waitForSelector("#content h1");
  await done(page);
});

test("who is invited and signed in accepts or refuses; others are told whose it is", { timeout: 60_000 }, async () => {
  const first = await invite("ben@example.com");
  const page = await open(addresses.ben);
  await page.waitForSelector("#content h1");
  await page.goto(first.address);
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.locator("dialog").getByRole("button", { name: "Refuse" }).click();
  await page.getByText("You have refused the invite to Main workspace.").waitFor();
  const second = await invite("ben@example.com");
  const other = await open(addresses.eve);
  await other.waitForSelector("#content h1");
  await other.goto(second.address);
  await other.getByText("This invite is for ben@example.com, and you are signed in as eve@example.com.").waitFor();
  await looksGood(other);
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.getByText("You have an account here. Sign in to answer.").waitFor();
  await looksGood(other);
  await page.goto(second.address);
  await looksGood(page);
  await page.getByRole("button", { name: "Accept" }).click();
  await page.getByText("You work in Main workspace now.").waitFor();
  await done(page);
  await done(other);
});

test("an invite that is withdrawn says what to do, in German too", { timeout: 60_000 }, async () => {
  const { address, withdraw } = await invite("late@example.com");
  await withdraw();
  for (const [language, words] of [["en", "This invite is not there any more"], ["de", "Diese Einladung gibt es nicht mehr"]]) {
    const page = await open(address, { language });
    await page.getByText(words).waitFor();
    await looksGood(page);
    await done(page);
  }
});

test("an operator looks at the installation; for others there is no such page", { timeout: 100_000 }, async () => {
  const page = await openAsAdmin();
  await page.goto(`${origin}/installation`);
  await page.getByText("The server is ready.").waitFor();
  await page.getByText("Free on the disk").waitFor();
  await looksGood(page);
  await page.goto(`${origin}/installation/plans`);
  await page.getByRole("button", { name: "New plan" }).click();
  await page.getByLabel("Name").fill("Gold!");
  await page.locator("dialog").getByRole("button", { name: "Save" }).click();
  await page.locator(".field-error").waitFor();
  await looksGood(page);
  await page.getByLabel("Name").fill("gold");
  await page.locator("dialog").getByLabel("Links").fill("100");
  await page.locator("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved: gold.").waitFor();
  await page.goto(`${origin}/installation/accounts?q=eve`);
  await page.getByRole("button", { name: "Change the account eve" }).click();
  await page.locator("dialog").getByLabel("Plan").selectOption("gold");
  await page.locator("dialog").getByLabel("Suspended").check();
  await looksGood(page);
  await page.locator("dialog").getByRole("button", { name: "Save" }).click();
  await page.locator("tbody tr", { hasText: "suspended" }).getByText("gold").waitFor();
  await becomes(() => page.locator("tbody tr").count(), 1);
  await page.goto(`${origin}/installation/accounts`);
  await page.getByRole("button", { name: "Sign-in address for ben" }).click();
  const address = await page.locator(".secret code").innerText();
  await looksGood(page);
  await page.goto(`${origin}/installation/workspaces`);
  await page.locator("tbody tr").first().waitFor();
  await looksGood(page);
  await page.goto(`${origin}/installation/domains`);
  await page.locator("tbody tr").first().waitFor();
  await looksGood(page);
  await done(page);

  const ben = await open(address);
  await ben.waitForSelector("#content h1");
  assert.equal(await ben.getByRole("link", { name: "Installation" }).count(), 0);
  await ben.goto(`${origin}/installation/accounts`);
  await ben.getByText("It is not there").first().waitFor();
  await done(ben);
});

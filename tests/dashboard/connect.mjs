// Applications of others ask a person for access (OAuth 2.0), and the person allows it or not, in the browser.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, looksGood } from "./looks.mjs";
import { becomes, watch } from "./watching.mjs";

const { address, api, key } = JSON.parse(process.env.SLASHPOST_CONNECT);
const origin = new URL(address).origin;
const APP = "https://app.example"; // which the tests are, and nothing else
const BACK = `${APP}/back`;
const PASSWORD = "correct horse battery";
// Of RFC 7636, appendix B.
const VERIFIER = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const TIME = { timeout: 60_000 };

let browser;
/** What the browser keeps of ben's session. */
let signedIn;

before(async () => {
  browser = await launch();
  const page = await newPage({ state: null });
  await page.goto(address);
  await page.waitForSelector("#content h1");
  const said = await page.evaluate(async (password) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/session/password", { method: "PUT", headers, body: JSON.stringify({ new: password }) })).status;
  }, PASSWORD);
  assert.equal(said, 204);
  signedIn = await page.context().storageState();
  await done(page);
});
after(() => browser.close());

/** A page in a browser of its own, in which ben is signed in, or nobody for null. What comes back at the application is in `page.back`. */
async function newPage({ state = signedIn } = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en", reducedMotion: "reduce", ...(state ? { storageState: state } : {}) });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  page.back = [];
  await watch(page, origin, APP);
  await page.route(`${APP}/**`, async (route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/back") page.back.push({ method: request.method(), address: request.url(), form: request.postData() });
    const to = (searchParams.get("to") ?? "").replaceAll("&", "&amp;");
    await route.fulfill({ contentType: "text/html", body: `<!doctype html><title>Application</title><h1>Application</h1><a href="${to}">Connect</a>` });
  });
  return page;
}

async function done(page) {
  assert.deepEqual(page.faults, []);
  await page.context().close();
}

/** Asks the API as the admin does, who registers the applications. */
async function ask(method, path, body) {
  const answer = await fetch(`${api}/v1${path}`, { method, headers: { apikey: key, "content-type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

function register(name, more = {}) {
  return ask("POST", "/account/applications", { name, redirects: [BACK], ...more });
}

/** Where the application sends people who are to allow it something. */
function question(application, more = {}) {
  const words = { client_id: application.id, redirect_uri: BACK, response_type: "code", scope: "links:read offline_access", state: "s&t", code_challenge: CHALLENGE, code_challenge_method: "S256", ...more };
  return `${origin}/connect/authorize?${new URLSearchParams(words)}`;
}

/** What the application asks for by itself when people have come back. */
async function exchange(application, code) {
  const words = { grant_type: "authorization_code", client_id: application.id, code, redirect_uri: BACK, code_verifier: VERIFIER };
  const answer = await fetch(`${origin}/connect/token`, { method: "POST", body: new URLSearchParams({ ...words, ...(application.secret ? { client_secret: application.secret } : {}) }) });
  assert.equal(answer.status, 200);
  return answer.json();
}

async function statusWith(token) {
  return (await fetch(`${api}/v1/links`, { headers: { authorization: `Bearer ${token}` } })).status;
}

const heading = (page, name) => page.getByRole("heading", { level: 1, name, exact: true });

async function signIn(page) {
  await heading(page, "Sign in to Slashpost").waitFor();
  await page.getByLabel("User name or e-mail").fill("ben");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Presses the button; answers the parameters that the browser comes back with. */
async function decide(page, name) {
  await page.getByRole("button", { name, exact: true }).click();
  return comesBack(page);
}

async function comesBack(page) {
  await page.waitForURL((url) => url.href.startsWith(`${BACK}?`));
  return Object.fromEntries(new URL(page.url()).searchParams);
}

test("who is signed in is told who wants what, allows it, and goes back with a code that is good", TIME, async () => {
  const application = await register("Reports <b>plus</b>", { website: "https://acme.example/reports" });
  const page = await newPage();
  // From another site, as in life: the session's cookie does not come along with the first request.
  await page.goto(`${APP}/?to=${encodeURIComponent(question(application))}`);
  await page.getByRole("link", { name: "Connect" }).click();
  await heading(page, "Allow Reports <b>plus</b>?").waitFor();
  await page.getByText("Reports <b>plus</b>, an application registered by admin, wants to act for you here.").waitFor();
  await page.getByText("https://acme.example/reports").waitFor();
  assert.deepEqual(await page.locator("main li").allInnerTexts(), ["see who you are: name, user name and e-mail address", "go on when you are not here", "see links"]);
  await page.getByText("You go back to https://app.example.").waitFor();
  await page.getByText("You are signed in as ben.").waitFor();
  await looksGood(page, "consent");
  assert.deepEqual(page.back, []);
  const { code, ...more } = await decide(page, "Allow");
  assert.match(code, /^spc_/);
  assert.deepEqual(more, { state: "s&t", iss: origin });
  assert.equal(page.back.length, 1);
  const tokens = await exchange(application, code);
  assert.equal(tokens.scope, "offline_access links:read");
  assert.equal(await statusWith(tokens.access_token), 200);
  await done(page);
});

test("who does not allow it goes back with that, and nothing is given", TIME, async () => {
  const application = await register("Curious");
  const page = await newPage();
  await page.goto(question(application));
  assert.deepEqual(await decide(page, "Do not allow"), { error: "access_denied", error_description: "The person said no.", state: "s&t", iss: origin });
  assert.equal((await ask("GET", `/account/applications/${application.id}`)).grants, 0);
  await done(page);
});

test("who is not signed in signs in first, as somebody else too, and is asked then", TIME, async () => {
  const application = await register("Calendar");
  const page = await newPage({ state: null });
  await page.goto(question(application));
  await signIn(page);
  await heading(page, "Allow Calendar?").waitFor();
  assert.equal(page.url(), question(application));
  await page.getByRole("button", { name: "Sign out" }).click();
  await signIn(page);
  await heading(page, "Allow Calendar?").waitFor();
  assert.deepEqual(page.back, []);
  assert.match((await decide(page, "Allow")).code, /^spc_/);
  await done(page);
});

test("an answer by form is posted to the application", TIME, async () => {
  const application = await register("Form");
  const page = await newPage();
  await page.goto(question(application, { response_mode: "form_post" }));
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.waitForURL(BACK);
  assert.deepEqual(page.back.map(({ method, address: at }) => ({ method, at })), [{ method: "POST", at: BACK }]);
  const { code, ...more } = Object.fromEntries(new URLSearchParams(page.back[0].form));
  assert.match(code, /^spc_/);
  assert.deepEqual(more, { state: "s&t", iss: origin });
  await done(page);
});

test("an application with a secret that was allowed all of it before is not asked about again", TIME, async () => {
  const application = await register("Nightly", { confidential: true });
  const page = await newPage();
  await page.goto(question(application));
  await exchange(application, (await decide(page, "Allow")).code);
  await page.goto(`${APP}/`);
  await page.goto(question(application), { waitUntil: "commit" });
  assert.match((await comesBack(page)).code, /^spc_/);
  await page.goto(question(application, { scope: "links:read links:write offline_access" }));
  await heading(page, "Allow Nightly?").waitFor();
  assert.deepEqual(await page.locator("main li").allInnerTexts(), ["see who you are: name, user name and e-mail address", "go on when you are not here", "see links", "make, change and delete links"]);
  assert.equal(page.back.length, 2);
  await done(page);
});

test("an application or an address that is not known is told to the person, who is sent nowhere", TIME, async () => {
  const application = await register("Honest");
  const page = await newPage();
  for (const [more, words] of [
    [{ redirect_uri: "https://evil.example/back" }, /^The application that sent you here names an address to go back to \(redirect_uri\) that is not registered for it\./],
    [{ redirect_uri: `${BACK}/` }, /names an address to go back to/],
    [{ redirect_uri: "https://app.example@evil.example/back" }, /names an address to go back to/],
    [{ client_id: "0123456789abcdef0123456789abcdef" }, /^The application that sent you here is not known: its client_id is not registered\./],
  ]) {
    const wanted = question(application, more);
    const answer = await page.goto(wanted);
    assert.equal(answer.status(), 400);
    assert.match(await page.locator("body").innerText(), words);
    await page.waitForTimeout(500); // in which it would have gone on
    assert.equal(page.url(), wanted);
  }
  assert.deepEqual(page.back, []);
  // The style that the browser gives a plain text by itself is not allowed by the policy, and not needed.
  page.faults = page.faults.filter((one) => !one.includes("style-src"));
  await done(page);
});

test("an application that is gone when one has signed in is told so, and one that goes before the answer gets none", TIME, async () => {
  const gone = await register("Gone");
  const page = await newPage({ state: null });
  await page.goto(question(gone));
  await heading(page, "Sign in to Slashpost").waitFor();
  await ask("DELETE", `/account/applications/${gone.id}`);
  await signIn(page);
  await page.getByRole("alert").filter({ hasText: "What sent you here is not known, or wants you to go back to an address that is not its own. Nothing was allowed." }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Allow", exact: true }).count(), 0);
  await looksGood(page, "unknown application");
  const going = await register("Going");
  await page.goto(question(going));
  await heading(page, "Allow Going?").waitFor();
  await ask("DELETE", `/account/applications/${going.id}`);
  await page.getByRole("button", { name: "Allow", exact: true }).click();
  await page.locator(".toast", { hasText: "The application that sent you here is not known" }).waitFor();
  assert.deepEqual(page.back, []);
  await done(page);
});

test("whatever an application is called is shown as it is and fits the page", TIME, async () => {
  const page = await newPage();
  for (const name of ["W".repeat(100), "<img src=x onerror=alert(1)>", "مرحبا بالعالم 2026"]) {
    await page.goto(question(await register(name)));
    await heading(page, `Allow ${name}?`).waitFor();
    assert.equal(await page.locator("main img, main script").count(), 0);
    await looksGood(page, name);
  }
  await done(page);
});

test("a connected application is listed with what it may and where, and is cut off at once", TIME, async () => {
  const application = await register("Shop <i>window</i>");
  const page = await newPage();
  await page.goto(question(application));
  await page.getByLabel("Workspace").selectOption({ label: "Main workspace" });
  const tokens = await exchange(application, (await decide(page, "Allow")).code);
  assert.equal(await statusWith(tokens.access_token), 200);
  await page.goto(`${origin}/account/applications`);
  const row = page.locator("tbody tr").filter({ hasText: "Shop <i>window</i>" });
  await row.getByText("registered by admin").waitFor();
  await row.getByText("go on when you are not here · see links", { exact: true }).waitFor();
  await row.getByText("Main workspace", { exact: true }).waitFor();
  await looksGood(page, "connected applications");
  const cutOff = page.getByRole("button", { name: "Cut off Shop <i>window</i>" });
  await cutOff.click();
  await page.getByRole("heading", { name: "Cut off Shop <i>window</i>?" }).waitFor();
  await looksGood(page, "cut off?");
  await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
  assert.equal(await statusWith(tokens.access_token), 200);
  await cutOff.click();
  await page.locator("dialog").getByRole("button", { name: "Cut off" }).click();
  await page.locator(".toast", { hasText: "Shop <i>window</i> is cut off." }).waitFor();
  await row.waitFor({ state: "detached" });
  assert.equal(await statusWith(tokens.access_token), 401);
  await becomes(async () => (await ask("GET", `/account/applications/${application.id}`)).grants, 0);
  await done(page);
});

// What people do with their account.
import assert from "node:assert/strict";
import { gone, settled, toastSays } from "./browser.mjs";

const isSession = (url) => url.pathname === "/session";
const isEmail = (url) => url.pathname === "/session/email";

/** The page as it is where the server sends mails, with the dialog for another address open. */
export async function openEmail(page) {
  await page.route(
    isSession,
    async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), sendsMail: true } });
    },
    { times: 1 },
  );
  await page.reload();
  await page.getByRole("button", { name: "Change", exact: true }).click();
}

/** The same when the code is on its way. */
export async function askForCode(page) {
  await openEmail(page);
  await page.route(isEmail, (route) => route.fulfill({ status: 204 }), { times: 1 });
  await page.getByLabel("New address").fill("new@example.com");
  await page.locator("dialog").getByLabel("Present password").fill("correct horse battery");
  await page.getByRole("button", { name: "Send the code" }).click();
  await page.getByText("A mail with a code is on its way to new@example.com.").waitFor();
}

export const account = {
  "another e-mail address is asked for with a password and a code, and nothing else of the profile is sent": async (tests) => {
    const page = await tests.page("/account");
    await settled(page);
    const sent = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") sent.push([request.method(), new URL(request.url()).pathname, request.postDataJSON()]);
    });
    const session = await page.evaluate(async () => (await fetch("/session")).json());
    await askForCode(page);
    await page.route(isEmail, (route) => route.fulfill({ json: { ...session, sendsMail: true, account: { ...session.account, email: "new@example.com" } } }), { times: 1 });
    await page.getByLabel("Code", { exact: true }).fill("123456");
    await page.keyboard.press("Enter");
    await toastSays(page, "The e-mail address is changed.");
    await gone(page.locator("dialog[open]"));
    assert.equal(await page.getByLabel("E-mail", { exact: true }).inputValue(), "new@example.com");
    assert.deepEqual(sent, [
      ["PUT", "/session/email", { email: "new@example.com", current: "correct horse battery" }],
      ["POST", "/session/email", { code: "123456" }],
    ]);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "a key of the account is made with its scopes, shown once, copied, and revoked": async (tests) => {
    const page = await tests.page("/account/keys");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Name").fill("Till");
    await page.getByLabel("Reads only").check();
    await page.getByLabel("Workspace", { exact: true }).last().selectOption({ label: "Spring campaign" });
    await page.getByRole("button", { name: "Make key" }).click();
    const key = await page.locator(".secret code").innerText();
    assert.match(key, /^[0-9a-f]{64}$/);
    await page.getByRole("button", { name: "Copy the key" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    await page.getByRole("button", { name: "I have kept it" }).click();
    assert.equal((await page.content()).includes(key), false);
    await page.locator("tbody tr", { hasText: "Till" }).getByText("Reads only · Only in Spring campaign").waitFor();
    await page.getByRole("button", { name: "Revoke Till" }).click();
    await page.locator("dialog").getByRole("button", { name: "Revoke" }).click();
    await toastSays(page, "The key Till is revoked.");
    await gone(page.locator("tbody tr", { hasText: "Till" }));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "the account's password is changed, and what is wrong with it is told at its field": async (tests) => {
    const page = await tests.page("/account/security");
    await settled(page);
    const save = page.getByRole("button", { name: "Save" });
    await page.getByLabel("Present password").fill("wrong");
    await page.getByLabel("New password", { exact: true }).fill("a long new password");
    await page.getByLabel("New password again").fill("a long new passwort");
    await page.getByText("The two are not the same.").waitFor();
    assert.equal(await save.isDisabled(), true);
    await page.getByLabel("New password again").fill("a long new password");
    await save.click();
    await page.locator(".field-error", { hasText: "present password" }).waitFor();
    await page.getByLabel("Present password").fill(tests.origin.password);
    await save.click();
    await toastSays(page, "The password is changed.");
    assert.equal(await page.getByLabel("Present password").inputValue(), "");
    await page.context().close();
  },
  "the account's other sessions are ended, one and then all": async (tests) => {
    const page = await tests.page("/account/security");
    await settled(page);
    await page.getByRole("button", { name: "End: Firefox on Windows" }).click();
    await page.locator("tbody tr", { hasText: "Firefox" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "End all others" }).click();
    await page.locator("dialog").getByRole("button", { name: "End" }).click();
    await page.waitForFunction(() => document.querySelectorAll("tbody tr").length === 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
};

// What people do with webhooks.
import assert from "node:assert/strict";
import { gone, settled, toastSays } from "./browser.mjs";

const row = (page, text) => page.locator("tbody tr").filter({ hasText: text });

export const webhooks = {
  "a webhook is made with its secret shown once, tested, paused, given a new secret and deleted": async (tests) => {
    const page = await tests.page("/webhooks");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.getByLabel("Address", { exact: true }).fill("http://example.com/");
    await page.getByRole("button", { name: "Make webhook" }).click();
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Address", { exact: true }).fill("https://receiver.invalid/hook");
    await page.getByLabel("What it is for").fill("Shop");
    await page.getByLabel("All events").uncheck();
    await page.getByLabel("tag.created").check();
    await page.getByRole("button", { name: "Make webhook" }).click();
    await page.getByRole("heading", { name: "The webhook is there" }).waitFor();
    const secret = await page.locator(".secret code").innerText();
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
    await page.getByRole("button", { name: "Copy the secret" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await row(page, "Shop").getByText("2 types").waitFor();
    assert.equal((await page.content()).includes(secret), false);

    await page.getByRole("link", { name: "https://receiver.invalid/hook" }).click();
    await page.getByRole("heading", { name: "Shop" }).waitFor();
    await page.getByText("link.created, tag.created").waitFor();
    await page.getByText("Nothing was sent").waitFor();
    await page.getByRole("button", { name: "Send a test" }).click();
    await toastSays(page, "A test is on its way.");
    await row(page, "webhook.test").waitFor();
    await page.getByRole("button", { name: "Send again", exact: true }).click();
    await page.getByRole("button", { name: "Send them again" }).click();
    await page.locator("dialog .field-error").waitFor();
    await page.getByLabel("From").fill("2026-02-02T10:00");
    await page.getByLabel("Until").fill("2026-02-01T10:00");
    await page.getByRole("button", { name: "Send them again" }).click();
    await page.locator("dialog .field-error", { hasText: "before the end" }).waitFor();
    assert.equal(await page.getByLabel("From").inputValue(), "2026-02-02T10:00");
    await page.getByLabel("Until").fill("");
    const asked = page.waitForRequest((request) => request.url().endsWith("/replay"));
    await page.getByRole("button", { name: "Send them again" }).click();
    assert.deepEqual((await asked).postDataJSON(), { from: "2026-02-02T09:00:00.000Z" }); // the browser is in Berlin
    await toastSays(page, "The events of that time are being sent again.");
    await page.getByRole("button", { name: "Pause" }).click();
    await page.locator(".status").getByText("Paused").waitFor();
    await page.getByRole("button", { name: "Resume" }).click();
    await page.locator(".status").getByText("On", { exact: true }).waitFor();
    await page.getByRole("button", { name: "New secret" }).click();
    await page.locator("dialog").getByRole("button", { name: "New secret" }).click();
    await page.getByRole("heading", { name: "The webhook has a new secret" }).waitFor();
    assert.notEqual(await page.locator(".secret code").innerText(), secret);
    await page.getByRole("button", { name: "I have kept it" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await toastSays(page, "The webhook is deleted.");
    await gone(row(page, "Shop"));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "who is no admin is not led to webhooks": async (tests) => {
    const page = await tests.page("/links", { user: "ann" });
    await settled(page);
    assert.equal(await page.getByRole("link", { name: "Webhooks" }).count(), 0);
    await page.context().close();
  },
};

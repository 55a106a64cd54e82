// What people do with people.
import assert from "node:assert/strict";
import { gone, settled, toastSays } from "./browser.mjs";

const row = (page, text) => page.locator("tbody tr").filter({ hasText: text });

export const people = {
  "people are invited, with the addresses to hand on, refused where an address is none, and an invite is withdrawn": async (tests) => {
    const page = await tests.page("/people");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.getByLabel("E-mail addresses").fill("finn@example.com, nonsense");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.locator(".field-error").waitFor();
    await page.getByLabel("E-mail addresses").fill("finn@example.com\ngina@example.com");
    await page.getByLabel("Role", { exact: true }).selectOption("guest");
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    await page.getByRole("heading", { name: "Hand the invites on" }).waitFor();
    assert.match(await page.locator(".secret code").first().innerText(), /^http:\/\/localhost:\d+\/invite#[0-9a-f]{64}$/);
    await page.getByRole("button", { name: "Copy the address for gina@example.com" }).click();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^http/);
    await page.locator(".dialog-foot").getByRole("button", { name: "Close" }).click();
    await row(page, "gina@example.com").getByText("Guest").waitFor();
    await page.getByRole("button", { name: "Withdraw the invite of gina@example.com" }).click();
    await page.locator("dialog").getByRole("button", { name: "Withdraw" }).click();
    await toastSays(page, "The invite of gina@example.com is withdrawn.");
    await gone(row(page, "gina@example.com"));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "somebody of the people gets another role, which is undone, and is removed": async (tests) => {
    const page = await tests.page("/people");
    await settled(page);
    const role = page.getByLabel("Role of ben");
    await role.selectOption("viewer");
    await toastSays(page, "ben has the role Viewer now.");
    await page.getByRole("button", { name: "Undo" }).click();
    await page.waitForFunction(() => [...document.querySelectorAll("select")].some((one) => one.getAttribute("aria-label") === "Role of ben" && one.value === "user"));
    await page.getByRole("button", { name: "Remove ben" }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
    await toastSays(page, "ben is removed.");
    await gone(row(page, "ben@example.com"));
    await page.context().close();
  },
  "people see their own role, and who is no admin changes nobody's": async (tests) => {
    const page = await tests.page("/people", { user: "ann" });
    await settled(page);
    assert.equal(await page.locator("tbody select, td.tools button").count(), 0);
    assert.equal(await page.getByRole("button", { name: "Invite people" }).count(), 0);
    assert.equal(await page.getByText("Open invites").count(), 0);
    await page.context().close();
  },
};

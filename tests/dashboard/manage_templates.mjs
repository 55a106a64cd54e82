// What people do with templates of campaigns, which are kept from the form of a link.
import assert from "node:assert/strict";
import { api, settled, toastSays, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const stored = async () => (await api("GET", `/workspaces/${world.workspaces.empty}/utm-templates`, undefined, "empty")).map((one) => [one.name, one.source, one.medium]);
const links = async () => (await api("GET", "/links/count?status=active,trashed", undefined, "empty")).count;
const chosen = (page) => page.getByLabel("Template", { exact: true });
const dialogs = (page) => page.locator("dialog[open]").count();

/** The form of a new link to there, with the part for campaigns open. */
export async function openCampaign(page, destination) {
  await page.keyboard.press("n");
  await page.getByLabel("Destination").fill(destination);
  await page.getByText("Campaign (UTM)").click();
}

export async function keepTemplate(page, name) {
  await page.getByRole("button", { name: "Keep as a template" }).click();
  await page.getByLabel("Name of the template").fill(name);
  await page.keyboard.press("Enter");
}

export const templates = {
  "a template is kept, renamed, fills in another link, and is deleted, and no link comes of that": async (tests) => {
    const before = await links();
    const page = await tests.page("/links", { workspace: "empty" });
    await settled(page);
    await openCampaign(page, "https://example.com/");
    await page.getByLabel("Source").fill("mail");
    await page.getByLabel("Medium").fill("news letter");
    await keepTemplate(page, "Weekly");
    await toastSays(page, "The template Weekly is saved.");
    await becomes(() => dialogs(page), 1);
    await becomes(() => chosen(page).inputValue(), "Weekly");
    assert.deepEqual(await stored(), [["Weekly", "mail", "news letter"]]);
    await page.getByRole("button", { name: "Rename the template" }).click();
    await page.getByLabel("Name of the template").fill("<i>Daily</i>");
    await page.keyboard.press("Control+Enter");
    await toastSays(page, "The template <i>Daily</i> is saved.");
    await becomes(() => dialogs(page), 1);
    assert.deepEqual(await stored(), [["<i>Daily</i>", "mail", "news letter"]]);
    assert.equal(await page.getByLabel("Destination").inputValue(), "https://example.com/?utm_source=mail&utm_medium=news%20letter");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Leave", exact: true }).click();
    await becomes(() => dialogs(page), 0);

    await openCampaign(page, "https://shop.example.com/?utm_term=x#part");
    await chosen(page).selectOption("<i>Daily</i>");
    await becomes(() => page.getByLabel("Destination").inputValue(), "https://shop.example.com/?utm_source=mail&utm_medium=news%20letter#part");
    await page.getByRole("button", { name: "Delete the template" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).last().click();
    await toastSays(page, "The template <i>Daily</i> is deleted.");
    await becomes(stored, []);
    await becomes(() => chosen(page).count(), 0);
    assert.equal(await links(), before);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
};

// What people do with workspaces.
import assert from "node:assert/strict";
import { api, gone, settled, toastSays } from "./browser.mjs";
import { becomes } from "./watching.mjs";

export const workspaces = {
  "a workspace is made, set, and deleted by whoever types its name": async (tests) => {
    const page = await tests.page("/workspaces");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.type("ab");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Name").fill("<i>Autumn</i>");
    await page.keyboard.press("Enter");
    await toastSays(page, "The workspace <i>Autumn</i> is there.");
    await page.waitForURL("**/links");
    await page.keyboard.press("g");
    await page.keyboard.press("e");
    await page.getByRole("heading", { name: "Settings" }).waitFor();
    await page.getByLabel("Time zone").selectOption("Asia/Tokyo");
    await page.getByLabel("New links expire").selectOption({ label: "After 30 days" });
    await page.getByLabel("Address of a picture").fill("nonsense");
    await page.locator("form.card").first().getByRole("button", { name: "Save" }).click();
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Address of a picture").fill("");
    await page.locator("form.card").first().getByRole("button", { name: "Save" }).click();
    await toastSays(page, "The workspace is saved.");
    await page.getByLabel("Track conversions").check();
    await page.getByLabel("Days that count").fill("7");
    await page.locator("section.card form").getByRole("button", { name: "Save" }).click();
    await page.waitForFunction(() => document.querySelector("section.card form button[type=submit]").disabled);
    await page.reload();
    await settled(page);
    assert.equal(await page.getByLabel("Time zone").inputValue(), "Asia/Tokyo");
    assert.equal(await page.getByLabel("Days that count").inputValue(), "7");
    await page.getByRole("button", { name: "Delete the workspace" }).click();
    const button = page.locator("dialog").getByRole("button", { name: "Delete", exact: true });
    assert.equal(await button.isDisabled(), true);
    await page.locator("dialog").getByLabel("Name").fill("<i>Autumn</i>");
    await button.click();
    await toastSays(page, "The workspace <i>Autumn</i> is deleted.");
    await page.waitForURL("**/workspaces");
    await gone(page.locator("tbody tr").filter({ hasText: "Autumn" }));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "an invite to a workspace of somebody else is accepted, and the workspace left again": async (tests) => {
    const page = await tests.page("/workspaces", { user: "ann" });
    // What is said is true when it is said, however slow the server is.
    await page.route("**/features", (route) => setTimeout(() => void route.continue(), 700));
    await page.getByRole("button", { name: "Accept: Ben's own place" }).click();
    await toastSays(page, "You work in Ben's own place now.");
    await page.goto("/settings");
    await page.getByText("Your role: Guest").waitFor();
    assert.equal(await page.getByLabel("Time zone").isDisabled(), true);
    await page.getByRole("button", { name: "Leave" }).click();
    await page.locator("dialog").getByRole("button", { name: "Leave" }).click();
    await toastSays(page, "You have left Ben's own place.");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "a workspace of another kind than classic has no favourites, and nothing to make one with": async (tests, world) => {
    const { id } = await api("POST", "/workspaces", { name: "Bulk mail", type: "extended" });
    world.workspaces.bulk = id;
    await api("POST", `/workspaces/${id}/domains/${world.domain}`, undefined, "bulk");
    const link = await api("POST", "/links", { destination: "https://example.com/", domainId: world.domain, title: "Only one" }, "bulk");
    const page = await tests.page("/links", { workspace: "bulk" });
    await settled(page);
    await becomes(() => page.getByRole("button", { name: "Favourite: Only one" }).isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Edit Only one" }).isDisabled(), false);
    await page.goto(`/links/${link.id}`);
    await settled(page);
    await becomes(() => page.getByRole("button", { name: "Favourite: Only one" }).isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: "Pause" }).isDisabled(), false);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    await api("DELETE", `/links/${link.id}`, undefined, "bulk");
    await api("DELETE", `/workspaces/${id}`, undefined, "bulk");
  },
};

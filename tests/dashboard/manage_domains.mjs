// What people do with domains.
import assert from "node:assert/strict";
import { settled, toastSays } from "./browser.mjs";

export const domains = {
  "a domain is added, told what to write into the DNS, not found there, and deleted": async (tests) => {
    const page = await tests.page("/domains");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.type("not a name");
    await page.keyboard.press("Enter");
    await page.locator(".field-error").waitFor();
    await page.getByLabel("Name of the domain").fill("https://try.acme.example/");
    await page.keyboard.press("Enter");
    await page.waitForURL(/domains\/[0-9a-f]{32}$/);
    await page.getByRole("heading", { name: "try.acme.example" }).waitFor();
    await page.getByText("To be verified").waitFor();
    const value = page.locator(".record code").nth(2);
    assert.match(await value.innerText(), /^slashpost-verification=[0-9a-f]{32}$/);
    await page.getByRole("button", { name: "Copy: Value" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), await value.innerText());
    await page.getByRole("button", { name: "Look for the record" }).click();
    await page.locator(".problem").waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await toastSays(page, "The domain try.acme.example is deleted.");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "a domain's settings are saved, and what is wrong is told at its field": async (tests, world) => {
    const page = await tests.page(`/domains/${world.domain}/settings`);
    await settled(page);
    await page.getByLabel("Home page").fill("nonsense");
    await page.getByLabel("Shortest").fill("900");
    await page.getByRole("button", { name: "Save" }).click();
    await page.locator(".field-error").nth(1).waitFor();
    await page.getByLabel("Home page").fill("https://acme.example/");
    await page.getByLabel("Shortest").fill("3");
    await page.getByLabel("How visitors are sent on").selectOption("307");
    await page.getByRole("button", { name: "Save" }).click();
    await toastSays(page, "The domain is saved.");
    await page.reload();
    await settled(page);
    assert.equal(await page.getByLabel("How visitors are sent on").inputValue(), "307");
    assert.equal(await page.getByLabel("Shortest").inputValue(), "3");
    await page.context().close();
  },
  "the preview of a domain's pages follows what is typed, as text, and loads no picture": async (tests, world) => {
    const page = await tests.page(`/domains/${world.domain}/branding`);
    await settled(page);
    await page.getByLabel("Name at the head").fill("<b>Acme</b>");
    await page.getByLabel("Address of a picture").fill("https://cdn.example.com/logo.svg");
    assert.equal(await page.locator(".page-preview-head bdi").innerText(), "<b>Acme</b>");
    assert.equal(await page.locator("main img").count(), 0);
    await page.getByRole("button", { name: "Save" }).click();
    await toastSays(page, "The domain is saved.");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "a further name is added and removed, and a workspace loses the domain with its links": async (tests, world) => {
    const page = await tests.page(`/domains/${world.domain}`);
    await settled(page);
    await page.getByLabel("Further name").fill("more.acme.example");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("button", { name: "Remove more.acme.example" }).click();
    await page.locator("dialog").getByRole("button", { name: "Remove" }).click();
    await toastSays(page, "more.acme.example is removed.");
    await page.getByRole("navigation", { name: "Parts of the domain" }).getByRole("link", { name: "Workspaces" }).click();
    await page.getByRole("button", { name: "Take away from Archive" }).click();
    await page.getByText("It has 1 there.").waitFor();
    await page.getByLabel("Delete these links, too").check();
    await page.getByRole("button", { name: "Take away and delete links" }).click();
    await toastSays(page, "Archive has the domain no longer.");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "who is no admin sees a domain and can change nothing of it": async (tests, world) => {
    const page = await tests.page(`/domains/${world.domain}/settings`, { user: "ann" });
    await settled(page);
    assert.equal(await page.getByLabel("Home page").isDisabled(), true);
    assert.equal(await page.getByRole("button", { name: /Save|Delete|Add domain/ }).count(), 0);
    await page.context().close();
  },
};

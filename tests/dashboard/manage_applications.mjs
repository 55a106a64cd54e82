// What people do with applications that they register for others.
import assert from "node:assert/strict";
import { api, gone, settled, toastSays } from "./browser.mjs";

const row = (page, text) => page.locator("tbody tr").filter({ hasText: text });
const wrong = (page, label, words) => page.locator("dialog[open] .field", { has: page.getByLabel(label) }).locator(".field-error", { hasText: words });
const keep = (page) => page.getByRole("button", { name: "I have kept it" }).click();

async function stored(name) {
  const found = (await api("GET", "/account/applications")).filter((one) => one.name === name);
  assert.equal(found.length, 1);
  return found[0];
}

export const applications = {
  "an application is registered, refused at its fields before, and its secret is shown once and made anew": async (tests) => {
    const page = await tests.page("/account/applications");
    await settled(page);
    await page.getByText("No application of others acts for you.").waitFor();
    await page.getByRole("button", { name: "Register an application" }).click();
    const register = page.getByRole("button", { name: "Register", exact: true });
    await page.getByLabel("Website").fill("javascript:alert(1)");
    await register.click();
    await wrong(page, "Name", "This has to be filled in.").waitFor();
    await wrong(page, "Website", "Is not a valid URL").waitFor();
    await wrong(page, "Addresses to go back to", "This has to be filled in.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Till <b>two</b>");
    await page.getByLabel("Website").fill("https://acme.example/till");
    await page.getByLabel("Addresses to go back to").fill("https://till.example/back\nhttp://till.example/\n");
    await page.getByLabel("It keeps a secret").check();
    await register.click();
    await wrong(page, "Addresses to go back to", "Must be an https address without a fragment; http only at 127.0.0.1 or [::1], or a scheme with a dot in it").waitFor();
    assert.equal(await page.locator("dialog[open] .field-error").count(), 1);
    await page.getByLabel("Addresses to go back to").fill("https://till.example/back\nhttp://127.0.0.1/back\ncom.acme.till:/back");
    await register.click();
    await page.getByRole("heading", { name: "Secret of the application" }).waitFor();
    const secret = await page.locator(".secret code").innerText();
    assert.match(secret, /^[0-9a-f]{64}$/);
    await page.getByRole("button", { name: "Copy the secret" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), secret);
    await keep(page);
    await row(page, "Till <b>two</b>").getByText("https://till.example/back · http://127.0.0.1/back · com.acme.till:/back").waitFor();
    assert.equal((await page.content()).includes(secret), false);
    const made = await stored("Till <b>two</b>");
    assert.deepEqual([made.website, made.redirects, made.confidential, made.legacyImplicit], ["https://acme.example/till", ["https://till.example/back", "http://127.0.0.1/back", "com.acme.till:/back"], true, false]);
    await row(page, "Till <b>two</b>").getByRole("button", { name: "Copy the client_id" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), made.id);

    await page.getByRole("button", { name: "New secret of Till <b>two</b>" }).click();
    await page.getByRole("heading", { name: "Give Till <b>two</b> a new secret?" }).waitFor();
    await page.locator("dialog").getByRole("button", { name: "New secret" }).click();
    await page.getByRole("heading", { name: "Secret of the application" }).waitFor();
    const second = await page.locator(".secret code").innerText();
    assert.match(second, /^[0-9a-f]{64}$/);
    assert.notEqual(second, secret);
    await keep(page);
    await api("DELETE", `/account/applications/${made.id}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "an application without a secret is changed, refused at its fields, and deleted when that is confirmed": async (tests) => {
    const page = await tests.page("/account/applications");
    await settled(page);
    await page.getByRole("button", { name: "Register an application" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Pocket");
    await page.getByLabel("Addresses to go back to").fill("com.acme.pocket:/back");
    await page.getByRole("button", { name: "Register", exact: true }).click();
    await row(page, "Pocket").waitFor();
    assert.equal(await page.locator("dialog").count(), 0);
    assert.equal(await page.getByRole("button", { name: "New secret of Pocket" }).count(), 0);
    const { id } = await stored("Pocket");

    await page.getByRole("button", { name: "Change Pocket" }).click();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.waitFor();
    assert.equal(await save.isDisabled(), true);
    assert.equal(await page.getByLabel("It keeps a secret").count(), 0);
    await page.getByLabel("Website").fill("ftp://pocket.example/");
    await page.getByLabel("Addresses to go back to").fill("");
    await save.click();
    await wrong(page, "Website", "Is not a valid URL").waitFor();
    await wrong(page, "Addresses to go back to", "This has to be filled in.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("Pocket 2");
    await page.getByLabel("Website").fill("https://pocket.example/");
    await page.getByLabel("Addresses to go back to").fill("https://pocket.example/back");
    await page.getByLabel("Tokens in the address").check();
    await save.click();
    await toastSays(page, "The application is changed.");
    await row(page, "Pocket 2").getByText("https://pocket.example/back").waitFor();
    const changed = await api("GET", `/account/applications/${id}`);
    assert.deepEqual([changed.name, changed.website, changed.redirects, changed.confidential, changed.legacyImplicit], ["Pocket 2", "https://pocket.example/", ["https://pocket.example/back"], false, true]);
    await page.getByRole("button", { name: "Change Pocket 2" }).click();
    await page.getByLabel("Website").fill("");
    await save.click();
    await gone(page.locator("dialog"));
    assert.equal((await api("GET", `/account/applications/${id}`)).website, "");

    await page.getByRole("button", { name: "Delete Pocket 2" }).click();
    await page.getByText("Everybody who uses it is cut off. This cannot be undone.").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Cancel" }).click();
    await gone(page.locator("dialog"));
    assert.equal((await stored("Pocket 2")).id, id);
    await page.getByRole("button", { name: "Delete Pocket 2" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await toastSays(page, "Pocket 2 is deleted.");
    await gone(row(page, "Pocket 2"));
    assert.deepEqual((await api("GET", "/account/applications")).filter((one) => one.id === id), []);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
};

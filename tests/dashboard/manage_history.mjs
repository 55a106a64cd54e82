// What people see of what was done, and how they take it back.
import assert from "node:assert/strict";
import { api, settled, toastSays } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const row = (page, text) => page.locator("tbody tr").filter({ hasText: text });

export const history = {
  "a change of a link is told with who made it, and is taken back": async (tests) => {
    const link = await api("POST", "/links", { destination: "https://example.com/first", slashtag: "told", title: "Told" });
    await api("POST", `/links/${link.id}`, { destination: "https://example.com/<b>second</b>", tags: [] });
    const page = await tests.page(`/links/${link.id}`);
    await page.getByRole("navigation", { name: "Parts of the link" }).getByRole("link", { name: "History" }).click();
    await row(page, "made").getByText("https://example.com/first").waitFor();
    const changed = row(page, "changed");
    await changed.getByText("https://example.com/%3Cb%3Esecond%3C/b%3E").waitFor();
    await changed.getByText("with an API key").waitFor();
    await changed.getByRole("button", { name: "As before" }).click();
    await toastSays(page, "The link is as it was before that change.");
    await becomes(async () => (await api("GET", `/links/${link.id}`)).destination, "https://example.com/first");
    await page.locator(".link-facts").getByText("https://example.com/first").waitFor();
    await becomes(() => page.locator("tbody tr").count(), 3);
    await api("DELETE", `/links/${link.id}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "what was done in the workspace is told to admins, by what it was done to": async (tests) => {
    const tag = await api("POST", "/tags", { name: "<i>told</i>" });
    await api("DELETE", `/tags/${tag.id}`);
    const page = await tests.page("/history");
    await settled(page);
    await page.getByLabel("Of", { exact: true }).selectOption("tag");
    await row(page, "Tag deleted").filter({ hasText: "<i>told</i>" }).waitFor();
    await becomes(() => page.locator("tbody tr").filter({ hasNotText: "Tag" }).count(), 0);
    assert.equal(new URL(page.url()).searchParams.get("kind"), "tag");
    assert.deepEqual(page.faults, []);
    await page.context().close();
    const other = await tests.page("/links", { user: "ann" });
    await settled(other);
    assert.equal(await other.getByRole("link", { name: "History" }).count(), 0);
    await other.context().close();
  },
};

// What people do with tags and scripts.
import assert from "node:assert/strict";
import { gone, settled, toastSays } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const rows = (page) => page.locator("tbody tr");
const row = (page, text) => rows(page).filter({ hasText: text });

export const tags = {
  "a tag is made with the keyboard alone, refused when it is there already, renamed, and deleted with its links counted": async (tests) => {
    const page = await tests.page("/tags");
    await settled(page);
    await page.keyboard.press("n");
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.type("PRINT");
    await page.keyboard.press("Enter");
    await page.locator(".field-error", { hasText: "taken already" }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("posters");
    await page.keyboard.press("Enter");
    await row(page, "posters").waitFor();
    await page.getByRole("button", { name: "Edit posters" }).click();
    await page.getByLabel("Name").fill("billboards");
    await page.getByRole("button", { name: "Orange" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await row(page, "billboards").locator('circle[fill="#ff8800"]').waitFor();
    await page.getByRole("button", { name: "Delete billboards" }).click();
    await page.getByText("0 links have it.").waitFor();
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await toastSays(page, "The tag billboards is deleted.");
    await gone(row(page, "billboards"));
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "two tags are merged: the links of the first get the second, and the first is gone": async (tests, world) => {
    const call = async (method, path, body) => {
      const answer = await fetch(`${world.api}/v1${path}`, { method, headers: { apikey: world.keys.admin, workspace: world.workspaces.empty, "content-type": "application/json", accept: "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
      assert.equal(answer.status, 200, `${method} ${path}`);
      return answer.json();
    };
    const one = await call("POST", "/tags", { name: "one" });
    const two = await call("POST", "/tags", { name: "two" });
    const links = [];
    for (let index = 0; index < 5; index++) links.push(await call("POST", "/links", { destination: "https://example.com/", tags: index === 4 ? [one.id, two.id] : [one.id] }));
    await call("POST", `/links/${links[1].id}`, { active: false });
    await call("DELETE", `/links/${links[3].id}`);
    const page = await tests.page("/tags", { workspace: "empty" });
    await page.getByRole("button", { name: "Merge one into" }).click();
    assert.equal(await page.locator("dialog").getByRole("button", { name: "Merge" }).isDisabled(), true);
    await page.getByLabel("Merge into").selectOption("two");
    await page.locator("dialog").getByRole("button", { name: "Merge" }).click();
    await toastSays(page, "one has become two.");
    await gone(row(page, "one"));
    assert.equal((await call("GET", `/links/count?tag.id=${two.id}&status=active,trashed`)).count, 4);
    await row(page, "two").getByRole("link", { name: "4 links with the tag two" }).click();
    await page.waitForURL(`**/links?tag=${two.id}&status=all`);
    await settled(page);
    await becomes(() => rows(page).count(), 4);
    for (const link of links) if (link !== links[3]) await call("DELETE", `/links/${link.id}`);
    await call("DELETE", `/tags/${two.id}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "a long list has pages, and a search narrows it": async (tests) => {
    const page = await tests.page("/tags", { workspace: "many" });
    await settled(page);
    await becomes(() => rows(page).count(), 25);
    await page.getByRole("button", { name: "Next" }).click();
    await row(page, "Campaign 025").waitFor();
    await page.getByText("26–50 of 60").waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await row(page, "Campaign 000").waitFor();
    await page.getByRole("searchbox").fill("05");
    await page.getByText("11 tags").waitFor();
    await page.context().close();
  },
  "a script is refused at its field, made, changed, and deleted": async (tests) => {
    const page = await tests.page("/scripts");
    await settled(page);
    await page.getByRole("button", { name: "New script" }).click();
    await page.getByLabel("Name").fill("Heatmap");
    await page.getByRole("button", { name: "Make script" }).click();
    await page.locator(".field-error").first().waitFor();
    await page.getByLabel("Code").fill("</script><script>alert(1)</script>");
    await page.getByRole("button", { name: "Make script" }).click();
    await row(page, "Heatmap").waitFor();
    await page.getByRole("button", { name: "Edit Heatmap" }).click();
    await page.getByLabel("Address of a script").fill("https://cdn.example.com/heat.js");
    await page.getByRole("button", { name: "Save" }).click();
    await row(page, "Heatmap").getByText("Address and code").waitFor();
    await page.getByRole("button", { name: "Delete Heatmap" }).click();
    await page.locator("dialog").getByRole("button", { name: "Delete" }).click();
    await toastSays(page, "The script Heatmap is deleted.");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "who may only read sees no button that makes something, and the others are off": async (tests) => {
    for (const address of ["/tags", "/scripts"]) {
      const page = await tests.page(address, { user: "ann" });
      await settled(page);
      assert.equal(await page.getByRole("button", { name: /^New / }).count(), 0);
      for (const button of await page.locator("td.tools button").all()) assert.equal(await button.isDisabled(), true);
      await page.context().close();
    }
  },
};

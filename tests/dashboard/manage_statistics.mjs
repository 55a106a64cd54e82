// What people read in the statistics of a workspace, a tag and a domain.
import assert from "node:assert/strict";
import { settled } from "./browser.mjs";

export const statistics = {
  "the statistics of a workspace show its clicks and its top links, which lead to theirs": async (tests, world) => {
    const page = await tests.page("/statistics");
    await settled(page);
    assert.equal(await page.locator(".figure-value").first().innerText(), "48");
    const first = page.locator(".top-links tbody tr").first();
    assert.match(await first.innerText(), /Spring sale/);
    assert.match(await first.innerText(), /40/);
    await first.getByRole("link").click();
    await page.waitForURL(`**/links/${world.link}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
  "the statistics of a tag are those of the links with it": async (tests, world) => {
    const page = await tests.page(`/tags/${world.tag}`);
    await settled(page);
    await page.getByRole("heading", { name: "print" }).waitFor();
    assert.equal(await page.locator(".figure-value").first().innerText(), "40");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
};

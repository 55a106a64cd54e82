// How long the dashboard takes to paint something, in Chromium, before a real server on the same machine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "./browser.mjs";

const PAINTED_WITHIN = 300; // milliseconds
const TRIED_FOR = 60_000; // milliseconds: the machine may have something else to do for a while

test("something is painted soon", async () => {
  const tests = await open();
  try {
    const page = await tests.page("/links");
    const times = [];
    const end = Date.now() + TRIED_FOR;
    while (!times.some((one) => one < PAINTED_WITHIN) && Date.now() < end) {
      await page.reload();
      await page.waitForSelector(".table");
      times.push(await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime));
    }
    assert.ok(Math.min(...times) < PAINTED_WITHIN, `first paint after ${times.map(Math.round)} ms`);
  } finally {
    await tests.end();
  }
});

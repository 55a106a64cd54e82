// Looking at a page: what it does that it should not, and what it becomes.
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";

/**
 * Scripts that fail, what the content policy forbids and requests to other origins: from now on all of that is in `page.faults`.
 * Requests may go to these origins.
 */
export async function watch(page, ...origins) {
  page.faults = [];
  page.on("pageerror", (error) => page.faults.push(String(error)));
  page.on("console", (message) => {
    if (/Content.Security.Policy|TrustedHTML|Refused to/i.test(message.text())) page.faults.push(message.text());
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!["data:", "blob:", "about:"].includes(protocol) && !origins.includes(origin)) page.faults.push(`asks ${request.url()}`);
  });
  // The browsers' own words for it differ, and not all of them come through.
  await page.addInitScript(() => addEventListener("securitypolicyviolation", (event) => console.error(`Content Security Policy: ${event.violatedDirective} ${event.blockedURI}`)));
}

/** Until `read` answers this: some changes are shown before the server has made them. */
export async function becomes(read, wanted) {
  for (let tries = 0; tries < 100; ++tries) {
    if (isDeepStrictEqual(await read(), wanted)) return;
    await new Promise((go) => setTimeout(go, 100));
  }
  assert.deepEqual(await read(), wanted);
}

// The screens beside the links, and what people do on them.
import assert from "node:assert/strict";
import { settled, world } from "./browser.mjs";
import { account } from "./manage_account.mjs";
import { domains } from "./manage_domains.mjs";
import { history } from "./manage_history.mjs";
import { long } from "./manage_long.mjs";
import { people } from "./manage_people.mjs";
import { statistics } from "./manage_statistics.mjs";
import { tags } from "./manage_tags.mjs";
import { webhooks } from "./manage_webhooks.mjs";
import { workspaces } from "./manage_workspaces.mjs";

/** Name, address, and what to do before one looks. */
export const SCREENS = [
  { name: "tags", address: "/tags" },
  { name: "tags-empty", address: "/tags", workspace: "empty" },
  { name: "tags-none", address: "/tags?q=nothing" },
  { name: "tag-new", address: "/tags", act: (page) => page.getByRole("button", { name: "New tag" }).click() },
  { name: "tag-merge", address: "/tags", act: (page) => page.getByRole("button", { name: "Merge print into" }).click() },
  { name: "scripts", address: "/scripts" },
  { name: "scripts-empty", address: "/scripts", workspace: "empty" },
  {
    name: "script-refused",
    address: "/scripts",
    act: async (page) => {
      await page.keyboard.press("n");
      await page.getByLabel("Address of a script").fill("ftp://x");
      await page.getByRole("button", { name: "Make script" }).click();
      await page.waitForSelector(".field-error");
    },
  },
  { name: "domains", address: "/domains" },
  { name: "domain-pending", address: `/domains/${world.pendingDomain}` },
  { name: "domain-setup", address: `/domains/${world.domain}` },
  ...["settings", "branding", "shares"].map((part) => ({ name: `domain-${part}`, address: `/domains/${world.domain}/${part}` })),
  { name: "domain-unshare", address: `/domains/${world.domain}/shares`, act: (page) => page.getByRole("button", { name: "Take away from Archive" }).click() },
  { name: "people", address: "/people", act: (page) => page.getByText("What the roles may do").click() },
  { name: "people-invite", address: "/people", act: (page) => page.getByRole("button", { name: "Invite people" }).click() },
  { name: "webhooks", address: "/webhooks" },
  { name: "webhook-new", address: "/webhooks", act: (page) => page.keyboard.press("n") },
  { name: "webhook", address: `/webhooks/${world.webhook}` },
  { name: "webhook-replay", address: `/webhooks/${world.webhook}`, act: (page) => page.getByRole("button", { name: "Send again", exact: true }).click() },
  { name: "not-found", address: "/nothing/here" },
  { name: "history", address: "/history" },
  { name: "history-link", address: `/links/${world.link}/history` },
  { name: "workspaces", address: "/workspaces" },
  { name: "workspace-new", address: "/workspaces", act: (page) => page.keyboard.press("n") },
  { name: "workspace-settings", address: "/settings" },
  { name: "workspace-delete", address: "/settings", act: (page) => page.getByRole("button", { name: "Delete the workspace" }).click() },
  { name: "account", address: "/account" },
  { name: "account-security", address: "/account/security" },
  { name: "account-keys", address: "/account/keys" },
  { name: "account-key-new", address: "/account/keys", act: (page) => page.getByRole("button", { name: "New key" }).click() },
  { name: "statistics", address: "/statistics?compare=1" },
  { name: "statistics-empty", address: "/statistics", workspace: "empty" },
  { name: "tag-statistics", address: `/tags/${world.tag}` },
  { name: "domain-statistics", address: `/domains/${world.domain}/statistics` },
];

async function fails(tests, address, status, words) {
  const page = await tests.page("/links");
  await page.route("**/v1/**", (route) => route.fulfill({ status, contentType: "application/json", body: JSON.stringify({ code: "InternalError", message: "x" }) }));
  await page.evaluate((to) => { history.pushState(null, "", to); dispatchEvent(new PopStateEvent("popstate")); }, address);
  await page.waitForSelector(".problem");
  assert.match(await page.locator(".problem").first().innerText(), words);
  await page.unroute("**/v1/**");
  await page.evaluate(() => { for (const button of document.querySelectorAll(".problem button")) button.click(); });
  await page.waitForFunction(() => !document.querySelector(".problem"));
  await page.context().close();
}

export const CHECKS = {
  "a screen whose server has a problem says so and tries again when asked": async (tests) => {
    for (const address of ["/tags", "/scripts", "/domains", "/people", "/webhooks", "/history", "/account", "/statistics", `/domains/${world.domain}`]) await fails(tests, address, 500, /status 500/);
  },
  ...tags,
  ...domains,
  ...people,
  ...webhooks,
  ...history,
  ...long,
  ...workspaces,
  ...account,
  ...statistics,
};

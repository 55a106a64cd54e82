// The screens beside the links, and what people do on them.
import { world } from "./browser.mjs";
import { account, askForCode, openEmail } from "./manage_account.mjs";
import { applications } from "./manage_applications.mjs";
import { domains } from "./manage_domains.mjs";
import { history } from "./manage_history.mjs";
import { fields } from "./manage_link_fields.mjs";
import { long } from "./manage_long.mjs";
import { people } from "./manage_people.mjs";
import { statistics } from "./manage_statistics.mjs";
import { tags } from "./manage_tags.mjs";
import { keepTemplate, openCampaign, templates } from "./manage_templates.mjs";
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
  { name: "account-email", address: "/account", act: openEmail },
  { name: "account-email-code", address: "/account", act: askForCode },
  { name: "account-security", address: "/account/security" },
  { name: "account-keys", address: "/account/keys" },
  { name: "account-key-new", address: "/account/keys", act: (page) => page.getByRole("button", { name: "New key" }).click() },
  { name: "account-applications", address: "/account/applications" },
  {
    name: "account-application-new",
    address: "/account/applications",
    act: async (page) => {
      await page.getByRole("button", { name: "Register an application" }).click();
      await page.getByRole("button", { name: "Register", exact: true }).click();
      await page.locator(".field-error").nth(1).waitFor();
    },
  },
  { name: "account-application-change", address: "/account/applications", act: (page) => page.getByRole("button", { name: "Change <img" }).click() },
  { name: "account-application-renew", address: "/account/applications", act: (page) => page.getByRole("button", { name: "New secret of W" }).click() },
  {
    name: "link-fields-refused",
    address: "/links",
    act: async (page) => {
      await page.keyboard.press("n");
      for (const part of [/^Expiry/, /^Who gets through/, /^What visitors bring along/, /^More$/]) await page.locator("dialog summary").filter({ hasText: part }).click();
      await page.getByLabel("Destination").fill("https://example.com/");
      await page.getByLabel("Leads then to").fill("nonsense");
      await page.getByLabel(/^Password/).fill("short");
      await page.getByLabel("Clicks at most").fill("0");
      await page.getByLabel("Other slashtags").fill("fine bad!");
      await page.getByLabel("External id").fill("W".repeat(256));
      await page.getByRole("button", { name: "Make link" }).click();
      await page.locator(".field-error").nth(4).waitFor();
    },
  },
  {
    name: "link-template",
    address: "/links",
    act: async (page) => {
      await openCampaign(page, "https://example.com/");
      await page.getByLabel("Template", { exact: true }).selectOption("Newsletter");
    },
  },
  {
    name: "link-template-refused",
    address: "/links",
    act: async (page) => {
      await openCampaign(page, "https://example.com/?utm_source=mail");
      await keepTemplate(page, "Newsletter");
      await page.locator("dialog[open] .field-error", { hasText: "This is taken already." }).waitFor();
    },
  },
  { name: "statistics", address: "/statistics?compare=1" },
  { name: "statistics-empty", address: "/statistics", workspace: "empty" },
  { name: "tag-statistics", address: `/tags/${world.tag}` },
  { name: "domain-statistics", address: `/domains/${world.domain}/statistics` },
];

export const CHECKS = {
  ...tags,
  ...templates,
  ...domains,
  ...people,
  ...webhooks,
  ...history,
  ...long,
  ...workspaces,
  ...account,
  ...applications,
  ...fields,
  ...statistics,
};

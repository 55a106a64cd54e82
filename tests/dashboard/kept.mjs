// What was typed stays when it cannot be saved: every form, with a server that fails and with none, and whoever closes a dialog
// is asked first.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, settled, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const TIME = { timeout: 60_000 };
const LINK = `/links/${world.link}`;
const DOMAIN = `/domains/${world.domain}`;
const SOME = `/workspaces/${world.workspaces.some}`;
const dialog = (page) => page.locator("dialog[open]").last();
const press = (name) => (page) => page.getByRole("button", { name, exact: true }).first().click();
const byKey = (page) => page.keyboard.press("n");

async function openTemplate(page) {
  await page.keyboard.press("n");
  await page.getByLabel("Destination").fill("https://example.com/");
  await page.getByText("Campaign (UTM)").click();
  await page.getByLabel("Source").fill("kept");
  await page.getByRole("button", { name: "Keep as a template" }).click();
}

/**
 * Where it is, how it is opened, and what is typed, chosen (text) or ticked (true) by the beginnings of labels. `root` is the form
 * where it is no dialog. `asks`: closing it without saving is asked about.
 */
const FORMS = [
  { name: "a new link", address: "/links", open: byKey, typed: { Destination: "https://example.com/kept?a=1#b", Slashtag: "kept", Title: "Kept <b>title</b>", Note: "One\ntwo" }, send: "Make link", call: "POST /links", asks: true },
  { name: "a link", address: "/links?q=spring+sale", open: press("Edit Spring sale"), typed: { Title: "Another title", Note: "Another note" }, send: "Save", call: `POST ${LINK}`, asks: true },
  { name: "a new tag", address: "/tags", open: byKey, typed: { Name: "kept", Colour: "#123456" }, send: "Make tag", call: "POST /tags", asks: true },
  { name: "a tag", address: "/tags", open: press("Edit print"), typed: { Name: "printed" }, send: "Save", call: `POST /tags/${world.tag}`, asks: true },
  { name: "a new script", address: "/scripts", open: byKey, typed: { Name: "Kept", "Address of a script": "https://cdn.example.com/kept.js", Code: "<script>kept()</script>" }, send: "Make script", call: "POST /scripts", asks: true },
  { name: "a new domain", address: "/domains", open: byKey, typed: { "Name of the domain": "kept.example" }, send: "Add domain", call: "POST /domains", asks: true },
  { name: "an invite", address: "/people", open: byKey, typed: { "E-mail addresses": "kept@example.com, two@example.com", Role: "viewer", "Some words of yours": "Do come" }, send: "Invite", call: `POST ${SOME}/invite`, asks: true },
  { name: "a new webhook", address: "/webhooks", open: byKey, typed: { Address: "https://receiver.example/", "What it is for": "Kept", "All events but clicks": false, "tag.created": true }, send: "Make webhook", call: "POST /webhooks", asks: true },
  { name: "what a webhook is sent again", address: `/webhooks/${world.webhook}`, open: press("Send again"), typed: { From: "2026-02-02T10:00", Until: "2026-02-03T10:00" }, send: "Send them again", call: `POST /webhooks/${world.webhook}/replay`, asks: true },
  { name: "a new workspace", address: "/workspaces", open: byKey, typed: { Name: "Kept", Type: "extended", Notes: "For the autumn" }, send: "Make workspace", call: "POST /workspaces", asks: true },
  { name: "a new key", address: "/account/keys", open: byKey, typed: { Name: "Kept", "Reads only": true, Expires: "30" }, send: "Make key", call: "POST /account/keys", asks: true },
  { name: "a new application", address: "/account/applications", open: press("Register an application"), typed: { Name: "Kept", Website: "https://kept.example/", "Addresses to go back to": "https://kept.example/back" }, send: "Register", call: "POST /account/applications", asks: true },
  { name: "a new rule", address: `${LINK}/rules`, open: press("New rule"), typed: { Destination: "https://example.com/kept", What: "req.language", How: "not-in", Values: "de, en-gb" }, send: "Save", call: `POST ${LINK}/rules`, asks: true },
  { name: "a template", address: "/links", open: openTemplate, typed: { "Name of the template": "Kept" }, send: "Save", call: `POST ${SOME}/utm-templates`, asks: true },
  { name: "the end of a workspace", address: "/settings", open: press("Delete the workspace"), typed: { Name: "Spring campaign", "Only put it aside": true }, send: "Put aside", call: `DELETE ${SOME}` },
  // Forms that stand in a screen.
  { name: "a preview card", address: `${LINK}/preview`, root: "#content form", typed: { Title: "Kept", Description: "Also kept", "Address of the picture": "https://example.com/kept.png" }, send: "Save", call: `POST ${LINK}/opengraph` },
  { name: "a deep link", address: `${LINK}/apps`, root: "li.row:has-text('Airbnb')", typed: { Airbnb: "rooms/1" }, send: "Save", call: `POST ${LINK}/apps/airbnb` },
  { name: "a rotator", address: `/links/${world.rotator}/rotator`, root: "#content form", typed: { "Destination 1": "https://example.com/kept", Weight: "7" }, send: "Save", call: `PUT /links/${world.rotator}/rotator` },
  { name: "settings of a domain", address: `${DOMAIN}/settings`, root: "#content form", typed: { "Home page": "https://kept.example/", "How visitors are sent on": "308", "Shortest, in characters": "4" }, send: "Save", call: `PATCH ${DOMAIN}` },
  { name: "branding", address: `${DOMAIN}/branding`, root: "#content form", typed: { "Name at the head": "Kept", "Text of the home page": "Kept, too" }, send: "Save", call: `PATCH ${DOMAIN}` },
  { name: "a further name", address: DOMAIN, root: "#content form", typed: { "Further name": "kept.acme.example" }, send: "Add", call: `PATCH ${DOMAIN}` },
  { name: "settings of a workspace", address: "/settings", root: "#content form.card", typed: { Name: "Kept", Notes: "Also kept", "Time zone": "Asia/Tokyo" }, send: "Save", call: `POST ${SOME}` },
  { name: "settings of conversions", address: "/settings", root: "#content section.card form", typed: { "Track conversions": true, "Days that count": "9", Parameter: "kept" }, send: "Save", call: `POST ${SOME}/conversion-tracking` },
  { name: "the profile", address: "/account", root: "#content form.card", typed: { Name: "Kept", "User name": "kept" }, send: "Save", call: "PUT /session/profile" },
  { name: "a password", address: "/account/security", root: "#content form.card", typed: { "Present password": "correct horse battery", "New password": "battery horse correct", "New password again": "battery horse correct" }, send: "Save", call: "PUT /session/password" },
];

const FAILURES = [
  { answer: (route) => route.fulfill({ status: 503, headers: { "retry-after": "60" }, json: { code: "Unavailable", message: "x" } }), words: "The server has a problem (status 503). Try again; if it stays, tell the person who runs it." },
  { answer: (route) => route.abort("internetdisconnected"), words: "The server cannot be reached. Check your connection, then try again." },
];

let tests;
before(async () => (tests = await open()));
after(() => tests.end());

/** The field whose label begins so; of several the one whose label is no longer. */
async function field(root, label) {
  const found = root.getByLabel(label, { exact: true });
  return (await found.count()) > 0 ? found.first() : root.getByLabel(new RegExp(`^${label}`)).first();
}

async function type(root, label, value) {
  const control = await field(root, label);
  if (typeof value === "boolean") return control.setChecked(value);
  if ((await control.evaluate((one) => one.tagName)) === "SELECT") return control.selectOption(value);
  return control.fill(value);
}

async function typedIn(root, typed) {
  const found = {};
  for (const [label, value] of Object.entries(typed)) {
    const control = await field(root, label);
    found[label] = typeof value === "boolean" ? await control.isChecked().catch(() => undefined) : await control.inputValue();
  }
  return found;
}

for (const { name, address, open: opens, root, typed, send, call, asks } of FORMS) {
  test(`${name} that cannot be saved stays as it was typed`, TIME, async () => {
    const page = await tests.page(address);
    await settled(page);
    await opens?.(page);
    const form = root ? page.locator(root).first() : dialog(page);
    for (const [label, value] of Object.entries(typed)) await type(form, label, value);
    const [method, path] = call.split(" ");
    const calls = [];
    const others = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      const written = `${request.method()} ${pathname.replace(/^\/v1/, "")}`;
      if (request.method() !== "GET") (written === call ? calls : others).push(written);
    });
    const pathname = path.startsWith("/session") ? path : `/v1${path}`;
    for (const { answer, words } of FAILURES) {
      const is = (url) => url.pathname === pathname;
      await page.route(is, (route) => (route.request().method() === method ? answer(route) : route.continue()));
      const button = form.getByRole("button", { name: send, exact: true });
      await button.click();
      await form.getByRole("alert").filter({ hasText: words }).first().waitFor();
      assert.deepEqual(await typedIn(form, typed), typed);
      await becomes(() => button.isDisabled(), false);
      await page.unroute(is);
    }
    assert.deepEqual([calls, others], [[call, call], []]);
    if (asks) {
      const dialogs = await page.locator("dialog[open]").count();
      await page.keyboard.press("Escape");
      await page.getByRole("heading", { name: "Leave without saving?" }).waitFor();
      await page.getByRole("button", { name: "Cancel", exact: true }).last().click();
      await becomes(() => page.locator("dialog[open]").count(), dialogs);
      assert.deepEqual(await typedIn(form, typed), typed);
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  });
}

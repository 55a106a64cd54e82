// What people have set in their browser, or their language brings along, is kept to: no motion, and lines from right to left.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { open, settled, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const TIME = { timeout: 120_000 };
const LINK = `/links/${world.link}`;
const FITS_WITHIN = 2000; // milliseconds: what is drawn anew is not there at once
let tests;
before(async () => (tests = await open()));
after(() => tests.end());

/** What moves, and what would when it comes or changes. */
function moving(page) {
  return page.evaluate(() => {
    const moves = (style) => style.animationName !== "none" || style.transitionDuration.split(",").some((one) => parseFloat(one) > 0) || style.scrollBehavior === "smooth";
    return {
      now: document.getAnimations().length,
      ever: [...document.querySelectorAll("*")].filter((one) => moves(getComputedStyle(one))).map((one) => one.getAttribute("class") ?? one.tagName),
    };
  });
}

async function holdLinks(page) {
  await page.route((url) => url.pathname === "/v1/links", () => {}); // which nobody answers
  await page.reload();
  await page.locator(".skeleton").waitFor();
}

/** Where something opens, comes or waits. */
const MOVES = [
  { name: "links", address: "/links" },
  { name: "a drawer", address: "/links", act: (page) => page.keyboard.press("n"), moves: "drawer" },
  { name: "a dialog", address: "/links", act: (page) => page.keyboard.press("?"), moves: "dialog" },
  { name: "what was done", address: "/links", act: (page) => page.getByRole("button", { name: /^Copy localhost/ }).first().click(), moves: "toast" },
  { name: "what is on its way", address: "/links", act: holdLinks, moves: "skeleton-line" },
  { name: "statistics", address: LINK },
];

test("nothing moves for who wants no motion", TIME, async () => {
  for (const { name, address, act, moves } of MOVES) {
    const page = await tests.page(address, { motion: "reduce" });
    await settled(page);
    await act?.(page);
    if (moves) await page.locator(`.${moves}`).first().waitFor();
    assert.deepEqual(await moving(page), { now: 0, ever: [] }, name);
    await page.context().close();
  }
});

test("for everybody else dialogs, drawers, toasts and what waits move a little", TIME, async () => {
  for (const { name, address, act, moves } of MOVES.filter((one) => one.moves)) {
    const page = await tests.page(address, { motion: "no-preference" });
    await settled(page);
    await act(page);
    await page.locator(`.${moves}`).first().waitFor();
    assert.equal((await moving(page)).ever.some((one) => one === moves), true, name);
    await page.context().close();
  }
});

/** As a page in a language that is written from right to left. */
async function turned(address, options = {}) {
  const page = await tests.page(address, options);
  await settled(page);
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  return page;
}

async function fits(page, name) {
  const done = await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, { timeout: FITS_WITHIN }).then(() => true, () => false);
  assert.ok(done, `${name} is ${await page.evaluate(() => document.documentElement.scrollWidth)} pixels wide`);
}

const menu = (page) => page.getByRole("button", { name: "Menu" }).click();
const filters = (page) => page.getByRole("button", { name: "Filters" }).click();
const choose = (page) => page.locator("tbody input[type=checkbox]").first().check();

test("from right to left nothing is wider than a small screen", TIME, async () => {
  const SCREENS = [
    { address: "/links" },
    { address: "/links", act: (page) => page.getByRole("button", { name: "New link" }).first().click() },
    { address: "/links", act: filters },
    { address: "/links", act: choose },
    { address: "/links", act: menu },
    { address: LINK },
    { address: `${LINK}/rules` },
    { address: `${LINK}/preview` },
    { address: `${LINK}/history` },
    { address: "/statistics" },
    { address: "/tags" },
    { address: "/scripts" },
    { address: `/domains/${world.domain}` },
    { address: "/people" },
    { address: `/webhooks/${world.webhook}` },
    { address: "/settings" },
    { address: "/account/applications" },
  ];
  for (const { address, act } of SCREENS) {
    const page = await turned(address, { width: 360, height: 740 });
    await act?.(page);
    await fits(page, `${address} ${act?.name ?? ""}`);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  const page = await tests.page("/", { user: "", width: 360, height: 740 });
  await page.evaluate(() => (document.documentElement.dir = "rtl"));
  await fits(page, "signing in");
  await page.context().close();
});

const boxOf = (locator) => locator.evaluate((one) => (({ left, right, width }) => ({ left, right, width }))(one.getBoundingClientRect()));

test("from right to left the navigation is at the right, and what comes from the end comes from the left", TIME, async () => {
  const page = await turned("/links", { workspace: "many" });
  assert.deepEqual(await boxOf(page.locator(".side")), { left: 1032, right: 1280, width: 248 });
  assert.deepEqual(await boxOf(page.locator("#content")), { left: 0, right: 1032, width: 1032 });
  const search = await boxOf(page.locator(".search input").first());
  const glass = await boxOf(page.locator(".search .icon").first());
  assert.ok(glass.left > search.left + search.width / 2 && glass.right < search.right, "the glass is where one begins to read");
  for (const [name, transform] of [["Back", "matrix(-1, 0, 0, 1, 0, 0)"], ["Next", "matrix(-1, 0, 0, 1, 0, 0)"]]) {
    const arrow = page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name }).locator("svg");
    assert.equal(await arrow.evaluate((one) => getComputedStyle(one).transform), transform);
  }
  await page.keyboard.press("Tab");
  const skip = await boxOf(page.locator(".skip"));
  assert.equal(await page.locator(".skip").evaluate((one) => one === document.activeElement), true);
  assert.deepEqual([skip.right, skip.left > 1032], [1268, true]);
  await page.getByRole("button", { name: /^Copy localhost/ }).first().click();
  await page.locator(".toast").waitFor();
  assert.deepEqual(await boxOf(page.locator(".toasts")), { left: 20, right: 460, width: 440 });
  await page.keyboard.press("n");
  await page.locator("dialog.drawer").waitFor();
  assert.deepEqual(await boxOf(page.locator("dialog.drawer")), { left: 0, right: 560, width: 560 });
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("from right to left time goes on to the right, with the numbers of the axis where they were", TIME, async () => {
  const page = await turned(LINK);
  await page.locator(".chart svg .touch").first().waitFor();
  const places = () =>
    page.evaluate(() => {
      const left = (one) => one.getBoundingClientRect().left;
      const bars = [...document.querySelectorAll(".chart .touch")].map(left);
      const axis = [...document.querySelectorAll(".chart svg > g:not(.bar) text")].map((one) => one.getBoundingClientRect().right);
      return { ascending: bars.every((one, at) => at === 0 || one > bars[at - 1]), axis: axis.length, before: axis.every((one) => one < bars[0]), inside: left(document.querySelector(".chart svg > g:not(.bar) text")) >= left(document.querySelector(".chart")) };
    });
  await becomes(places, { ascending: true, axis: 5, before: true, inside: true });
  await page.locator("g.bar[tabindex='0']").focus();
  await page.keyboard.press("End");
  const last = await boxOf(page.locator(".chart .touch").last());
  const tip = await boxOf(page.locator(".chart-tip"));
  assert.ok(tip.right <= last.left + last.width / 2, "what is said of the last bar stands before it");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

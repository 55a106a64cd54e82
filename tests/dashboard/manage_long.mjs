// Lists to choose from that have more entries than one answer of the API.
import assert from "node:assert/strict";
import { settled, toastSays, world } from "./browser.mjs";
import { becomes } from "./watching.mjs";

const MANY = 105; // one answer has 100
const AT_ONCE = 15;

async function call(method, path, body, workspace) {
  const answer = await fetch(`${world.api}/v1${path}`, { method, headers: { apikey: world.keys.admin, accept: "application/json", ...(workspace ? { workspace } : {}), ...(body ? { "content-type": "application/json" } : {}) }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, `${method} ${path} ${answer.status === 200 ? "" : await answer.clone().text()}`);
  return answer.json();
}

async function forAll(items, action) {
  const made = [];
  for (let first = 0; first < items.length; first += AT_ONCE) made.push(...(await Promise.all(items.slice(first, first + AT_ONCE).map(action))));
  return made;
}

/** A workspace with many tags, domains, scripts, and one link. */
async function makeLong() {
  const home = (await call("GET", "/domains?type=service"))[0].id;
  const { id } = await call("POST", "/workspaces", { name: "Long lists" });
  await call("POST", `/workspaces/${id}/domains/${home}`);
  const numbers = Array.from({ length: MANY }, (_, index) => String(index).padStart(3, "0"));
  await forAll(numbers, (one) => call("POST", "/tags", { name: `Tag ${one}`, color: "336699" }, id));
  await forAll(numbers, (one) => call("POST", "/scripts", { name: `Script ${one}`, uri: `https://cdn.example.com/${one}.js` }, id));
  const domains = await forAll(numbers, (one) => call("POST", "/domains", { fullName: `d${one}.long.example` }, id));
  const link = await call("POST", "/links", { destination: "https://example.com/", title: "Only one", domainId: home }, id);
  return { id, link, domains };
}

async function unmake({ id, link, domains }) {
  await call("DELETE", `/links/${link.id}`, undefined, id);
  await forAll(domains, (one) => call("DELETE", `/domains/${one.id}`, undefined, id));
  await call("DELETE", `/workspaces/${id}`);
}

/** Pages of workspaces that never end, behind those that there are. */
async function endless(page, asked) {
  await page.route("**/v1/workspaces?*", async (route) => {
    const answer = await route.fetch();
    const [one] = await (await fetch(`${world.api}/v1/workspaces`, { headers: { apikey: world.keys.admin } })).json();
    const rows = asked.length === 0 ? await answer.json() : [];
    asked.push(new URL(route.request().url()).searchParams.get("last"));
    while (rows.length < 100) rows.push({ ...one, id: `${asked.length}${rows.length}`.padStart(32, "0"), name: `Place ${asked.length} ${rows.length}`, default: false });
    await route.fulfill({ json: rows });
  });
}

export const long = {
  "tags, domains and scripts behind the first hundred can be chosen": async (tests) => {
    const made = await makeLong();
    world.workspaces.long = made.id;
    const page = await tests.page("/links", { workspace: "long" });
    // Domains that nobody has verified cannot be used; here they stand for those that can.
    await page.route(/\/v1\/domains\?.*active=true/, (route) => route.continue({ url: route.request().url().replace(/&(active|verified|shared)=true/g, "") }));
    await settled(page);
    await page.getByRole("button", { name: "Filters" }).click();
    await becomes(() => page.getByLabel("Tag", { exact: true }).locator("option").count(), MANY + 1);
    await becomes(() => page.getByLabel("Domain", { exact: true }).locator("option").count(), MANY + 2);
    await page.getByLabel("Tag", { exact: true }).selectOption("Tag 104");
    await page.getByRole("button", { name: "Tag: Tag 104. Remove this filter" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Edit Only one" }).click();
    await page.getByLabel("Tag 104").waitFor();
    await becomes(() => page.locator(".tag-choice .check").count(), MANY);
    await becomes(() => page.getByLabel("Domain", { exact: true }).locator("option").count(), MANY + 1);
    await page.locator(".tag-choice").getByRole("searchbox", { name: "Search tags" }).fill("tag 10");
    await becomes(() => page.locator(".tag-choice .check").count(), 5);
    await page.getByLabel("Tag 103").check();
    await page.getByRole("searchbox", { name: "Search tags" }).last().fill("nothing");
    await page.getByText("Nothing has that in its name.").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await toastSays(page, "The link is saved.");
    assert.deepEqual((await call("GET", `/links/${made.link.id}`, undefined, made.id)).tags.map((one) => one.name), ["Tag 103"]);
    await page.getByLabel("Choose Only one").check();
    await page.getByRole("button", { name: "Add tag" }).click();
    await becomes(() => page.locator(".picks button").count(), MANY);
    await page.locator(".popover").getByRole("searchbox").fill("104");
    await becomes(() => page.locator(".picks button").count(), 1);
    await page.locator(".picks button").click();
    await toastSays(page, "1 link has the tag Tag 104 now.");
    await page.goto(`/links/${made.link.id}/scripts`);
    await page.getByLabel("Script 104").waitFor();
    await becomes(() => page.locator("ul.rows .check").count(), MANY);
    await page.getByRole("searchbox", { name: "Search scripts" }).fill("104");
    await becomes(() => page.locator("ul.rows .check").count(), 1);
    assert.deepEqual(page.faults, []);
    await page.context().close();
    await unmake(made);
  },
  "names for the filters are asked for when somebody looks at those, or one of them is set": async (tests) => {
    const page = await tests.page("/links");
    const asked = new Set();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (/^\/v1\/(tags|domains|workspaces\/\w+\/teammates)$/.test(pathname)) asked.add(pathname.split("/").at(-1));
    });
    await page.reload();
    await settled(page);
    await page.waitForLoadState("networkidle");
    assert.deepEqual([...asked], []);
    await page.getByRole("button", { name: "Filters" }).click();
    await becomes(() => [...asked].sort(), ["domains", "tags", "teammates"]);
    asked.clear();
    await page.goto("/links?tag=00000000000000000000000000000000");
    await becomes(() => [...asked].sort(), ["domains", "tags", "teammates"]);
    await page.context().close();
  },
  "a list without an end is read to a thousand entries, and says so": async (tests) => {
    const page = await tests.page("/links");
    const asked = [];
    await endless(page, asked);
    await page.reload();
    await settled(page);
    const menu = page.locator(".side").getByLabel("Workspace");
    await page.locator(".side").getByText("Only the first 1,000 are here.").waitFor();
    await becomes(() => menu.locator("option").count(), 1000);
    assert.equal(asked.length, 11);
    assert.equal(new Set(asked).size, 11);
    assert.deepEqual(page.faults, []);
    await page.context().close();
  },
};

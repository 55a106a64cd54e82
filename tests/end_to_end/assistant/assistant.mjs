// The public client of the Model Context Protocol (@modelcontextprotocol/sdk) does what an assistant would: it says who it
// is, asks what there is, makes a link, finds it, changes it and reads its figures, and is told what it may not do.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import http from "node:http";

globalThis.crypto ??= webcrypto; // the library wants it there
const { Client } = await import("@modelcontextprotocol/sdk/client/index.js");
const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/sdk/client/streamableHttp.js");

const { SLASHPOST_BASE: base, SLASHPOST_KEY: key, SLASHPOST_DOMAIN: domain } = process.env;
const troubles = [];

/** A client whose messages have these headers, as it is when both sides have said who they are. */
async function connected(headers) {
  const client = new Client({ name: "slashpost-assistant-check", version: "1.0.0" });
  client.onerror = (trouble) => troubles.push(trouble);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }));
  return client;
}

/** What the API answered to the call of a tool, and whether that was a refusal. */
async function use(client, name, args) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  assert.deepEqual(content.map(({ type }) => type), ["text"]);
  return { refused: isError, json: JSON.parse(content[0].text) };
}
async function done(client, name, args) {
  const { refused, json } = await use(client, name, args);
  assert.equal(refused, false, JSON.stringify(json));
  return json;
}
async function refused(client, name, args) {
  const { refused: is, json } = await use(client, name, args);
  assert.equal(is, true, JSON.stringify(json));
  return json;
}

/** The address that a visitor is led to. */
function visit(path) {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    http.get({ hostname, port, path, agent: false, headers: { host: domain, "user-agent": "curl/8.0" } }, (answer) => {
      answer.resume();
      resolve(answer.headers.location);
    }).on("error", reject);
  });
}

const client = await connected({ authorization: `Bearer ${key}` });
assert.equal(client.getServerVersion().name, "slashpost");
assert.deepEqual(client.getServerCapabilities(), { tools: { listChanged: false } });
assert.match(client.getInstructions(), /^Branded short links of one installation\. /);
await client.ping();

const { tools } = await client.listTools();
assert.deepEqual(tools.map(({ name }) => name), [
  "getAccount", "listWorkspaces", "listDomains", "listLinks", "countLinks", "searchLinks", "getLink", "createLink", "updateLink", "setLinkFavourite",
  "resolveLink", "getLinkHistory", "restoreLink", "listRules", "createRule", "updateRule", "listTags", "createTag", "attachTag", "getOpenGraph",
  "setOpenGraph", "getLinkStatistics", "getTagStatistics", "getDomainStatistics", "getWorkspaceStatistics",
]);
const create = tools.find(({ name }) => name === "createLink");
assert.equal(create.annotations.readOnlyHint, false);
assert.deepEqual(create.inputSchema.required, ["destination"]);

const made = await done(client, "createLink", { destination: "https://example.com/spring", slashtag: "spring" });
assert.equal(made.shortUrl, `${domain}/spring`);
assert.equal(await visit("/spring"), "https://example.com/spring");
const found = await done(client, "searchLinks", { term: "spring", limit: 5 });
assert.deepEqual(found.map(({ id }) => id), [made.id]);

const changed = await done(client, "updateLink", { link_id: made.id, title: "“Spring” — ünïcödé", destination: "https://example.com/summer" });
assert.equal(changed.title, "“Spring” — ünïcödé");
assert.equal(await visit("/spring"), "https://example.com/summer");
assert.equal((await done(client, "getLink", { link_id: made.id })).title, "“Spring” — ünïcödé");

const clicks = async () => (await done(client, "getLinkStatistics", { link_id: made.id, interval: "day" })).clicks;
for (const end = Date.now() + 20_000; (await clicks()) < 2; ) {
  assert.ok(Date.now() < end, "the two visits are counted");
  await new Promise((go) => setTimeout(go, 50));
}
assert.equal(await clicks(), 2);

// A refusal of the API is a result that the assistant reads, with all that is wrong; one of the protocol is none.
const wrong = await refused(client, "createLink", { slashtag: "a b" });
assert.equal(wrong.code, "InvalidFormat");
assert.deepEqual(wrong.errors.map(({ property }) => property).sort(), ["destination", "slashtag"]);
assert.equal((await refused(client, "getLink", { link_id: "0123456789abcdef0123456789abcdef" })).code, "NotFound");
const invalidParameters = ({ code }) => code === -32602;
await assert.rejects(client.callTool({ name: "deleteLink", arguments: { link_id: made.id } }), invalidParameters);
await assert.rejects(client.callTool({ name: "getLink", arguments: {} }), invalidParameters);
assert.equal((await done(client, "countLinks", {})).count, 1);

// The key may be in the header of the API as well; one that may only read changes nothing.
const answer = await fetch(`${base}/v1/account/keys`, {
  method: "POST",
  headers: { apikey: key, "content-type": "application/json" },
  body: JSON.stringify({ name: "reader", readOnly: true }),
});
assert.equal(answer.status, 200);
const reader = await connected({ apikey: (await answer.json()).key });
assert.equal((await done(reader, "countLinks", {})).count, 1);
assert.equal((await refused(reader, "createLink", { destination: "https://example.com/" })).code, "LimitedKey");

for (const headers of [{ authorization: "Bearer wrong" }, { authorization: `Bearer ${key}0` }, {}]) {
  // Whether a message without a key gets as far as being one is a matter of how it arrives.
  await assert.rejects(async () => done(await connected(headers), "countLinks", {}), ({ code }) => code === 401);
}
assert.equal((await done(client, "countLinks", {})).count, 1);

// A stream is asked for and there is none: clients go on without one.
const unexpected = troubles.filter(({ code }) => ![401, 404, 405].includes(code));
assert.deepEqual(unexpected, []);
await client.close();
await reader.close();

// The public library of Standard Webhooks (standardwebhooks) verifies what a receiver gets: of the secret that was shown,
// and of both while a renewed one takes over; and refuses what was changed on its way, and other secrets.
import assert from "node:assert/strict";
import http from "node:http";
import { Webhook, WebhookVerificationError } from "standardwebhooks";

const { SLASHPOST_BASE: base, SLASHPOST_KEY: key } = process.env;

async function api(path, body) {
  const answer = await fetch(`${base}/v1${path}`, { method: "POST", headers: { apikey: key, "content-type": "application/json" }, body: JSON.stringify(body) });
  assert.equal(answer.status, 200, `${path}: ${await answer.clone().text()}`);
  return answer.json();
}

const waiting = [];
let arrived = () => {};
const receiver = http.createServer((request, answer) => {
  let body = "";
  request.setEncoding("utf8");
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    waiting.push({ headers: request.headers, body });
    answer.writeHead(204).end();
    arrived();
  });
});
await new Promise((go) => receiver.listen(0, "127.0.0.1", go));

/** What arrived first of what was not looked at yet. */
async function next() {
  while (waiting.length === 0) await new Promise((go) => (arrived = go));
  return waiting.shift();
}

const refused = (secret, { body, headers }) => assert.throws(() => new Webhook(secret).verify(body, headers), WebhookVerificationError);

const made = await api("/webhooks", { url: `http://127.0.0.1:${receiver.address().port}/`, types: ["link.created"] });
const link = await api("/links", { destination: "https://example.com/", title: "“Spring” — ünïcödé" });
const first = await next();
const event = new Webhook(made.secret).verify(first.body, first.headers);
assert.equal(event.type, "link.created");
assert.equal(event.data.subject.id, link.id);
refused(made.secret, { ...first, body: first.body.replace("link.created", "link.deleted") });
refused(made.secret, { ...first, headers: { ...first.headers, "webhook-id": "evt_other" } });
refused(made.secret, { ...first, headers: { ...first.headers, "webhook-timestamp": `${Number(first.headers["webhook-timestamp"]) - 3600}` } });

const renewed = await api(`/webhooks/${made.id}/secret`, {});
await api(`/webhooks/${made.id}/test`, {});
const second = await next();
for (const secret of [made.secret, renewed.secret]) assert.equal(new Webhook(secret).verify(second.body, second.headers).type, "webhook.test");
refused(renewed.secret, first);
receiver.close();
receiver.closeAllConnections();

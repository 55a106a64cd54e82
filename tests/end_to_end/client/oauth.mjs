// A public OAuth 2.0 client library (oauth4webapi) gets access for a person, uses it, refreshes it and gives it up, and
// is refused what it should not get. What the person does in the browser is done here as the page does it.
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import http from "node:http";

globalThis.crypto ??= webcrypto; // the library wants it there
const oauth = await import("oauth4webapi");

const { SLASHPOST_BASE: base, SLASHPOST_KEY: key, SLASHPOST_DASHBOARD: dashboard, SLASHPOST_TOKEN: token } = process.env;
const plain = { [oauth.allowInsecureRequests]: true };
const redirect = "https://calendar.example/back";

async function api(method, path, body) {
  const answer = await fetch(`${base}/v1${path}`, { method, headers: { apikey: key, "content-type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

let cookie = "";
/** As one of the dashboard's pages sends it. */
function page(method, path, body) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${dashboard}${path}`, { method, headers: { "sec-fetch-site": "same-origin", "content-type": "application/json", ...(cookie ? { cookie } : {}) } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part) => (text += part));
      answer.on("end", () => {
        const [set] = answer.headers["set-cookie"] ?? [];
        if (set) cookie = set.split(";")[0];
        resolve({ status: answer.statusCode, json: text ? JSON.parse(text) : undefined });
      });
    });
    request.on("error", reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
}

const issuer = new URL(dashboard);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plain }));
const resource = new URL(`${base}/v1`);
const about = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, plain));
assert.deepEqual(about.authorization_servers, [server.issuer]);

const made = await api("POST", "/account/applications", { name: "Calendar", redirects: [redirect], confidential: true });
const client = { client_id: made.id };
assert.equal((await page("POST", "/session", { token })).status, 200);

/** Sends the person away and back; the parameters that the library accepts. */
async function comeBack(verifier, scope, allow = true) {
  const state = oauth.generateRandomState();
  const address = new URL(server.authorization_endpoint);
  address.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirect,
    response_type: "code",
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  assert.equal((await fetch(address)).status, 200);
  const { json } = await page("POST", "/connect/authorize", { query: address.search, allow });
  return oauth.validateAuthResponse(server, client, new URL(json.answer.address), state);
}

const secret = oauth.ClientSecretBasic(made.secret);
const verifier = oauth.generateRandomCodeVerifier();
const parameters = await comeBack(verifier, "links:read offline_access");
const exchange = async (word) => oauth.processAuthorizationCodeResponse(server, client, await oauth.authorizationCodeGrantRequest(server, client, secret, parameters, redirect, word, plain));
const refresh = async (word) => oauth.processRefreshTokenResponse(server, client, await oauth.refreshTokenGrantRequest(server, client, secret, word, plain));
const call = (access, method, path, body) => oauth.protectedResourceRequest(access, method, new URL(`${base}/v1${path}`), new Headers({ "content-type": "application/json" }), body, plain);
const refusedWith = (error) => (problem) => problem.error === error || problem.cause?.[0]?.parameters?.error === error;

await assert.rejects(exchange(oauth.generateRandomCodeVerifier()), refusedWith("invalid_grant"));
const first = await exchange(verifier);
assert.equal(first.token_type, "bearer");
assert.equal((await call(first.access_token, "GET", "/links")).status, 200);
await assert.rejects(call(first.access_token, "POST", "/links", JSON.stringify({ destination: "https://example.com/" })), refusedWith("insufficient_scope"));

const looked = await oauth.processIntrospectionResponse(server, client, await oauth.introspectionRequest(server, client, secret, first.access_token, plain));
assert.equal(looked.active, true);
assert.equal(looked.username, "admin");

const second = await refresh(first.refresh_token);
assert.equal((await call(second.access_token, "GET", "/links")).status, 200);
const same = await refresh(first.refresh_token); // its answer was lost
assert.equal(same.refresh_token, second.refresh_token);

await oauth.processRevocationResponse(await oauth.revocationRequest(server, client, secret, second.refresh_token, plain));
await assert.rejects(call(second.access_token, "GET", "/links"), refusedWith("invalid_token"));
await assert.rejects(refresh(second.refresh_token), refusedWith("invalid_grant"));

// A code that comes twice, and a person who says no.
const again = oauth.generateRandomCodeVerifier();
const once = await comeBack(again, "rbapi");
const give = async () => oauth.processAuthorizationCodeResponse(server, client, await oauth.authorizationCodeGrantRequest(server, client, secret, once, redirect, again, plain));
const third = await give();
await assert.rejects(give(), refusedWith("invalid_grant"));
await assert.rejects(call(third.access_token, "GET", "/links"), refusedWith("invalid_token"));
await assert.rejects(comeBack(again, "rbapi", false), refusedWith("access_denied"));

// The person cuts it off.
const last = oauth.generateRandomCodeVerifier();
const back = await comeBack(last, "rbapi");
const fourth = await oauth.processAuthorizationCodeResponse(server, client, await oauth.authorizationCodeGrantRequest(server, client, secret, back, redirect, last, plain));
assert.equal((await call(fourth.access_token, "GET", "/tags")).status, 200);
const [connected] = await api("GET", "/account/connections");
assert.equal(connected.name, "Calendar");
await api("DELETE", `/account/connections/${connected.id}`);
await assert.rejects(call(fourth.access_token, "GET", "/tags"), refusedWith("invalid_token"));

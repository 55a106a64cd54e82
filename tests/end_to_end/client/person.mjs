// A person at the dashboard, whose part its pages play in the browser, and what a program finds out about the server before
// it asks the person for access by a public OAuth 2.0 client library (oauth4webapi).
import assert from "node:assert/strict";
import { webcrypto } from "node:crypto";
import http from "node:http";

globalThis.crypto ??= webcrypto; // the library wants it there
export const oauth = await import("oauth4webapi");

const { SLASHPOST_BASE: base, SLASHPOST_KEY: key, SLASHPOST_DASHBOARD: dashboard, SLASHPOST_TOKEN: token } = process.env;
export const plain = { [oauth.allowInsecureRequests]: true };

/** What the API answers to the person's own key. */
export async function api(method, path, body) {
  const answer = await fetch(`${base}/v1${path}`, { method, headers: { apikey: key, "content-type": "application/json" }, ...(body ? { body: JSON.stringify(body) } : {}) });
  assert.equal(answer.status, 200, path);
  return answer.json();
}

let cookie = "";
/** As one of the dashboard's pages sends it. */
export function page(method, path, body) {
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
export const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...plain }));
const resource = new URL(`${base}/v1`);
const about = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, plain));
assert.deepEqual(about.authorization_servers, [server.issuer]);

/** Registers an application; the secret is for those that keep one. */
export async function register(application) {
  const { id, secret } = await api("POST", "/account/applications", application);
  return { client: { client_id: id }, secret, auth: secret ? oauth.ClientSecretBasic(secret) : oauth.None() };
}

export async function signIn() {
  assert.equal((await page("POST", "/session", { token })).status, 200);
}

/** What an application says in the address that it sends a person to; `changed` takes the place of what would be right, and undefined is not said at all. */
export async function question(app, redirect, scope, verifier, changed = {}) {
  const words = {
    client_id: app.client.client_id,
    redirect_uri: redirect,
    response_type: "code",
    scope,
    state: oauth.generateRandomState(),
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...changed,
  };
  return new URLSearchParams(Object.entries(words).filter(([, word]) => word !== undefined));
}

/** How the server answers the person's browser, which is led nowhere yet. */
export const open = (query) => fetch(`${server.authorization_endpoint}?${query}`, { redirect: "manual" });

/** What the page is answered when the person has decided. */
export const decide = (query, allow = true) => page("POST", "/connect/authorize", { query: `?${query}`, allow });

/** Sends the person away and back; the parameters that the library accepts. */
export async function comeBack(app, redirect, verifier, scope, allow = true) {
  const query = await question(app, redirect, scope, verifier);
  assert.equal((await open(query)).status, 200);
  const { json } = await decide(query, allow);
  return oauth.validateAuthResponse(server, app.client, new URL(json.answer.address), query.get("state"));
}

/** The calls of an application, which fail with what the library makes of a refusal. `auth` is how it says who it is. */
export const exchange = async (app, parameters, redirect, verifier, auth = app.auth) =>
  oauth.processAuthorizationCodeResponse(server, app.client, await oauth.authorizationCodeGrantRequest(server, app.client, auth, parameters, redirect, verifier, plain));
export const refresh = async (app, word, scope) =>
  oauth.processRefreshTokenResponse(server, app.client, await oauth.refreshTokenGrantRequest(server, app.client, app.auth, word, { ...plain, additionalParameters: scope ? { scope } : {} }));
export const look = async (app, word, auth = app.auth) => oauth.processIntrospectionResponse(server, app.client, await oauth.introspectionRequest(server, app.client, auth, word, plain));
export const revoke = async (app, word, auth = app.auth) => oauth.processRevocationResponse(await oauth.revocationRequest(server, app.client, auth, word, plain));
export const call = (access, method, path, body) =>
  oauth.protectedResourceRequest(access, method, new URL(`${base}/v1${path}`), new Headers({ "content-type": "application/json" }), body && JSON.stringify(body), plain);
export const refusedWith = (error) => (problem) => problem.error === error || problem.cause?.[0]?.parameters?.error === error;

// What a public OAuth 2.0 client library (oauth4webapi) is refused when it asks for what it should not get: sent elsewhere,
// without PKCE, with the codes and tokens of others, or with what was used before (RFC 6749, 7636, 9700).
import assert from "node:assert/strict";
import { api, call, comeBack, decide, exchange, look, oauth, open, page, plain, question, refresh, refusedWith, register, revoke, server, signIn } from "./person.mjs";

const back = "https://calendar.example/back", loopback = "http://127.0.0.1/cb";
const grace = 30_000; // milliseconds in which a refresh token may be used again, as its answer may be lost
const app = await register({ name: "Planner", redirects: [back, loopback], confidential: true });
const other = await register({ name: "Other", redirects: [back], confidential: true });
const phone = await register({ name: "Phone", redirects: [loopback] }); // keeps no secret
const old = await register({ name: "Old", redirects: [back], legacyImplicit: true });
const patient = await register({ name: "Patient", redirects: [back], confidential: true });
await signIn();

const full = "links:read links:write offline_access";
const refused = (promise, error) => assert.rejects(promise, refusedWith(error));
const works = async (access) => assert.equal((await call(access, "GET", "/links")).status, 200);
const isOver = (access) => refused(call(access, "GET", "/links"), "invalid_token");
const makes = (access) => call(access, "POST", "/links", { destination: "https://example.com/" });

/** A code that was not used yet. */
async function code(of = app, redirect = back, scope = full) {
  const verifier = oauth.generateRandomCodeVerifier();
  return { verifier, parameters: await comeBack(of, redirect, verifier, scope) };
}
async function connect(of = app, redirect = back) {
  const { verifier, parameters } = await code(of, redirect);
  return exchange(of, parameters, redirect, verifier);
}
async function names() {
  return (await api("GET", "/account/connections")).map(({ name }) => name).sort();
}

// Comes to its end when the time of grace is over, below.
const first = await connect(patient);
const second = await refresh(patient, first.refresh_token);
const refreshed = Date.now();

async function leadsNowhere(query, reason) {
  const answer = await open(query);
  assert.equal(answer.status, 400, `${query}`);
  assert.equal(answer.headers.get("location"), null, `${query}`);
  assert.equal(answer.headers.get("content-type"), "text/plain; charset=utf-8");
  const { status, json } = await decide(query);
  assert.equal(status, 403, `${query}`);
  assert.equal(json.code, reason, `${query}`);
  assert.equal(json.answer, undefined);
}

// To the address that was registered, letter by letter, and nowhere else; of a loopback's the port may be another.
const verifier = oauth.generateRandomCodeVerifier();
for (const address of [
  undefined,
  "",
  "https://calendar.example/back/",
  "https://calendar.example/back/more",
  "https://calendar.example/backwards",
  "https://calendar.example/bac",
  "https://calendar.example/",
  "https://calendar.example",
  "https://calendar.example/Back",
  "https://calendar.example/bac%6B",
  "https://calendar.example/back/../evil",
  "https://calendar.example/evil/../back",
  "https://calendar.example//back",
  "https://calendar.example/back?",
  "https://calendar.example/back?to=evil",
  "https://calendar.example/back#",
  "https://calendar.example/back#code",
  "https://calendar.example:443/back",
  "https://calendar.example:8443/back",
  "https://ann@calendar.example/back",
  "https://ann:secret@calendar.example/back",
  "https://calendar.example@evil.example/back",
  "https://calendar.example\\@evil.example/back",
  "https://calendar.example.evil.example/back",
  "https://evil.example/back",
  "https://evil.example/?https://calendar.example/back",
  "https://www.calendar.example/back",
  "https://CALENDAR.example/back",
  "https://calendar.example./back",
  "HTTPS://calendar.example/back",
  "http://calendar.example/back",
  "//calendar.example/back",
  " https://calendar.example/back",
  "https://calendar.example/back\n",
  "javascript:alert(1)//https://calendar.example/back",
  "http://127.0.0.1:49152/cb2",
  "http://127.0.0.1:49152/cb?to=evil",
  "http://127.0.0.1:49152/cb#code",
  "http://127.0.0.1:49152@evil.example/cb",
  "http://127.0.0.1.evil.example/cb",
  "http://127.0.0.2/cb",
  "http://[::1]/cb",
  "http://localhost/cb",
  "https://127.0.0.1/cb",
])
  await leadsNowhere(await question(app, back, full, verifier, { redirect_uri: address }), "UnknownRedirect");
await leadsNowhere(await question(app, back, full, verifier, { client_id: "0123456789abcdef0123456789abcdef" }), "UnknownApplication");
await leadsNowhere(await question(app, back, full, verifier, { client_id: phone.client.client_id }), "UnknownRedirect");
const twice = await question(app, back, full, verifier);
twice.append("redirect_uri", "https://evil.example/back");
assert.equal((await open(twice)).status, 400);
const elsewhere = "http://127.0.0.1:49152/cb";
const far = await code(app, elsewhere);
await exchange(app, far.parameters, elsewhere, far.verifier);

/** The parameters in the address that the browser is sent on to, the same whether it is opened or decided on. */
async function sentBack(of, changed, mark) {
  const query = await question(of, back, full, verifier, changed);
  const answer = await open(query);
  assert.equal(answer.status, 303, `${query}`);
  const { json } = await decide(query);
  const [opened, decided] = [answer.headers.get("location"), json.answer.address].map((address) => {
    assert.ok(address.startsWith(`${back}${mark}error=`), address);
    return new URLSearchParams(address.slice(back.length + 1));
  });
  assert.deepEqual([...opened], [...decided]);
  return { parameters: opened, state: query.get("state") };
}

// What else is wrong goes back to the application, with its state, and with no code.
for (const [changed, error] of [
  [{ code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
  [{ code_challenge: undefined }, "invalid_request"],
  [{ code_challenge_method: undefined }, "invalid_request"], // which would mean plain
  [{ code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge: verifier, code_challenge_method: "plain" }, "invalid_request"],
  [{ code_challenge_method: "s256" }, "invalid_request"],
  [{ code_challenge: "a".repeat(42) }, "invalid_request"],
  [{ code_challenge: "a".repeat(44) }, "invalid_request"],
  [{ scope: "links:read admin" }, "invalid_scope"],
  [{ scope: "LINKS:READ" }, "invalid_scope"],
  [{ scope: "links" }, "invalid_scope"],
  [{ scope: "offline_access" }, "invalid_scope"],
  [{ response_type: undefined }, "invalid_request"],
  [{ response_type: "id_token" }, "unsupported_response_type"],
  [{ response_type: "code token" }, "unsupported_response_type"],
  [{ response_mode: "fragment" }, "invalid_request"],
]) {
  const { parameters, state } = await sentBack(app, changed, "?");
  assert.throws(() => oauth.validateAuthResponse(server, app.client, parameters, state), refusedWith(error), JSON.stringify(changed));
  assert.equal(parameters.has("code"), false);
}

// A token in the address is for applications of which their owner said so; it is never one to go on with.
const implicit = await sentBack(app, { response_type: "token" }, "#");
assert.throws(() => oauth.validateAuthResponse(server, app.client, implicit.parameters, implicit.state), refusedWith("unauthorized_client"));
assert.equal(implicit.parameters.has("access_token"), false);
const { json: given } = await decide(await question(old, back, full, verifier, { response_type: "token" }));
assert.ok(given.answer.address.startsWith(`${back}#access_token=`), given.answer.address);
const fragment = new URLSearchParams(given.answer.address.slice(back.length + 1));
await works(fragment.get("access_token"));
assert.equal(fragment.has("refresh_token"), false);
assert.equal(fragment.has("code"), false);

// A code is for the application that it was given to, with the verifier and the address that it was asked for with.
const wrongSecret = oauth.ClientSecretPost("wrong"), noSecret = oauth.None();
const one = await code();
const give = (word = one.verifier, redirect = back, auth = app.auth) => exchange(app, one.parameters, redirect, word, auth);
await refused(exchange(other, one.parameters, back, one.verifier), "invalid_grant");
await refused(exchange(phone, one.parameters, back, one.verifier), "invalid_grant");
await refused(give(oauth.generateRandomCodeVerifier()), "invalid_grant");
await refused(give(await oauth.calculatePKCECodeChallenge(one.verifier)), "invalid_grant");
await refused(give(oauth.nopkce), "invalid_grant");
await refused(give(one.verifier, loopback), "invalid_grant");
await refused(give(one.verifier, `${back}/`), "invalid_grant");
await refused(give(one.verifier, back, wrongSecret), "invalid_client");
await refused(give(one.verifier, back, noSecret), "invalid_client");
await refused(give(one.verifier, back, oauth.ClientSecretPost(other.secret)), "invalid_client");
const challenged = ({ status, cause }) => status === 401 && cause[0].scheme === "basic"; // in the way that was chosen
await assert.rejects(give(one.verifier, back, oauth.ClientSecretBasic("wrong")), challenged);
await refused(refresh(app, one.parameters.get("code")), "invalid_grant");
await isOver(one.parameters.get("code")); // opens nothing itself
const tokens = await give();
await works(tokens.access_token);
await isOver(tokens.refresh_token);

// Two that show the same code have it: neither keeps anything.
await refused(give(), "invalid_grant");
await isOver(tokens.access_token);
await refused(refresh(app, tokens.refresh_token), "invalid_grant");
assert.deepEqual(await look(app, tokens.access_token), { active: false });

const ask = async (kind, words, of = app, auth = of.auth) =>
  oauth.processGenericTokenEndpointResponse(server, of.client, await oauth.genericTokenEndpointRequest(server, of.client, auth, kind, words, plain));
await refused(ask("password", { username: "admin", password: "secret" }), "unsupported_grant_type");
await refused(ask("client_credentials", { scope: "rbapi" }), "unsupported_grant_type");
await refused(exchange(phone, one.parameters, loopback, one.verifier, oauth.ClientSecretPost("any")), "invalid_client");

// A refresh token is its application's, and asks for no more than was allowed.
const grant = await connect();
await refused(refresh(other, grant.refresh_token), "invalid_grant");
await refused(refresh(phone, grant.refresh_token), "invalid_grant");
await refused(refresh(app, grant.refresh_token, "links:read tags:read"), "invalid_scope");
await refused(refresh(app, grant.refresh_token, "rbapi"), "invalid_scope");
await refused(refresh(app, grant.refresh_token, "links:read admin"), "invalid_scope");
await refused(ask("authorization_code", { code: grant.refresh_token, redirect_uri: back, code_verifier: verifier }), "invalid_grant");
await refused(refresh(app, grant.access_token), "invalid_grant");
await works(grant.access_token); // nothing of that has ended anything

// With less asked for the access token may do no more than that; the grant keeps what it may.
const less = await refresh(app, grant.refresh_token, "links:read");
assert.equal(less.scope, "links:read");
assert.equal((await look(app, less.access_token)).scope, "links:read");
await works(less.access_token);
await refused(makes(less.access_token), "insufficient_scope");
const lost = await refresh(app, grant.refresh_token); // its answer was lost: no more comes of asking again
assert.equal(lost.access_token, less.access_token);
assert.equal(lost.scope, "links:read");
const more = await refresh(app, less.refresh_token);
assert.equal(more.scope, "offline_access links:read links:write");
assert.equal((await makes(more.access_token)).status, 200);
await refused(makes(less.access_token), "insufficient_scope");

// One from before the last has no time of grace.
await refused(refresh(app, grant.refresh_token), "invalid_grant");
for (const { access_token } of [grant, less, more]) await isOver(access_token);
await refused(refresh(app, more.refresh_token), "invalid_grant");

// Tokens are looked at and revoked by their application; who keeps no secret looks at none.
const last = await connect();
await revoke(other, last.refresh_token);
await revoke(phone, last.access_token);
await works(last.access_token);
assert.deepEqual(await look(other, last.access_token), { active: false });
assert.deepEqual(await look(other, last.refresh_token), { active: false });
await refused(look(phone, last.access_token), "invalid_client");
await refused(look(app, last.access_token, noSecret), "invalid_client");
await refused(look(app, last.access_token, wrongSecret), "invalid_client");
await refused(revoke(app, last.access_token, wrongSecret), "invalid_client");
assert.equal((await look(app, last.access_token)).active, true);
await revoke(app, last.access_token);
await isOver(last.access_token);
assert.deepEqual(await look(app, last.access_token), { active: false });
const next = await refresh(app, last.refresh_token);
await works(next.access_token);
await revoke(app, next.refresh_token);
await isOver(next.access_token);
await refused(refresh(app, next.refresh_token), "invalid_grant");
assert.deepEqual(await look(app, next.refresh_token), { active: false });

// With the application its tokens and codes go.
const gone = await connect(other);
const unused = await code(other);
await api("DELETE", `/account/applications/${other.client.client_id}`);
await isOver(gone.access_token);
await assert.rejects(refresh(other, gone.refresh_token), challenged);
await assert.rejects(exchange(other, unused.parameters, back, unused.verifier), challenged);

// A refresh token that comes again after the time of grace is somebody else's as well: the grant ends.
assert.ok((await names()).includes("Patient"));
await works(second.access_token);
await new Promise((go) => setTimeout(go, Math.max(0, refreshed + grace + 1_500 - Date.now())));
await refused(refresh(patient, first.refresh_token), "invalid_grant");
for (const { access_token } of [first, second]) await isOver(access_token);
await refused(refresh(patient, second.refresh_token), "invalid_grant");
assert.equal((await names()).includes("Patient"), false);

// Nobody decides for the person without the session.
const asked = await question(app, back, full, verifier);
assert.equal((await page("DELETE", "/session")).status, 204);
assert.equal((await decide(asked)).status, 401);

// A public OAuth 2.0 client library (oauth4webapi) gets access for a person, uses it, refreshes it and gives it up. What the
// person does in the browser is done here as the page does it. What is refused: oauth_refusals.mjs.
import assert from "node:assert/strict";
import { api, call, comeBack, exchange, look, oauth, refresh, refusedWith, register, revoke, signIn } from "./person.mjs";

const redirect = "https://calendar.example/back";
const app = await register({ name: "Calendar", redirects: [redirect], confidential: true });
await signIn();

const verifier = oauth.generateRandomCodeVerifier();
const parameters = await comeBack(app, redirect, verifier, "links:read offline_access");
await assert.rejects(exchange(app, parameters, redirect, oauth.generateRandomCodeVerifier()), refusedWith("invalid_grant"));
const first = await exchange(app, parameters, redirect, verifier);
assert.equal(first.token_type, "bearer");
assert.equal((await call(first.access_token, "GET", "/links")).status, 200);
await assert.rejects(call(first.access_token, "POST", "/links", { destination: "https://example.com/" }), refusedWith("insufficient_scope"));

const looked = await look(app, first.access_token);
assert.equal(looked.active, true);
assert.equal(looked.username, "admin");

const second = await refresh(app, first.refresh_token);
assert.equal((await call(second.access_token, "GET", "/links")).status, 200);
const same = await refresh(app, first.refresh_token); // its answer was lost
assert.equal(same.refresh_token, second.refresh_token);

await revoke(app, second.refresh_token);
await assert.rejects(call(second.access_token, "GET", "/links"), refusedWith("invalid_token"));
await assert.rejects(refresh(app, second.refresh_token), refusedWith("invalid_grant"));

// A person who says no.
await assert.rejects(comeBack(app, redirect, oauth.generateRandomCodeVerifier(), "rbapi", false), refusedWith("access_denied"));

// The person cuts it off.
const last = oauth.generateRandomCodeVerifier();
const back = await comeBack(app, redirect, last, "rbapi");
const third = await exchange(app, back, redirect, last);
assert.equal((await call(third.access_token, "GET", "/tags")).status, 200);
const [connected] = (await api("GET", "/account/connections")).filter(({ id }) => id === app.client.client_id);
assert.equal(connected.name, "Calendar");
await api("DELETE", `/account/connections/${connected.id}`);
await assert.rejects(call(third.access_token, "GET", "/tags"), refusedWith("invalid_token"));

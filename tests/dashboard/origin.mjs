// The dashboard's origin as tests have it: the built files with the headers that the listener sends, sessions by a
// cookie, and the API of a real server behind them.
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { join } from "node:path";
import { fixtures } from "./fixtures.mjs";

export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
const TYPES = { html: "text/html; charset=utf-8", js: "text/javascript; charset=utf-8", css: "text/css; charset=utf-8" };
const PASSWORD = "correct horse battery";

/** Listens on a free port of localhost. `api` is the address of the server, `keys` the API key of each user name. */
export async function startOrigin({ built, api, keys }) {
  const sessions = new Map(); // cookie -> key
  const once = new Map(); // one-time token -> key
  const fixture = fixtures(PASSWORD);

  function answer(response, status, body, headers = {}) {
    response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  async function answerSession(response, key, by, cookie) {
    const account = await (await fetch(`${api}/v1/account`, { headers: { apikey: key, accept: "application/json" } })).json();
    const expiresAt = new Date(Date.now() + 43_200_000).toISOString();
    answer(response, 200, { account, signedInBy: by, hasPassword: true, asksForPassword: true, hasSecondFactor: false, recoveryCodes: 0, sendsMail: false, isOperator: false, expiresAt }, cookie ? { "set-cookie": `slashpost=${cookie}; HttpOnly; SameSite=Strict; Path=/` } : {});
  }

  async function session(request, response, cookie, body) {
    if (request.url === "/session/mail") return answer(response, 403, { code: "NoMail", message: "This server sends no mail." });
    if (request.method === "DELETE") {
      sessions.delete(cookie);
      return answer(response, 204, undefined);
    }
    if (request.method === "GET") {
      const key = sessions.get(cookie);
      return key ? answerSession(response, key, "password") : answer(response, 401, { code: "SignedOut", message: "Signed out" });
    }
    const given = JSON.parse(body);
    const key = given.token ? once.get(given.token) : given.password === PASSWORD ? keys[given.user] : undefined;
    once.delete(given.token);
    if (!key) return answer(response, 401, { code: "SignInFailed", message: "The sign-in failed." });
    const fresh = randomBytes(32).toString("hex");
    sessions.set(fresh, key);
    return answerSession(response, key, given.token ? "address" : "password", fresh);
  }

  async function handle(request, response) {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const cookie = /(?:^|; )slashpost=([0-9a-f]+)/.exec(request.headers.cookie ?? "")?.[1];
    const known = sessions.has(cookie) ? fixture(request.method, request.url, body.length ? JSON.parse(body) : {}) : undefined;
    if (known) return answer(response, ...known);
    if (request.url.startsWith("/session")) return session(request, response, cookie, body.toString());
    if (request.url.startsWith("/v1/")) {
      const key = sessions.get(cookie);
      const headers = { accept: "application/json", ...(key ? { apikey: key } : {}) };
      for (const name of ["workspace", "content-type"]) if (request.headers[name]) headers[name] = request.headers[name];
      const got = await fetch(api + request.url, { method: request.method, headers, ...(body.length ? { body } : {}) });
      response.writeHead(got.status, { "content-type": got.headers.get("content-type") ?? "application/json" });
      return response.end(Buffer.from(await got.arrayBuffer()));
    }
    const name = /^\/assets\/([a-z]+\.(?:js|css))$/.exec(request.url)?.[1] ?? "index.html";
    response.writeHead(200, {
      "content-type": TYPES[name.split(".")[1]],
      "content-security-policy": POLICY,
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": "same-origin",
      "x-content-type-options": "nosniff",
      "cache-control": "no-cache",
    });
    return response.end(await readFile(join(built, name)));
  }

  const server = http.createServer((request, response) => {
    handle(request, response).catch((error) => answer(response, 502, { code: "BadGateway", message: String(error) }));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const tokens = {
    address(user) {
      const token = randomBytes(32).toString("hex");
      once.set(token, keys[user]);
      return `/sign-in#${token}`;
    },
  };
  return { base: `http://localhost:${server.address().port}`, password: PASSWORD, signInAddress: tokens.address, end: () => server.close() };
}

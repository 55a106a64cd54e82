// A provider on the loopback. It signs in whoever login_hint names, without a question; /rotate makes it sign with
// a new key from then on.
import { generateKeyPairSync } from "node:crypto";
import { createServer } from "node:http";
import * as oidc from "oidc-provider";

const { issuer, port, redirect, secret } = JSON.parse(process.env.SLASHPOST_PROVIDER);
const people = {
  ann: { email: "ann@example.com", email_verified: true, name: "Ann Example" },
  bob: { email: "bob@example.com", email_verified: false, name: "Bob Example" },
  eve: { email: "eve@example.net", email_verified: true, name: "Eve Example" },
};
const Provider = oidc.Provider ?? oidc.default;

function provider(number) {
  const key = { ...generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }), kid: `key ${number}`, use: "sig", alg: "ES256" };
  return new Provider(issuer, {
    clients: [{ client_id: "slashpost", client_secret: secret, redirect_uris: [redirect], id_token_signed_response_alg: "ES256" }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key of a test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    jwks: { keys: [key] },
    async loadExistingGrant({ oidc: { client, provider: here, session } }) {
      const grant = new here.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
}

let rotations = 0;
let current = provider(rotations);
createServer(async (request, response) => {
  if (request.url === "/rotate") {
    current = provider(++rotations);
    response.end();
  } else if (request.url.startsWith("/interaction/")) {
    const { params } = await current.interactionDetails(request, response);
    await current.interactionFinished(request, response, { login: { accountId: params.login_hint } });
  } else await current.callback()(request, response);
}).listen(port, "localhost", () => console.log("ready"));

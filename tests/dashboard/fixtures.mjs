// What the origin of tests answers by itself because the server behind it does not yet: keys and sessions of an account, and
// the password.
import { randomBytes } from "node:crypto";

const id = () => randomBytes(16).toString("hex");
const ago = (hours) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** One world of them. `answer` is (status, body), or nothing when the address is none of these. */
export function fixtures(password) {
  let keys = [
    { id: id(), name: "<img src=x onerror=alert(1)>", hint: "a1b2c3", readOnly: true, linksOnly: true, createdAt: ago(900), lastUsedAt: ago(2) },
    { id: id(), name: "Nightly import", hint: "ff0912", readOnly: false, linksOnly: false, createdAt: ago(90), expiresAt: ago(-900) },
  ];
  let sessions = [
    { id: id(), createdAt: ago(3), lastUsedAt: ago(0), client: "Chrome on Linux", signedInBy: "address", current: true },
    { id: id(), createdAt: ago(30), lastUsedAt: ago(5), client: "Firefox on Windows", signedInBy: "password", current: false },
    { id: id(), createdAt: ago(50), lastUsedAt: ago(20), client: "<script>alert(1)</script>", signedInBy: "password", current: false },
  ];
  let secret = password;
  const refused = (property, code, message) => [403, { code: "InvalidFormat", message: "Invalid format", errors: [{ property, code, message, verbose: message }] }];

  return function answer(method, path, body) {
    const [, of, one] = /^\/v1\/account\/(keys|sessions)(?:\/([0-9a-f]+))?$/.exec(path) ?? [];
    if (method === "PUT" && path === "/session/password") {
      if (body.current !== secret) return refused("current", "InvalidFormat", "is not the present password");
      if ((body.new ?? "").length < 10) return refused("new", "InvalidLength", "must have at least 10 characters");
      secret = body.new;
      return [204];
    }
    if (!of) return undefined;
    if (method === "GET") return [200, of === "keys" ? keys : sessions];
    if (method === "DELETE") {
      keys = keys.filter((row) => row.id !== one);
      sessions = sessions.filter((row) => row.id !== one);
      return [200, {}];
    }
    if (!body.name) return refused("name", "RequiredField", "must not be empty");
    const clear = randomBytes(32).toString("hex");
    const row = { id: id(), hint: clear.slice(0, 6), createdAt: ago(0), ...body, ...(body.workspace ? { workspace: { id: body.workspace, name: "Spring campaign" } } : {}) };
    keys = [row, ...keys];
    return [200, { ...row, key: clear }];
  };
}

// What the account's own addresses answer.
import { isKey, t } from "../../text";

export interface ApiKey {
  id: string;
  name: string;
  /** The first characters of the key, by which people know it again. */
  hint: string;
  readOnly: boolean;
  linksOnly: boolean;
  /** The one workspace that it works in; absent: all. */
  workspace?: { id: string; name: string };
  createdAt: string;
  lastUsedAt?: string;
  expiresAt?: string;
  /** Only in the answer that makes it. */
  key?: string;
}

export interface SessionRow {
  id: string;
  createdAt: string;
  lastUsedAt: string;
  /** The browser, such as "Firefox on Linux". */
  client: string;
  signedInBy: string;
  current: boolean;
}

/** A program of others that the account registered. */
export interface Application {
  /** The client_id of OAuth 2.0. */
  id: string;
  name: string;
  website: string;
  redirects: string[];
  /** It has a secret. */
  confidential: boolean;
  legacyImplicit: boolean;
  grants: number;
  /** Only in the answer that makes it. */
  secret?: string;
}

/** A program of others that the account is connected to. */
export interface Connection {
  id: string;
  name: string;
  registeredBy: string;
  scopes: string[];
  /** Empty: all. */
  workspaces: { id: string; name: string }[];
  lastUsedAt: string;
}

/** What a scope of OAuth 2.0 allows, in words. */
export function scopeWords(scope: string): string {
  const key = `scope.${scope}`;
  return isKey(key) ? t(key) : scope;
}

// What the account's own addresses answer.

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

// Names for what the API answers; the shapes come from its own document.
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Link = Schemas["Link"];
export type LinkInput = Schemas["LinkInput"];
export type LinkChange = Schemas["LinkChange"];
export type Tag = Schemas["Tag"];
export type LinkTag = Schemas["LinkTag"];
export type Domain = Schemas["Domain"];
export type Script = Schemas["Script"];
export type Rule = Schemas["Rule"];
export type RuleComparison = Schemas["RuleComparison"];
export type RotatorRule = Schemas["RotatorRule"];
export type OpenGraph = Schemas["OpenGraph"];
export type App = Schemas["App"];
export type DeepLink = Schemas["DeepLink"];
export type Resolution = Schemas["Resolution"];
export type Statistics = Schemas["Statistics"];
export type Webhook = Schemas["Webhook"];
export type IssuedWebhook = Schemas["IssuedWebhook"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type Event = Schemas["Event"];
export type EventType = Webhook["types"][number];
export type Workspace = Schemas["Workspace"];
export type Account = Schemas["Account"];
export type Teammate = Schemas["Teammate"];
export type Role = Teammate["role"];

/** What the dashboard itself answers to a sign-in. */
export interface Session {
  account: Account;
  signedInBy: "password" | "address" | "invite" | "provider";
  hasPassword: boolean;
  /** The present password has to be said before it, or the second factor, is changed. */
  asksForPassword: boolean;
  hasSecondFactor: boolean;
  /** How many were not used yet. */
  recoveryCodes: number;
  /** The provider that people may sign in with; null: there is none. The address is as it was told last. */
  provider: { name: string; connected: boolean; email?: string } | null;
  /** This server sends mails. */
  sendsMail: boolean;
  /** Avatars are shown from where they are. */
  showsOutsideImages: boolean;
  /** Runs the installation. */
  isOperator: boolean;
  expiresAt: string;
}

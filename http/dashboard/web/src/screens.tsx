// The screens by their addresses, and the navigation. A new screen is one row here (README.md).
import type { ComponentType } from "preact";
import type { IconName } from "./components/icon";
import type { Key } from "./text";
import type { Role } from "./api/types";
import { LinkScreen } from "./screens/link/screen";
import { Links } from "./screens/links/screen";
import { Installation } from "./screens/installation";
import { AccountScreen } from "./screens/account/screen";
import { WorkspaceStatistics } from "./screens/statistics/screen";
import { TagScreen } from "./screens/tags/screen";

import { Workspaces } from "./screens/workspaces/list";
import { WorkspaceSettings } from "./screens/workspaces/settings";

import { People } from "./screens/people/screen";

import { Domains } from "./screens/domains/list";
import { DomainScreen } from "./screens/domains/screen";

import { Scripts } from "./screens/scripts/list";
import { HistoryScreen } from "./screens/history/screen";
import { Webhooks } from "./screens/webhooks/list";
import { WebhookScreen } from "./screens/webhooks/screen";
import { Tags } from "./screens/tags/list";

interface Screen {
  pattern: string;
  /** Gets the parts that the pattern names. */
  show: ComponentType<Record<string, string>>;
}

export interface NavigationItem {
  address: string;
  icon: IconName;
  name: Key;
  /** Behind g. */
  key: string;
  /** Only from this role on. */
  least?: Role;
  /** Only for who runs the installation. */
  operators?: boolean;
}

export const screens: readonly Screen[] = [
  { pattern: "", show: Links },
  { pattern: "/links", show: Links },
  { pattern: "/links/:id", show: LinkScreen as ComponentType<Record<string, string>> },
  { pattern: "/links/:id/:tab", show: LinkScreen as ComponentType<Record<string, string>> },
  { pattern: "/tags", show: Tags },
  { pattern: "/scripts", show: Scripts },
  { pattern: "/domains", show: Domains },
  { pattern: "/domains/:id", show: DomainScreen as ComponentType<Record<string, string>> },
  { pattern: "/domains/:id/:tab", show: DomainScreen as ComponentType<Record<string, string>> },
  { pattern: "/people", show: People },
  { pattern: "/webhooks", show: Webhooks },
  { pattern: "/webhooks/:id", show: WebhookScreen as ComponentType<Record<string, string>> },
  { pattern: "/history", show: HistoryScreen },
  { pattern: "/workspaces", show: Workspaces },
  { pattern: "/settings", show: WorkspaceSettings },
  { pattern: "/tags/:id", show: TagScreen as ComponentType<Record<string, string>> },
  { pattern: "/statistics", show: WorkspaceStatistics },
  { pattern: "/installation", show: Installation as ComponentType<Record<string, string>> },
  { pattern: "/installation/:tab", show: Installation as ComponentType<Record<string, string>> },
  { pattern: "/account", show: AccountScreen as ComponentType<Record<string, string>> },
  { pattern: "/account/:tab", show: AccountScreen as ComponentType<Record<string, string>> },
];

export const navigation: readonly NavigationItem[] = [
  { address: "/links", icon: "link", name: "nav.links", key: "l" },
  { address: "/statistics", icon: "chart", name: "nav.statistics", key: "c" },
  { address: "/tags", icon: "tag", name: "nav.tags", key: "t" },
  { address: "/scripts", icon: "code", name: "nav.scripts", key: "s" },
  { address: "/domains", icon: "globe", name: "nav.domains", key: "d" },
  { address: "/people", icon: "people", name: "nav.people", key: "p" },
  { address: "/webhooks", icon: "target", name: "nav.webhooks", key: "h", least: "admin" },
  { address: "/history", icon: "clock", name: "nav.history", key: "o", least: "admin" },
  { address: "/settings", icon: "settings", name: "nav.settings", key: "e" },
  { address: "/workspaces", icon: "box", name: "nav.workspaces", key: "w" },
  { address: "/account", icon: "user", name: "nav.account", key: "a" },
  { address: "/installation", icon: "screen", name: "nav.installation", key: "i", operators: true },
];

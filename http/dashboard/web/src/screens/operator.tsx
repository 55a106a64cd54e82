// For who runs the installation: its health, accounts, plans, workspaces, and the domains that are everybody's.
import type { ComponentType } from "preact";
import { Accounts } from "./operator/accounts";
import { ServiceDomains } from "./operator/domains";
import { HealthPart } from "./operator/health";
import { Plans } from "./operator/plans";
import { AllWorkspaces } from "./operator/workspaces";

export const parts: Readonly<Record<"health" | "accounts" | "plans" | "workspaces" | "domains", ComponentType>> = {
  health: HealthPart,
  accounts: Accounts,
  plans: Plans,
  workspaces: AllWorkspaces,
  domains: ServiceDomains,
};

// Who is signed in, where they work, and what they may do there. The server is the judge; this only spares people
// buttons that would be refused.
import { computed, signal } from "@preact/signals";
import { api, ask, askIn, onSignedOut, type Problem } from "./api/client";
import { every } from "./api/every";
import { asProblem } from "./api/load";
import { remember, remembered } from "./storage";
import type { Link, Role, Session, Workspace } from "./api/types";

/** undefined: not known yet; null: nobody. */
export const session = signal<Session | null | undefined>(undefined);
/** Why nobody can be told to be signed in or not. */
export const sessionProblem = signal<Problem | undefined>(undefined);
/** The session was there and has ended. */
export const sessionEnded = signal(false);
/** What the provider is called that people may sign in with; empty: there is none; undefined: not known yet. */
export const provider = signal<string | undefined>(undefined);
export const workspaces = signal<readonly Workspace[]>([]);
/** There are more than these. */
export const moreWorkspaces = signal(false);
export const workspaceId = signal("");
export const workspace = computed(() => workspaces.value.find((one) => one.id === workspaceId.value));
export const role = signal<Role>("viewer");
export const features = signal<ReadonlySet<string>>(new Set());

const RANKS: Role[] = ["viewer", "guest", "user", "admin", "owner"];

/** Whether the person's role in the workspace is this one or a higher one. */
export function atLeast(least: Role): boolean {
  return RANKS.indexOf(role.value) >= RANKS.indexOf(least) && !workspace.value?.revoked;
}

/** Guests change their own links, users every link; nobody those that are deleted. */
export function mayEdit(link: Link): boolean {
  if (link.status === "deleted") return false;
  return atLeast("user") || (atLeast("guest") && link.creator.id === session.value?.account.id);
}

/** Only classic workspaces have favourites. */
export function mayFavour(link: Link): boolean {
  return mayEdit(link) && workspace.value?.type === "classic";
}

/** What links of extended workspaces cannot have, whatever the plan says. */
const NOT_IN_EXTENDED = ["links.tags", "links.scripts", "links.opengraph"];

/** Whether the owner's plan includes a feature, and the workspace is of a kind that can use it. */
export function has(feature: string): boolean {
  if (workspace.value?.type === "extended" && NOT_IN_EXTENDED.includes(feature)) return false;
  return features.value.has(feature);
}

let choice = 0;

/** Answers whether it is the one that one works in now, in this tab and those to come: another may have been chosen since. */
export async function chooseWorkspace(id: string): Promise<boolean> {
  const mine = ++choice;
  const account = session.value?.account.id ?? "";
  const [person, included] = await Promise.all([
    api.get("/workspaces/{workspace_id}/teammates/{teammate_id}", { in: { workspace_id: id, teammate_id: account } }),
    api.get("/workspaces/{workspace_id}/features", { in: { workspace_id: id } }),
  ]);
  if (mine !== choice) return false;
  askIn(id);
  remember("workspace", id);
  role.value = person.role;
  features.value = new Set(included.filter((one) => one.active && !one.revoked).map((one) => one.id));
  workspaceId.value = id;
  return true;
}

export async function loadWorkspaces(): Promise<void> {
  const found = await every((page) => api.get("/workspaces", { query: { ...page, orderBy: "name", orderDir: "asc" } }));
  workspaces.value = found.items;
  moreWorkspaces.value = found.more;
}

/** `wanted` is the workspace to begin in. */
async function enter(found: Session, wanted = remembered("workspace")): Promise<void> {
  session.value = found;
  provider.value = found.provider?.name ?? "";
  sessionEnded.value = false;
  await loadWorkspaces();
  const known = workspaces.value;
  const chosen = known.find((one) => one.id === wanted) ?? known.find((one) => one.default) ?? known[0];
  if (chosen) await chooseWorkspace(chosen.id);
}

/** Asks who is signed in. */
export async function resume(): Promise<void> {
  sessionProblem.value = undefined;
  try {
    await enter(await ask<Session>("GET", "/session"));
  } catch (error) {
    const problem = asProblem(error);
    if (problem.status === 401) {
      provider.value = problem.more.provider ?? "";
      session.value = null;
    } else sessionProblem.value = problem;
  }
}

/** For who sees the page to sign in before anybody has asked who they are. */
export async function learnProvider(): Promise<void> {
  if (provider.value !== undefined) return;
  try {
    await ask("GET", "/session");
  } catch (error) {
    provider.value = asProblem(error).more.provider ?? "";
  }
}

/** Leaves for the provider; to connect who is signed in with who they are there, their password may be asked for. */
export async function goToProvider(connect?: { current?: string }): Promise<void> {
  const { address } = await ask<{ address: string }>(connect ? "PUT" : "POST", "/session/provider", connect ?? {});
  remember("visit", connect ? "connect" : "sign-in");
  location.assign(address);
}

/** Comes back from there. Answers whether it was to connect. */
export async function returnFromProvider(said: Record<string, string>): Promise<boolean> {
  await enter(await ask<Session>("POST", "/session/provider/answer", said));
  return remembered("visit") === "connect";
}

export type SignInBy = { user: string; password: string } | { token: string };

/** `code` is that of a second factor. */
export async function signIn(by: SignInBy, code?: string): Promise<void> {
  await enter(await ask<Session>("POST", "/session", code === undefined ? by : { ...by, code }));
}

/** Makes the account of somebody who was invited, and begins in the workspace that the invite is for. */
export async function join(by: { token: string; username: string; password: string; fullName: string }, workspace: string): Promise<void> {
  await enter(await ask<Session>("POST", "/session/invite", by), workspace);
}

/** What has changed about who is signed in. */
export function changeSession(change: Partial<Session>): void {
  if (session.value) session.value = { ...session.value, ...change };
}

export async function signOut(): Promise<void> {
  await ask("DELETE", "/session");
  session.value = null;
  workspaceId.value = "";
  workspaces.value = [];
}

onSignedOut(() => {
  if (!session.value) return;
  sessionEnded.value = true;
  session.value = null;
  workspaceId.value = "";
});

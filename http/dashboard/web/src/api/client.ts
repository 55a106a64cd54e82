// Asks the API, on the same origin and with the session's cookie. Whatever goes wrong is a Problem.
import type { paths } from "./schema";

type Verb = "get" | "post" | "put" | "patch" | "delete";
type PathsOf<V extends Verb> = { [P in keyof paths]: [paths[P][V]] extends [undefined] ? never : P }[keyof paths];
type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? Q : never;
type BodyOf<O> = O extends { requestBody?: { content: { "application/json": infer B } } } ? B : never;
type AnswerOf<O> = O extends { responses: { 200: { content: { "application/json": infer A } } } } ? A : unknown;

interface Given<O> {
  /** What stands in the braces of the path. */
  in?: Record<string, string>;
  query?: QueryOf<O>;
  body?: BodyOf<O>;
  signal?: AbortSignal | undefined;
}

export interface FieldError {
  code: string;
  property: string;
  message: string;
  verbose?: string;
}

/** A refused or failed request. Status 0: no answer came. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly fields: FieldError[] = [],
    /** Seconds after which it makes sense to ask again; 0 when nothing is known of that. */
    readonly retryAfter = 0,
    /** What a refused sign-in says besides. */
    readonly more: { provider?: string; token?: string } = {},
  ) {
    super(message);
  }
}

let workspace = "";
let whenSignedOut = () => {};

/** The workspace in which everything is asked from now on. */
export function askIn(id: string): void {
  workspace = id;
}

/** What to do when the session has ended. */
export function onSignedOut(action: () => void): void {
  whenSignedOut = action;
}

async function problemOf(answer: Response): Promise<Problem> {
  let said: { code?: string; message?: string; verbose?: string; errors?: FieldError[]; provider?: string; token?: string } = {};
  try {
    said = (await answer.json()) as typeof said;
  } catch {
    // A proxy in between may answer with a page; the status says enough.
  }
  const seconds = Number(answer.headers.get("retry-after"));
  return new Problem(answer.status, said.code ?? "", said.verbose ?? said.message ?? "", said.errors ?? [], seconds > 0 ? seconds : 0, said);
}

/** What it says. One that was cut off on the way, or is somebody else's, such as the page of a hotel's network, is none. */
async function contentOf(answer: Response, signal: AbortSignal | undefined): Promise<unknown> {
  if (answer.status === 204) return undefined;
  try {
    return await answer.json();
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "Offline", "");
  }
}

/** Any address of this origin; the answer is what the caller knows it to be, and nothing for 204. */
export async function ask<T>(method: string, address: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (workspace && address.startsWith("/v1/")) headers["workspace"] = workspace;
  let answer: Response;
  try {
    answer = await fetch(address, {
      method,
      headers,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Problem(0, "Offline", "");
  }
  if (answer.ok) return (await contentOf(answer, signal)) as T;
  const problem = await problemOf(answer);
  if (problem.status === 401 && address.startsWith("/v1/")) whenSignedOut();
  throw problem;
}

function call<V extends Verb, P extends PathsOf<V>>(verb: V, path: P, given: Given<paths[P][V]>): Promise<AnswerOf<paths[P][V]>> {
  const address = String(path).replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.in?.[name] ?? ""));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((given.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== "") query.set(name, String(value));
  }
  const text = query.toString();
  return ask(verb.toUpperCase(), `/v1${address}${text ? `?${text}` : ""}`, given.body, given.signal);
}

/** The API by its own document: api.get("/links/{link_id}", { in: { link_id: id } }). */
export const api = {
  get: <P extends PathsOf<"get">>(path: P, given: Given<paths[P]["get"]> = {}) => call("get", path, given),
  post: <P extends PathsOf<"post">>(path: P, given: Given<paths[P]["post"]> = {}) => call("post", path, given),
  put: <P extends PathsOf<"put">>(path: P, given: Given<paths[P]["put"]> = {}) => call("put", path, given),
  patch: <P extends PathsOf<"patch">>(path: P, given: Given<paths[P]["patch"]> = {}) => call("patch", path, given),
  delete: <P extends PathsOf<"delete">>(path: P, given: Given<paths[P]["delete"]> = {}) => call("delete", path, given),
};

/** Does something for each, a few at a time; what failed is thrown when all have been tried. */
export async function forEach<T>(items: readonly T[], action: (item: T) => Promise<unknown>): Promise<void> {
  const rest = [...items];
  let failure: unknown;
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) {
      try {
        await action(item);
      } catch (error) {
        failure ??= error;
      }
    }
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  if (failure) throw failure;
}

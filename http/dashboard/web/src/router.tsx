// Which screen is shown is what the address says. A change of address by `go` or by a link is an entry in the history.
import { computed, signal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";

export interface Place {
  path: string;
  query: URLSearchParams;
  state: unknown;
}

function here(): Place {
  return { path: location.pathname, query: new URLSearchParams(location.search), state: history.state };
}

export const place = signal<Place>(here());
export const path = computed(() => place.value.path);

addEventListener("popstate", () => {
  place.value = here();
});

/** Goes to an address of the dashboard. `replace` leaves no entry for the one before; `state` comes back with it. */
export function go(address: string, how: { replace?: boolean; state?: unknown } = {}): void {
  history[how.replace ? "replaceState" : "pushState"](how.state ?? null, "", address);
  const moved = location.pathname !== place.value.path;
  place.value = here();
  if (moved) scrollTo(0, 0);
}

/** The present address with other parameters; an empty value takes one away. */
export function withQuery(changes: Record<string, string | undefined>): string {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString();
  return text ? `${place.value.path}?${text}` : place.value.path;
}

/** Escapes that stand for no text, which people can type, stay as they are. */
function unescaped(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The parts of a path that a pattern such as /links/:id names, or nothing when it does not fit. */
export function match(pattern: string, address: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = address.replace(/\/+$/, "").split("/");
  if (wanted.length !== given.length) return undefined;
  const found: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index] ?? "";
    if (part.startsWith(":")) found[part.slice(1)] = unescaped(value);
    else if (part !== value) return undefined;
  }
  return found;
}

/** A link inside the dashboard; with Ctrl, in a new tab, it is the browser's as ever. */
export function A({ href, children, onClick, ...rest }: JSX.IntrinsicElements["a"] & { href: string; children?: ComponentChildren }) {
  return (
    <a
      {...rest}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        go(href);
      }}
    >
      {children}
    </a>
  );
}

// Whether a slashtag is free in the workspace, asked while it is typed.
import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Domain } from "../../api/types";

export type Availability = "" | "asking" | "free" | "taken" | "pattern" | "words" | "length";
const WORDS = /^[\p{L}\p{Nd}_-][\p{L}\p{M}\p{Nd}_-]*(\/[\p{L}\p{Nd}_-][\p{L}\p{M}\p{Nd}_-]*)*$/u;
const ASKED_AFTER = 250; // milliseconds without another key

/**
 * Of the links of this workspace only: no call tells whether others hold an address, so that they learn it when the link
 * is sent. Says nothing of an empty slashtag, and of `own`, which the link has already.
 */
export function useAvailability(slashtag: string, domain: Domain | undefined, own: string): Availability {
  const [found, setFound] = useState<Availability>("");
  const given = slashtag.trim().normalize("NFC");
  useEffect(() => {
    const sensitive = domain?.slashtag.caseSensitive ?? false;
    const same = (one: string) => (sensitive ? one === given : one.toLowerCase() === given.toLowerCase());
    if (!given || !domain || same(own)) return setFound("");
    const unicode = domain.slashtag.charset === "unicode";
    if (!(unicode ? WORDS : /^[a-zA-Z0-9_-]+$/).test(given)) return setFound(unicode ? "words" : "pattern");
    const length = [...given].length;
    if (length < domain.slashtag.minLength || length > domain.slashtag.maxLength) return setFound("length");
    setFound("asking");
    const aborter = new AbortController();
    const timer = setTimeout(() => {
      api.get("/links/count", { query: { slashtag: given, "domain.id": [domain.id], status: ["active", "trashed"] }, signal: aborter.signal }).then(
        (answer) => setFound(answer.count > 0 ? "taken" : "free"),
        () => setFound(""),
      );
    }, ASKED_AFTER);
    return () => {
      clearTimeout(timer);
      aborter.abort();
    };
  }, [given, domain?.id, own]);
  return found;
}

import { useEffect, useRef, useState } from "preact/hooks";
import { go, place, withQuery } from "../router";
import { Icon } from "./icon";

const SEARCH_AFTER = 150; // milliseconds without another key

/** Searches as one types; what is searched for stands in the address as `q`. The key / leads here. */
export function Search({ label }: { label: string }) {
  const given = place.value.query.get("q") ?? "";
  const [text, setText] = useState(given);
  const sent = useRef(given);
  useEffect(() => {
    if (given === sent.current) return; // our own: more may have been typed meanwhile
    sent.current = given;
    setText(given);
  }, [given]);
  useEffect(() => {
    if (text === given) return undefined;
    const timer = setTimeout(() => {
      sent.current = text;
      go(withQuery({ q: text, last: "", page: "" }), { replace: true });
    }, SEARCH_AFTER);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="search">
      <Icon name="search" />
      <input type="search" dir="auto" aria-label={label} placeholder={label} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      <kbd aria-hidden="true">/</kbd>
    </div>
  );
}

/** What is searched for. */
export function searched(): string {
  return (place.value.query.get("q") ?? "").trim();
}

import { ago, moment } from "../text/formats";

/** How long ago; the exact time when one points at it. */
export function Ago({ at }: { at: string }) {
  return (
    <time datetime={at} title={moment(at)}>
      {ago(at)}
    </time>
  );
}

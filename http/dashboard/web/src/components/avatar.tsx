import { useState } from "preact/hooks";
import { session } from "../state";

/** A picture from elsewhere, where the operator allows those, or else the first letters of the name. */
export function Avatar({ name, picture = "" }: { name: string; picture?: string }) {
  const [broken, setBroken] = useState("");
  if (session.value?.showsOutsideImages && picture.startsWith("https://") && picture !== broken)
    return <img class="avatar" src={picture} alt="" width={34} height={34} loading="lazy" onError={() => setBroken(picture)} />;
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? "")[0] ?? "");
  return (
    <span class="avatar" aria-hidden="true">
      {letters.join("").toUpperCase() || "?"}
    </span>
  );
}

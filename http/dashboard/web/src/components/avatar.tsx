/** The first letters of a name. Pictures from elsewhere are not shown: the page asks no other origin. */
export function Avatar({ name }: { name: string }) {
  const words = name.trim().split(/\s+/);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => Array.from(word ?? "")[0] ?? "");
  return (
    <span class="avatar" aria-hidden="true">
      {letters.join("").toUpperCase() || "?"}
    </span>
  );
}

import { t } from "../text";
import { Icon } from "./icon";

/** A filter that holds; the cross takes it away. */
export function Chip({ name, value, remove }: { name: string; value: string; remove: () => void }) {
  return (
    <button type="button" class="chip" onClick={remove} aria-label={t("chip.remove", { name, value })}>
      <span class="chip-name">{name}</span>
      <bdi>{value}</bdi>
      <Icon name="close" />
    </button>
  );
}

/** A tag of a link. Its colour is a dot beside the name, so that every colour can be read. */
export function TagChip({ name, color }: { name: string; color: string }) {
  return (
    <span class="tag" title={name}>
      <svg class="dot" viewBox="0 0 8 8" aria-hidden="true">
        <circle cx="4" cy="4" r="4" fill={`#${color}`} />
      </svg>
      <bdi>{name}</bdi>
    </span>
  );
}

import type { JSX } from "preact";
import { Icon, type IconName } from "./icon";

/** A button that shows a picture; its label is read out and shown when one points at it. */
export function IconButton({ icon, label, filled, class: extra, ...rest }: { icon: IconName; label: string; filled?: boolean; class?: string } & JSX.IntrinsicElements["button"]) {
  return (
    <button type="button" class={`icon-button ${extra ?? ""}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} {...(filled ? { filled } : {})} />
    </button>
  );
}

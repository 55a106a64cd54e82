import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon";

/** What a list shows that has nothing: why, and what to do about it. */
export function Empty({ icon, title, text, children }: { icon: IconName; title: string; text?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <span class="empty-icon">
        <Icon name={icon} />
      </span>
      <h2>{title}</h2>
      {text ? <p>{text}</p> : null}
      {children}
    </div>
  );
}

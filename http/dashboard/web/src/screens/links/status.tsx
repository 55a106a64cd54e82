import type { Link } from "../../api/types";
import { t } from "../../text";

export function Status({ link }: { link: Link }) {
  return <span class={`status ${link.status}`}>{t(`status.${link.status}`)}</span>;
}

import { t } from "../text";
import { Icon } from "./icon";

/** Back and forth in a list of which one page is shown. `count` is known later than the page. */
export function Pager({ first, shown, count, back, next }: { first: number; shown: number; count: number | undefined; back?: (() => void) | undefined; next?: (() => void) | undefined }) {
  if (!back && !next) return null;
  const place = { from: first + 1, to: first + shown };
  return (
    <nav class="pager" aria-label={t("pages")}>
      <button type="button" class="button" disabled={!back} onClick={back}>
        <Icon name="left" />
        {t("pages.back")}
      </button>
      <span class="muted" aria-live="polite">{count === undefined ? t("pages.place", place) : t("pages.placeOf", { ...place, count })}</span>
      <button type="button" class="button" disabled={!next} onClick={next}>
        {t("pages.next")}
        <Icon name="right" />
      </button>
    </nav>
  );
}

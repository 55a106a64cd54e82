import { api } from "../../api/client";
import { usePages } from "../../api/pages";
import { Select } from "../../components/field";
import { Page } from "../../components/page";
import { go, place, withQuery } from "../../router";
import { workspaceId } from "../../state";
import { t, type Key } from "../../text";
import { EVENT_TYPES } from "../webhooks/edit";
import { Events } from "./events";

const KINDS = [...new Set(EVENT_TYPES.map((type) => type.split(".")[0] ?? ""))];

/** What was done in the workspace, and by whom. */
export function HistoryScreen() {
  const kind = KINDS.find((one) => one === place.value.query.get("kind"));
  const types = EVENT_TYPES.filter((type) => type.startsWith(`${kind}.`) && type !== "link.clicked");
  const pages = usePages((page, signal) => api.get("/workspaces/{workspace_id}/audit", { in: { workspace_id: workspaceId.value }, query: { ...page, ...(types.length > 0 ? { types } : {}) }, signal }), [workspaceId.value, kind]);
  return (
    <Page title={t("nav.history")} lead={<p class="muted">{t("history.text")}</p>}>
      <div class="toolbar">
        <Select label={t("history.kind")} value={kind ?? ""} choices={[{ value: "", label: t("history.all") }, ...KINDS.map((one) => ({ value: one, label: t(`event.${one}` as Key) }))]} onValue={(chosen) => go(withQuery({ kind: chosen }), { replace: true })} />
      </div>
      <Events pages={pages} named />
    </Page>
  );
}

import { api } from "../../api/client";
import { usePages } from "../../api/pages";
import type { Event, Link } from "../../api/types";
import { attempt, toast } from "../../components/toast";
import { mayEdit } from "../../state";
import { t } from "../../text";
import { Events } from "../history/events";

/** What happened to a link; before a change it can be had again. */
export function History({ link, changed }: { link: Link; changed: (link: Link) => void }) {
  const named = { in: { link_id: link.id } };
  const pages = usePages((page, signal) => api.get("/links/{link_id}/history", { ...named, query: page, signal }), [link.id, link.updatedAt]);
  const restore = (event: Event) =>
    attempt(async () => {
      changed(await api.post("/links/{link_id}/restore", { ...named, body: { event: event.id } }));
      toast(t("history.restored"));
      pages.reload();
    });
  const tools = (event: Event) =>
    mayEdit(link) && event.type === "link.updated" ? (
      <button type="button" class="button" onClick={() => void restore(event)}>
        {t("history.restore")}
      </button>
    ) : null;
  return <Events pages={pages} tools={tools} />;
}

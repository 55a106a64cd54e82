import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import { Icon } from "../../components/icon";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { A } from "../../router";
import { atLeast, has } from "../../state";
import { StatisticsPanel } from "../../statistics/panel";
import { t } from "../../text";
import { TopLinks } from "../statistics/screen";
import { EditTag } from "./edit";

/** A tag: what came of the links that carry it. */
export function TagScreen({ id = "" }: { id?: string }) {
  const found = useLoad((signal) => api.get("/tags/{tag_id}", { in: { tag_id: id }, signal }), [id]);
  const [editing, setEditing] = useState(false);
  const tag = found.data;
  return (
    <Page
      title={tag?.name ?? t("tags.tag")}
      lead={
        tag ? (
          <svg class="dot big" viewBox="0 0 8 8" aria-hidden="true">
            <circle cx="4" cy="4" r="4" fill={`#${tag.color}`} />
          </svg>
        ) : undefined
      }
      actions={
        tag ? (
          <>
            <A href={`/links?tag=${tag.id}`} class="button">
              <Icon name="link" />
              {t("tags.toLinks")}
            </A>
            {atLeast("user") && has("links.tags") ? (
              <button type="button" class="button" onClick={() => setEditing(true)}>
                <Icon name="edit" />
                {t("edit")}
              </button>
            ) : null}
          </>
        ) : undefined
      }
    >
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!tag && found.loading ? <Skeleton lines={6} /> : null}
      {tag ? (
        <>
          <StatisticsPanel id={tag.id} name={tag.name} names={new Map()} ask={(query, signal) => api.get("/tags/{tag_id}/statistics", { in: { tag_id: tag.id }, query, signal })} />
          <TopLinks filter={`tag.id=${tag.id}`} />
        </>
      ) : null}
      {tag && editing ? <EditTag tag={tag} onClose={() => setEditing(false)} saved={found.reload} /> : null}
    </Page>
  );
}

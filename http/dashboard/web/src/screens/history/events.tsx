import type { Pages } from "../../api/pages";
import type { Event } from "../../api/types";
import { Empty } from "../../components/empty";
import { List } from "../../components/list";
import type { Column } from "../../components/table";
import { Ago } from "../../components/time";
import { t, type Key } from "../../text";

type Value = Event["changes"][number]["before"];

function shown(value: Value): string {
  if (value === undefined) return t("history.nothing");
  return Array.isArray(value) ? value.map(String).join(", ") : String(value);
}

function Changes({ event }: { event: Event }) {
  const isNew = event.type.endsWith(".created");
  return (
    <ul class="changes">
      {event.changes.map(({ field, before, after }) => (
        <li key={field}>
          <code>{field}</code> {isNew ? <bdi>{shown(after)}</bdi> : (
            <>
              <bdi class="muted">{shown(before)}</bdi> → <bdi>{shown(after)}</bdi>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What happened, the newest first. Where it is told apart by what it happened to, that is named. */
export function Events({ pages, named, tools }: { pages: Pages<Event>; named?: boolean; tools?: (event: Event) => ReturnType<Column<Event>["cell"]> }) {
  const columns: Column<Event>[] = [
    {
      title: t("history.what"),
      kind: "main",
      cell: (event) => {
        const [kind = "", verb = ""] = event.type.split(".");
        return (
          <span class="two-lines">
            <span class="row-title event-title">
              {named ? `${t(`event.${kind}` as Key)} ` : ""}
              {t(`event.${verb}` as Key)}
            </span>
            {named ? <bdi class="row-note">{event.subject.name}</bdi> : null}
          </span>
        );
      },
    },
    { title: t("history.when"), cell: (event) => <Ago at={event.at} /> },
    {
      title: t("history.who"),
      cell: ({ by }) =>
        by ? (
          <span class="two-lines event-by">
            <bdi>{by.account.fullName || t("history.gone")}</bdi>
            {by.keyId ? <span class="row-note">{t("history.byKey")}</span> : null}
          </span>
        ) : (
          <span class="muted">{t("history.service")}</span>
        ),
    },
    { title: t("history.changes"), cell: (event) => <Changes event={event} /> },
    ...(tools ? [{ title: t("actions"), kind: "tools", cell: tools } as const] : []),
  ];
  return <List caption={t("link.part.history")} columns={columns} pages={pages} empty={<Empty icon="clock" title={t("history.none")} text={t("history.noneText")} />} />;
}

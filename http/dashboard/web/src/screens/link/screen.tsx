import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { TagChip } from "../../components/chip";
import { CopyButton } from "../../components/copy";
import { Icon } from "../../components/icon";
import { IconButton } from "../../components/icon_button";
import { Page } from "../../components/page";
import { ProblemBox } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { Tabs } from "../../components/tabs";
import { Ago } from "../../components/time";
import { useShortcuts } from "../../keys";
import { go } from "../../router";
import { mayEdit, mayFavour, workspace } from "../../state";
import { StatisticsPanel } from "../../statistics/panel";
import { t } from "../../text";
import { moment } from "../../text/formats";
import { EditLink } from "../edit/drawer";
import { deleteLinks, setActive, toggleFavourite } from "../links/bulk";
import { addressOf, shownAddress } from "../links/filters";
import { QrDialog } from "../links/qr";
import { Status } from "../links/status";
import { Apps } from "./apps";
import { Conversions } from "./conversions";
import { History } from "./history";
import { PreviewCard } from "./preview_card";
import { Rotator } from "./rotator";
import { Rules } from "./rules";
import { Scripts } from "./scripts";

const TABS = ["statistics", "rules", "rotator", "preview", "apps", "scripts", "conversions", "history"] as const;
type TabName = (typeof TABS)[number];

function Facts({ link }: { link: Link }) {
  return (
    <div class="link-facts">
      <Status link={link} />
      <span class="link-short">
        <bdi>{shownAddress(link)}</bdi>
        <CopyButton text={addressOf(link)} label={t("link.copy", { address: shownAddress(link) })} />
      </span>
      <span class="to">
        <Icon name="right" />
        <bdi title={link.destination}>{link.destination}</bdi>
      </span>
      {link.tags.map((tag) => (
        <TagChip key={tag.id} name={tag.name} color={tag.color} />
      ))}
      <span class="muted">
        {link.passwordSetAt ? t("guards.asks") : null}
        {link.maxClicks ? t("guards.leftOf", { n: link.clicksLeft ?? 0, of: link.maxClicks }) : null}
        {link.expiresAt ? t("link.expires", { at: moment(link.expiresAt) }) : null}
        {link.lastClickAt ? (
          <>
            {t("links.lastClick")} <Ago at={link.lastClickAt} />
          </>
        ) : (
          t("link.noClick")
        )}
      </span>
    </div>
  );
}

function Actions({ link, changed, open }: { link: Link; changed: (link: Link) => void; open: (what: "edit" | "qr") => void }) {
  const change = (links: readonly Link[]) => links[0] && changed(links[0]);
  const editable = mayEdit(link);
  return (
    <>
      <IconButton icon="star" filled={link.favourite} class={link.favourite ? "lit" : ""} aria-pressed={link.favourite} label={t("link.favourite", { title: link.title })} disabled={!mayFavour(link)} onClick={() => void toggleFavourite(link, change)} />
      <button type="button" class="button" onClick={() => open("qr")}>
        <Icon name="qr" />
        {t("qr.title")}
      </button>
      {editable && (link.status === "active" || link.status === "paused") ? (
        <button type="button" class="button" onClick={() => void setActive([link], link.status === "paused", change)}>
          <Icon name={link.status === "paused" ? "play" : "pause"} />
          {t(link.status === "paused" ? "resume" : "pause")}
        </button>
      ) : null}
      {editable ? (
        <>
          <button
            type="button"
            class="button"
            onClick={async () => {
              if (await deleteLinks([link], () => go(`/links/${link.id}`))) go("/links");
            }}
          >
            <Icon name="trash" />
            {t("delete")}
          </button>
          <button type="button" class="button primary" onClick={() => open("edit")}>
            <Icon name="edit" />
            {t("edit")}
          </button>
        </>
      ) : null}
    </>
  );
}

/** What clicks of a link can be told apart by that only its parts have names for: rules and arms. */
function useNames(link: Link | undefined): ReadonlyMap<string, string> {
  const found = useLoad(
    async (signal) => {
      if (!link) return [];
      const names = { in: { link_id: link.id }, signal };
      const parts = link.type === "rotator" ? await api.get("/links/{link_id}/rotator", names) : await api.get("/links/{link_id}/rules", { ...names, query: { limit: 100 } });
      return parts.map((one) => [one.id, one.destination] as const);
    },
    [link?.id, link?.type],
  );
  return new Map(found.data ?? []);
}

function Statistics({ link }: { link: Link }) {
  const names = useNames(link);
  return <StatisticsPanel id={link.id} name={`${link.domainName}-${link.slashtag}`} names={names} ask={(query, signal) => api.get("/links/{link_id}/statistics", { in: { link_id: link.id }, query, signal })} />;
}

function Part({ tab, link, changed }: { tab: TabName; link: Link; changed: (link: Link) => void }) {
  if (tab === "rules") return <Rules link={link} />;
  if (tab === "rotator") return <Rotator link={link} />;
  if (tab === "preview") return <PreviewCard link={link} />;
  if (tab === "apps") return <Apps link={link} />;
  if (tab === "scripts") return <Scripts link={link} />;
  if (tab === "conversions") return <Conversions link={link} />;
  if (tab === "history") return <History link={link} changed={changed} />;
  return <Statistics link={link} />;
}

export function LinkScreen({ id = "", tab = "statistics" }: { id?: string; tab?: string }) {
  const found = useLoad((signal) => api.get("/links/{link_id}", { in: { link_id: id }, signal }), [id]);
  const [opened, setOpened] = useState<"edit" | "qr" | undefined>(undefined);
  const link = found.data;
  const editable = link !== undefined && mayEdit(link);
  useShortcuts(editable ? [{ keys: "e", says: "edit", action: () => setOpened("edit") }] : [], [editable]);
  const current = TABS.find((one) => one === tab) ?? "statistics";
  const plain = workspace.value?.type !== "extended"; // extended workspaces have no previews and scripts
  const shown = TABS.filter((one) => (one === "rotator" ? link?.type === "rotator" : one === "preview" || one === "scripts" ? plain : true));
  const base = `/links/${id}`;
  return (
    <Page title={link?.title ?? t("links.link")} lead={link ? <Facts link={link} /> : undefined} actions={link ? <Actions link={link} changed={(changed) => found.set(() => changed)} open={setOpened} /> : undefined}>
      {found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : null}
      {!link && found.loading ? <Skeleton lines={6} /> : null}
      {link ? (
        <>
          <Tabs label={t("link.parts")} tabs={shown.map((one) => ({ address: one === "statistics" ? base : `${base}/${one}`, label: t(`link.part.${one}`), current: one === current }))} />
          <Part tab={current} link={link} changed={(changed) => found.set(() => changed)} />
        </>
      ) : null}
      {link && opened === "qr" ? <QrDialog link={link} onClose={() => setOpened(undefined)} /> : null}
      {link && opened === "edit" ? <EditLink link={link} onClose={() => setOpened(undefined)} saved={(changed) => found.set(() => changed)} /> : null}
    </Page>
  );
}

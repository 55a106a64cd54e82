// What stands around every screen: navigation, the choice of the workspace, settings of the page, the keyboard.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Avatar } from "./components/avatar";
import { Confirmation } from "./components/confirm";
import { Dialog } from "./components/dialog";
import { Empty } from "./components/empty";
import { Select } from "./components/field";
import { Icon } from "./components/icon";
import { IconButton } from "./components/icon_button";
import { onlyFirst } from "./components/narrow";
import { attempt, Toasts } from "./components/toast";
import { shortcuts, useShortcuts } from "./keys";
import { A, go, match, path } from "./router";
import { navigation, screens, type NavigationItem } from "./screens";
import { atLeast, chooseWorkspace, moreWorkspaces, session, signOut, workspaceId, workspaces } from "./state";
import { language, languages, setLanguage, t, type Language } from "./text";
import { setTheme, theme, themes, type Theme } from "./theme";

const helpOpen = signal(false);
const menuOpen = signal(false);

function Help() {
  return (
    <Dialog title={t("help")} onClose={() => (helpOpen.value = false)}>
      <dl class="keys">
        {shortcuts.value.map((one) => (
          <div key={one.keys}>
            <dt>
              {one.keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{t(one.says)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function WorkspaceSwitch() {
  return (
    <Select
      label={t("workspace")}
      value={workspaceId.value}
      hint={onlyFirst(moreWorkspaces.value)}
      choices={workspaces.value.map((one) => ({ value: one.id, label: one.name }))}
      onValue={(id) => {
        menuOpen.value = false;
        void attempt(async () => {
          if (await chooseWorkspace(id)) go("/links");
        });
      }}
    />
  );
}

function Settings() {
  return (
    <div class="settings">
      <Select label={t("theme")} value={theme.value} choices={themes.map((one) => ({ value: one, label: t(`theme.${one}`) }))} onValue={(chosen) => setTheme(chosen as Theme)} />
      <Select label={t("language")} value={language.value} choices={Object.entries(languages).map(([value, label]) => ({ value, label }))} onValue={(chosen) => void setLanguage(chosen as Language).catch(() => {})} />
    </div>
  );
}

function Brand() {
  return (
    <A href="/links" class="brand" onClick={() => (menuOpen.value = false)}>
      <svg class="logo" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" />
        <path d="M19 7 13 25" />
      </svg>
      {t("app")}
    </A>
  );
}

function SideContent() {
  const account = session.value?.account;
  const name = account?.fullName || account?.username || "";
  return (
    <>
      <WorkspaceSwitch />
      <nav aria-label={t("nav")}>
        <ul class="nav">
          {navigation
            .filter(isOpen)
            .map((one) => (
              <li key={one.address}>
                <A href={one.address} aria-current={path.value === one.address || path.value.startsWith(`${one.address}/`) ? "page" : undefined} onClick={() => (menuOpen.value = false)}>
                  <Icon name={one.icon} />
                  {t(one.name)}
                </A>
              </li>
            ))}
        </ul>
      </nav>
      <div class="side-foot">
        <Settings />
        <div class="person">
          <Avatar name={name} picture={account?.avatarUrl} />
          <A href="/account" class="person-name" onClick={() => (menuOpen.value = false)}>
            <bdi>{name}</bdi>
            <small>
              <bdi>{account?.email || account?.username}</bdi>
            </small>
          </A>
          <IconButton
            icon="keyboard"
            label={t("help")}
            onClick={() => {
              menuOpen.value = false;
              helpOpen.value = true;
            }}
          />
          <IconButton icon="leave" label={t("signOut")} onClick={() => void attempt(signOut)} />
        </div>
      </div>
    </>
  );
}

function Screen(): JSX.Element {
  for (const screen of screens) {
    const found = match(screen.pattern, path.value);
    // Another workspace or another address is another screen: nothing of the one before stays.
    if (found) return <screen.show key={`${workspaceId.value} ${found["id"] ?? screen.pattern}`} {...found} />;
  }
  return (
    <div class="page">
      <h1 class="only-read">{t("notFound")}</h1>
      <Empty icon="search" title={t("notFound")} text={t("notFound.text")}>
        <A href="/links" class="button primary">
          {t("notFound.go")}
        </A>
      </Empty>
    </div>
  );
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);
  return online;
}

/** Whether the person has any business there, in the workspace that they work in. */
function isOpen({ least, operators }: NavigationItem): boolean {
  return (!least || atLeast(least)) && (!operators || session.value?.isOperator === true);
}

export function Shell() {
  const online = useOnline();
  useShortcuts([
    { keys: "?", says: "help", action: () => (helpOpen.value = true) },
    { keys: "/", says: "key.search", action: () => document.querySelector<HTMLElement>("input[type=search]")?.focus() },
    ...navigation.filter(isOpen).map((one) => ({ keys: `g ${one.key}`, says: one.name, action: () => go(one.address) })),
  ]);
  return (
    <div class="shell">
      <a class="skip" href="#content" onClick={(event) => {
        event.preventDefault();
        document.querySelector<HTMLElement>("h1")?.focus();
      }}>
        {t("skip")}
      </a>
      <header class="top">
        <Brand />
        <IconButton icon="menu" label={t("menu")} aria-haspopup="dialog" onClick={() => (menuOpen.value = true)} />
      </header>
      <aside class="side" aria-label={t("side")}>
        <Brand />
        <SideContent />
      </aside>
      <main id="content">
        {online ? null : (
          <p class="banner" role="alert">
            <Icon name="alert" />
            {t("offline")}
          </p>
        )}
        <Screen />
      </main>
      {menuOpen.value ? (
        <Dialog title={t("menu")} side onClose={() => (menuOpen.value = false)}>
          <div class="menu">
            <SideContent />
          </div>
        </Dialog>
      ) : null}
      {helpOpen.value ? <Help /> : null}
      <Confirmation />
      <Toasts />
    </div>
  );
}

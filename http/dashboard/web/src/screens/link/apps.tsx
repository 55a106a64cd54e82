import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { App, DeepLink, Link } from "../../api/types";
import { Checkbox, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { ProblemBox, sentenceOf } from "../../components/problem";
import { Skeleton } from "../../components/skeleton";
import { attempt, toast } from "../../components/toast";
import { mayEdit } from "../../state";
import { t } from "../../text";

function AppRow({ link, app, deepLink, changed }: { link: Link; app: App; deepLink: DeepLink | undefined; changed: () => void }) {
  const [path, setPath] = useState(deepLink?.path ?? "");
  const form = useForm(["path"]);
  const editable = mayEdit(link);
  const place = { in: { link_id: link.id, app_id: app.id } };
  const save = (active: boolean) =>
    form.send(async () => {
      await api.post("/links/{link_id}/apps/{app_id}", { ...place, body: { path, active } });
      changed();
      toast(t("apps.saved", { name: app.name }));
    });
  return (
    <li class="row">
      <form
        class="row-main"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void save(deepLink?.active ?? true);
        }}
      >
        <TextField
          label={app.name}
          hint={app.ios.url || app.android.url}
          error={form.error("path") ?? (form.problem ? sentenceOf(form.problem) : undefined)}
          value={path}
          disabled={!editable}
          onValue={setPath}
          aside={
            <button type="submit" class="button" disabled={!editable || form.busy || path === (deepLink?.path ?? "") || !path}>
              {t("save")}
            </button>
          }
        />
      </form>
      {deepLink ? (
        <>
          <Checkbox label={t("apps.active", { name: app.name })} checked={deepLink.active} disabled={!editable} onChecked={(active) => void save(active)} />
          <button
            type="button"
            class="button"
            disabled={!editable}
            onClick={() =>
              void attempt(async () => {
                await api.delete("/links/{link_id}/apps/{app_id}", place);
                setPath("");
                changed();
                toast(t("apps.deleted", { name: app.name }), {
                  undo: () =>
                    void attempt(async () => {
                      await api.post("/links/{link_id}/apps/{app_id}", { ...place, body: { path: deepLink.path, active: deepLink.active } });
                      setPath(deepLink.path);
                      changed();
                    }),
                });
              })
            }
          >
            {t("apps.remove")}
          </button>
        </>
      ) : null}
    </li>
  );
}

/** Into which apps visitors on telephones are sent. */
export function Apps({ link }: { link: Link }) {
  const apps = useLoad((signal) => api.get("/apps", { signal }), []);
  const found = useLoad((signal) => api.get("/links/{link_id}/apps", { in: { link_id: link.id }, signal }), [link.id]);
  const problem = apps.problem ?? found.problem;
  if (problem) return <ProblemBox problem={problem} retry={() => (apps.reload(), found.reload())} />;
  if (!apps.data || !found.data) return <Skeleton />;
  const used = (app: App) => found.data?.find((one) => one.id === app.id);
  const sorted = [...apps.data].sort((a, b) => Number(Boolean(used(b))) - Number(Boolean(used(a))) || a.name.localeCompare(b.name));
  return (
    <>
      <p class="lead">{t("apps.text")}</p>
      <ul class="rows">
        {sorted.map((app) => (
          <AppRow key={app.id} link={link} app={app} deepLink={used(app)} changed={found.reload} />
        ))}
      </ul>
    </>
  );
}

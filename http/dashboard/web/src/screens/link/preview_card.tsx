import { useEffect, useState } from "preact/hooks";
import { api } from "../../api/client";
import { useLoad } from "../../api/load";
import type { Link } from "../../api/types";
import { TextArea, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { Icon } from "../../components/icon";
import { ProblemBox } from "../../components/problem";
import { SavedForm } from "../../components/saved_form";
import { Skeleton } from "../../components/skeleton";
import { attempt, toast } from "../../components/toast";
import { has, mayEdit } from "../../state";
import { t } from "../../text";

const FIELDS = ["title", "description", "image", "type", "locale"] as const;
type Draft = Record<(typeof FIELDS)[number], string>;
const NOTHING: Draft = { title: "", description: "", image: "", type: "", locale: "" };

function hostOf(address: string): string {
  try {
    return new URL(address).hostname;
  } catch {
    return "";
  }
}

/** About what chats and networks make of it. The picture itself is elsewhere, and this page asks nothing of elsewhere. */
function NetworkCard({ link, draft }: { link: Link; draft: Draft }) {
  return (
    <figure class="network-card" aria-label={t("card.looks")}>
      <div class="network-picture">
        <Icon name="image" />
        <span class="break">{draft.image ? t("card.picture", { host: hostOf(draft.image) }) : t("card.noPicture")}</span>
      </div>
      <figcaption class="network-text">
        <small>
          <bdi>{link.domainName}</bdi>
        </small>
        <strong dir="auto">{draft.title || t("card.noTitle")}</strong>
        <p dir="auto">{draft.description}</p>
      </figcaption>
    </figure>
  );
}

export function PreviewCard({ link }: { link: Link }) {
  const found = useLoad((signal) => api.get("/links/{link_id}/opengraph", { in: { link_id: link.id }, signal }), [link.id]);
  const [draft, setDraft] = useState<Draft>(NOTHING);
  const form = useForm(FIELDS);
  useEffect(() => {
    if (found.data) setDraft({ ...NOTHING, ...found.data });
  }, [found.data]);
  const editable = mayEdit(link) && has("links.opengraph");
  const set = (name: keyof Draft) => (value: string) => {
    setDraft({ ...draft, [name]: value });
    form.clear(name);
  };
  if (!found.data) return found.problem ? <ProblemBox problem={found.problem} retry={found.reload} /> : <Skeleton />;
  const save = async () => {
    const body = Object.fromEntries(FIELDS.map((name) => [name, draft[name].trim() || null]));
    if (await form.send(() => api.post("/links/{link_id}/opengraph", { in: { link_id: link.id }, body }))) {
      found.reload();
      toast(t("card.saved"));
    }
  };
  const reset = () =>
    attempt(async () => {
      await api.delete("/links/{link_id}/opengraph", { in: { link_id: link.id } });
      const before = draft;
      found.reload();
      toast(t("card.deleted"), {
        undo: () =>
          void attempt(async () => {
            await api.post("/links/{link_id}/opengraph", { in: { link_id: link.id }, body: Object.fromEntries(FIELDS.filter((name) => before[name]).map((name) => [name, before[name]])) });
            found.reload();
          }),
      });
    });
  return (
    <>
      <p class="lead">{t("card.text")}</p>
      <div class="side-by-side">
        <SavedForm save={save}>
          {form.problem ? <ProblemBox problem={form.problem} /> : null}
          <TextField label={t("link.title")} optional disabled={!editable} value={draft.title} onValue={set("title")} error={form.error("title")} />
          <TextArea label={t("card.description")} optional disabled={!editable} value={draft.description} onValue={set("description")} error={form.error("description")} />
          <TextField label={t("card.image")} optional type="url" inputmode="url" disabled={!editable} value={draft.image} onValue={set("image")} error={form.error("image")} hint={t("card.imageHint")} />
          <div class="two">
            <TextField label={t("card.type")} optional placeholder="website" disabled={!editable} value={draft.type} onValue={set("type")} error={form.error("type")} />
            <TextField label={t("card.locale")} optional placeholder="en_US" disabled={!editable} value={draft.locale} onValue={set("locale")} error={form.error("locale")} />
          </div>
          {editable ? (
            <div class="actions">
              <button type="submit" class="button primary" disabled={form.busy}>
                {t("save")}
              </button>
              {Object.values(found.data).some(Boolean) ? (
                <button type="button" class="button" onClick={() => void reset()}>
                  {t("card.reset")}
                </button>
              ) : null}
            </div>
          ) : null}
        </SavedForm>
        <NetworkCard link={link} draft={draft} />
      </div>
    </>
  );
}

import { useState } from "preact/hooks";
import { api } from "../../api/client";
import type { Tag } from "../../api/types";
import { TagChip } from "../../components/chip";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { t } from "../../text";

const COLORS = ["3366ff", "0e9aa7", "22aa66", "c9a100", "ff8800", "cc2255", "8844cc", "607080"] as const;

/** Makes a tag, or gives one another name and colour. */
export function EditTag({ tag, onClose, saved }: { tag?: Tag; onClose: () => void; saved: () => void }) {
  const before = { name: tag?.name ?? "", color: tag?.color ?? COLORS[Math.floor(Math.random() * COLORS.length)] ?? COLORS[0] };
  const [first] = useState(before);
  const [draft, setDraft] = useState(first);
  const form = useForm(["name", "color"]);
  const set = (change: Partial<typeof draft>) => {
    setDraft((old) => ({ ...old, ...change }));
    form.clear(...Object.keys(change));
  };
  const save = async () => {
    const done = await form.send(() => (tag ? api.post("/tags/{tag_id}", { in: { tag_id: tag.id }, body: draft }) : api.post("/tags", { body: draft })));
    if (!done) return;
    toast(t(tag ? "tags.changed" : "tags.made", { name: draft.name }));
    saved();
    onClose();
  };
  const dirty = draft.name !== first.name || draft.color !== first.color;
  return (
    <FormDialog title={t(tag ? "tags.edit" : "tags.new")} action={t(tag ? "save" : "tags.make")} form={form} dirty={tag ? dirty : draft.name !== ""} needsChange={Boolean(tag)} save={save} onClose={onClose}>
      <TextField label={t("tags.name")} autofocus autocomplete="off" value={draft.name} onValue={(name) => set({ name })} error={form.error("name")} maxLength={255} />
      <TextField label={t("tags.color")} type="color" value={`#${draft.color}`} onValue={(color) => set({ color: color.slice(1) })} error={form.error("color")} aside={<Swatches chosen={draft.color} choose={(color) => set({ color })} />} />
      <p class="tag-preview">
        <TagChip name={draft.name || t("tags.name")} color={draft.color} />
      </p>
    </FormDialog>
  );
}

function Swatches({ chosen, choose }: { chosen: string; choose: (color: string) => void }) {
  return (
    <span class="swatches" role="group" aria-label={t("tags.colors")}>
      {COLORS.map((color) => (
        <button key={color} type="button" aria-label={t(`color.${color}`)} title={t(`color.${color}`)} aria-pressed={color === chosen} onClick={() => choose(color)}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <circle cx="4" cy="4" r="4" fill={`#${color}`} />
          </svg>
        </button>
      ))}
    </span>
  );
}

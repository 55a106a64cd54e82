// Templates of campaigns: the values of the five parameters, kept in the workspace by a name.
import { useState } from "preact/hooks";
import { ask } from "../../api/client";
import { useLoad } from "../../api/load";
import { confirm } from "../../components/confirm";
import { Select, TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { ProblemBox } from "../../components/problem";
import { attempt, toast } from "../../components/toast";
import { atLeast, workspaceId } from "../../state";
import { t } from "../../text";

export const PARTS = ["source", "medium", "campaign", "term", "content"] as const;
export type Values = Partial<Record<(typeof PARTS)[number], string>>;
type Template = Values & { name: string };

const NAME_LONGEST = 64; // characters

/** Asks for a name: of a new template, or another one for `template`. */
function NameDialog({ template, values, onClose, saved }: { template?: Template | undefined; values: Values; onClose: () => void; saved: (name: string) => void }) {
  const [name, setName] = useState(template?.name ?? "");
  const form = useForm(["name"]);
  const save = async () => {
    const body = template ? { ...template, name, replaces: template.name } : { ...values, name };
    if (!(await form.send(() => ask("POST", `/v1/workspaces/${workspaceId.value}/utm-templates`, body)))) return;
    toast(t("template.saved", { name }));
    saved(name);
    onClose();
  };
  return (
    <FormDialog title={t(template ? "template.rename" : "template.new")} action={t("save")} form={form} dirty={name !== (template?.name ?? "")} needsChange save={save} onClose={onClose}>
      <TextField
        label={t("template.name")}
        autofocus
        autocomplete="off"
        maxLength={NAME_LONGEST}
        value={name}
        onValue={(value) => {
          setName(value);
          form.clear("name");
        }}
        error={form.error("name")}
      />
    </FormDialog>
  );
}

/** Choosing one fills the fields in; whoever may change links makes, renames and deletes them here. */
export function Templates({ values, choose, disabled }: { values: Values; choose: (values: Values) => void; disabled: boolean }) {
  const address = `/v1/workspaces/${workspaceId.value}/utm-templates`;
  const found = useLoad((signal) => ask<Template[]>("GET", address, undefined, signal), [workspaceId.value]);
  const [chosen, setChosen] = useState("");
  const [naming, setNaming] = useState<"new" | "rename" | undefined>(undefined);
  const list = found.data ?? [];
  const template = list.find((one) => one.name === chosen);
  const used = PARTS.some((one) => values[one]);
  const pick = (name: string) => {
    setChosen(name);
    const picked = list.find((one) => one.name === name);
    if (picked) choose(picked);
  };
  const remove = async (name: string) => {
    if (!(await confirm({ title: t("template.deleteTitle", { name }), text: t("template.deleteText"), action: t("delete") }))) return;
    if (await attempt(() => ask("DELETE", `${address}/${encodeURIComponent(name)}`))) toast(t("template.deleted", { name }));
    setChosen("");
    found.reload();
  };
  if (found.problem) return <ProblemBox problem={found.problem} retry={found.reload} />;
  return (
    <>
      {list.length > 0 ? <Select label={t("template.choose")} value={template ? chosen : ""} disabled={disabled} onValue={pick} choices={[{ value: "", label: t("template.none") }, ...list.map((one) => ({ value: one.name, label: one.name }))]} /> : null}
      {atLeast("user") && !disabled ? (
        <div class="actions low-gap">
          {used ? (
            <button type="button" class="button small" onClick={() => setNaming("new")}>
              {t("template.keep")}
            </button>
          ) : null}
          {template ? (
            <>
              <button type="button" class="button small" onClick={() => setNaming("rename")}>
                {t("template.rename")}
              </button>
              <button type="button" class="button small" onClick={() => void remove(template.name)}>
                {t("template.delete")}
              </button>
            </>
          ) : null}
        </div>
      ) : null}
      {naming ? (
        <NameDialog
          template={naming === "rename" ? template : undefined}
          values={values}
          onClose={() => setNaming(undefined)}
          saved={(name) => {
            setChosen(name);
            found.reload();
          }}
        />
      ) : null}
    </>
  );
}

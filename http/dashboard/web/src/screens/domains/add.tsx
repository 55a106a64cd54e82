import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { TextField } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { go } from "../../router";
import { t } from "../../text";

/** Registers a domain; how it is proved stands on its own screen. */
export function AddDomain({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState("");
  const form = useForm(["fullName"]);
  const save = async () => {
    let id = "";
    const fullName = name.trim().replace(/^https?:\/\//i, "").replace(/\/+$/, "");
    if (await form.send(async () => (id = (await api.post("/domains", { body: { fullName } })).id))) {
      onClose();
      go(`/domains/${id}`);
    }
  };
  return (
    <FormDialog title={t("domains.add")} action={t("domains.add")} form={form} dirty={name !== ""} save={save} onClose={onClose}>
      <TextField
        label={t("domains.name")}
        autofocus
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        placeholder={t("domains.nameExample")}
        value={name}
        onValue={(value) => {
          setName(value);
          form.clear("fullName");
        }}
        error={form.error("fullName")}
        hint={t("domains.nameHint")}
      />
    </FormDialog>
  );
}

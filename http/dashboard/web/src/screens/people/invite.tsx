import { useState } from "preact/hooks";
import { api } from "../../api/client";
import { Dialog } from "../../components/dialog";
import { CopyButton } from "../../components/copy";
import { Select, TextArea } from "../../components/field";
import { useForm } from "../../components/form";
import { FormDialog } from "../../components/form_dialog";
import { toast } from "../../components/toast";
import { atLeast, workspaceId } from "../../state";
import { t } from "../../text";
import { ROLES } from "./screen";

type Sent = Awaited<ReturnType<typeof send>>["invites"];
type InviteRole = (typeof ROLES)[number] | "owner";

function send(emails: string[], role: InviteRole, message: string) {
  return api.post("/workspaces/{workspace_id}/invite", { in: { workspace_id: workspaceId.value }, body: { emails, role, ...(message ? { message } : {}) } });
}

/** Where the person accepts: a page of ours, with the token of the API's address. */
function pageOf(acceptUrl = ""): string {
  const token = /\/invites\/(\w+)\/accept$/.exec(acceptUrl)?.[1];
  return token ? `${location.origin}/invite#${token}` : acceptUrl;
}

/** Addresses to hand on by oneself: this server sends no mail. Each is shown this once. */
function Addresses({ invites, onClose }: { invites: Sent; onClose: () => void }) {
  return (
    <Dialog
      title={t("invite.addresses")}
      onClose={onClose}
      footer={
        <button type="button" class="button primary" onClick={onClose}>
          {t("close")}
        </button>
      }
    >
      <p class="low-gap">{t("invite.addressesText")}</p>
      <ul class="stack">
        {invites.map((one) => (
          <li key={one.id}>
            <bdi>{one.email ?? one.invitee?.fullName}</bdi>
            <div class="secret">
              <code>{pageOf(one.acceptUrl)}</code>
              <CopyButton secret text={pageOf(one.acceptUrl)} label={t("invite.copy", { name: one.email ?? one.invitee?.fullName ?? "" })} />
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function Invite({ onClose, sent }: { onClose: () => void; sent: () => void }) {
  const [text, setText] = useState("");
  const [role, setRole] = useState<InviteRole>("user");
  const [message, setMessage] = useState("");
  const [made, setMade] = useState<Sent | undefined>(undefined);
  const emails = text.split(/[\s,;]+/).filter(Boolean);
  const emailFields = ["emails", ...emails.flatMap((_, index) => [`emails[${index}]`, `emails.${index}`])];
  const form = useForm([...emailFields, "role", "message"]);
  const save = async () => {
    let found: Sent = [];
    if (!(await form.send(async () => (found = (await send(emails, role, message)).invites)))) return;
    sent();
    if (found.some((one) => one.acceptUrl)) {
      setMade(found);
      return;
    }
    toast(t("invite.sent", { n: found.length }));
    onClose();
  };
  if (made) return <Addresses invites={made} onClose={onClose} />;
  const roles: readonly InviteRole[] = atLeast("owner") ? [...ROLES, "owner"] : ROLES;
  return (
    <FormDialog title={t("people.invite")} action={t("invite.send")} form={form} dirty={text !== "" || message !== ""} save={save} onClose={onClose}>
      <TextArea
        label={t("invite.emails")}
        rows={3}
        spellcheck={false}
        value={text}
        onValue={(value) => {
          setText(value);
          form.clear(...emailFields);
        }}
        error={form.error(...emailFields)}
        hint={t("invite.emailsHint")}
      />
      <Select label={t("people.role")} value={role} onValue={(value) => setRole(value as InviteRole)} error={form.error("role")} hint={t(`role.text.${role}`)} choices={roles.map((one) => ({ value: one, label: t(`role.${one}`) }))} />
      <TextArea label={t("invite.message")} optional maxLength={2000} value={message} onValue={setMessage} error={form.error("message")} hint={t("invite.messageHint")} />
    </FormDialog>
  );
}

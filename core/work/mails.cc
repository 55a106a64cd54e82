#include "core/work/mails.h"

#include "core/access/invitations.h"
#include "core/access/sign_in_tokens.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::int64_t first_wait_seconds = 5;
constexpr std::int64_t wait_seconds_max = 6LL * 3600;
constexpr std::size_t dropped_at_once_max = 100;
constexpr std::size_t reason_bytes_max = 300;

const MailTable& mails() { return schema().mails; }

Result<std::optional<data::Bytes>> first_due(data::View& view, Timestamp now) {
    std::optional<data::Bytes> found;
    const data::Walk walk{.until = key(Timestamp{now.ms + 1})};
    TRY(mails().by_due.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
        found.emplace(primary);
        return false;
    }));
    return found;
}

// Each line marked, so that nobody takes the words of whoever invites for ours.
std::string quotation(std::string_view message) {
    std::string out;
    while (!message.empty()) {
        auto line = message.substr(0, message.find('\n'));
        message.remove_prefix(std::min(message.size(), line.size() + 1));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        out += fmt::format("> {}\n", line);
    }
    return out.empty() ? out : out + "\n";
}

// How to answer the invite: in the dashboard, where there is one, or by the API.
std::string ways_to_accept(const Settings& settings, const Invite& invite, const std::string& token) {
    const auto last_day = to_iso(invite.expires_at()).substr(0, 10);
    const auto call =
        fmt::format("curl -X POST -H 'apikey: YOUR_KEY' {}\n\n", acceptance_address(settings, token));
    if (settings.dashboard_url.empty())
        return fmt::format(
            "To accept, send this with your own API key before {} (UTC):\n\n"
            "{}"
            "If you have no account on this server yet, ask the sender or the server's operator for one. ",
            last_day, call);
    return fmt::format(
        "To accept or refuse, open this before {} (UTC). If you have no account on this server "
        "yet, you make one there:\n\n"
        "{}\n\n"
        "Or send this with your own API key:\n\n"
        "{}",
        last_day, invite_page_address(settings, token), call);
}

std::string invite_text(const Settings& settings, const Invite& invite, const Workspace& workspace,
                        const std::string& sender, const std::string& token) {
    const bool takes_over = invite.role == Role::owner;
    return fmt::format("{} invites you to {} the workspace \"{}\"{}.\n\n"
                       "{}{}"
                       "If you did not expect this mail, ignore it.\n",
                       sender, takes_over ? "take over" : "work in", workspace.name,
                       takes_over ? " as its owner" : fmt::format(", as {}", to_string(invite.role)),
                       quotation(invite.message), ways_to_accept(settings, invite, token));
}

// The letter for an open invite, which gets a new token; nothing when nobody wants it any more.
Result<std::optional<Letter>> write_invite_letter(SystemContext& system, const Mail& mail) {
    const auto invite = TRY(schema().invites.find(system.txn, mail.subject.view()));
    const auto workspace =
        invite ? TRY(invited_to(system.txn, *invite, system.now)) : std::optional<Workspace>();
    if (!workspace)
        return std::optional<Letter>();
    const auto sender = TRY(schema().accounts.find(system.txn, invite->sender.view()));
    auto to = invite->email;
    if (const auto invitee = TRY(schema().accounts.find(system.txn, invite->invitee.view())))
        to = invitee->email;
    if (!sender || to.empty())
        return std::optional<Letter>();
    auto renewed = *invite;
    const auto token = renew_token(system.tools.random, renewed);
    TRY(schema().invites.update(system.txn, *invite, renewed));
    return std::optional(
        Letter{.mail = mail.id,
               .to = std::move(to),
               .subject = fmt::format("Invitation to the workspace \"{}\"", workspace->name),
               .text = invite_text(system.tools.settings, *invite, *workspace, sender->full_name, token),
               .date = system.now});
}

// The letter with a one-time address for the account that asked for it; nothing when that was too long ago
// for anybody to wait for it.
Result<std::optional<Letter>> write_sign_in_letter(SystemContext& system, const Mail& mail) {
    const auto account = TRY(schema().accounts.find(system.txn, mail.subject.view()));
    const auto& base = system.tools.settings.dashboard_url;
    if (!account || account->email.empty() || base.empty() ||
        mail.created_at.plus_seconds(SignInToken::valid_seconds) <= system.now)
        return std::optional<Letter>();
    const auto token = TRY(issue_sign_in_token(system, account->id, true));
    return std::optional(
        Letter{.mail = mail.id,
               .to = account->email,
               .subject = "Your address to sign in",
               .text = fmt::format(
                   "Somebody, probably you, asked for an address to sign in at {} as {}. It is good once, "
                   "for {} minutes:\n\n"
                   "{}\n\n"
                   "If it was not you, ignore this mail: nobody else can use it.\n",
                   base, account->username, SignInToken::valid_seconds / 60, sign_in_address(base, token)),
               .date = system.now});
}

// The letter with the code that shows that the address is the account's; nothing when nobody waits for it.
Result<std::optional<Letter>> write_email_letter(SystemContext& system, const Mail& mail) {
    const auto account = TRY(schema().accounts.find(system.txn, mail.subject.view()));
    const auto proof = account ? TRY(write_email_proof(system, account->id)) : std::optional<EmailProof>();
    if (!proof)
        return std::optional<Letter>();
    return std::optional(Letter{
        .mail = mail.id,
        .to = proof->email,
        .subject = "Your code for this address",
        .text = fmt::format("Somebody, probably you, wants this to be the e-mail address of the account "
                            "{} at {}. To say that it is yours, enter this code there, within {} "
                            "minutes:\n\n"
                            "{}\n\n"
                            "If it was not you, ignore this mail: nothing changes then.\n",
                            account->username, system.tools.settings.dashboard_url,
                            SignInToken::valid_seconds / 60, proof->code),
        .date = system.now});
}

// The letter that tells the owner of the workspace that a webhook is disabled; nothing when it is enabled
// again, or gone.
Result<std::optional<Letter>> write_webhook_letter(SystemContext& system, const Mail& mail) {
    const auto webhook = TRY(schema().webhooks.find(system.txn, mail.subject.view()));
    if (!webhook || webhook->status == WebhookStatus::enabled || webhook->status == WebhookStatus::paused)
        return std::optional<Letter>();
    const auto workspace = TRY(schema().workspaces.find(system.txn, webhook->workspace.view()));
    const auto owner = workspace ? TRY(schema().accounts.find(system.txn, workspace->owner.view()))
                                 : std::optional<Account>();
    if (!owner || owner->email.empty() || workspace->hidden())
        return std::optional<Letter>();
    const std::string_view why = webhook->status == WebhookStatus::gone
                                     ? "Its receiver answered that it is gone for good (410)."
                                     : "For five days every attempt to reach its receiver has failed.";
    return std::optional(Letter{
        .mail = mail.id,
        .to = owner->email,
        .subject = fmt::format("A webhook of the workspace \"{}\" is disabled", workspace->name),
        .text =
            fmt::format("The webhook of the workspace \"{}\" that is sent to\n\n"
                        "{}\n\n"
                        "is disabled: {}\n\n"
                        "Nothing is sent to it any more. When the receiver is mended, resume the webhook, "
                        "and it goes on where it stood, as far as events are kept:\n\n"
                        "curl -X POST -H 'apikey: YOUR_KEY' -H 'workspace: {}' {}/webhooks/{}/resume\n",
                        workspace->name, webhook->url, why, workspace->id.hex(),
                        system.tools.settings.api_url, webhook->id.hex()),
        .date = system.now});
}

Result<std::optional<Letter>> write_letter(SystemContext& system, const Mail& mail) {
    switch (mail.kind) {
    case MailKind::invite:
        return write_invite_letter(system, mail);
    case MailKind::sign_in:
        return write_sign_in_letter(system, mail);
    case MailKind::email:
        return write_email_letter(system, mail);
    case MailKind::webhook_disabled:
        return write_webhook_letter(system, mail);
    }
    return std::optional<Letter>();
}

// Writes down on the invite what became of its mail.
Result<void> note_outcome(SystemContext& system, const Mail& mail, const MailOutcome& outcome) {
    if (mail.kind != MailKind::invite)
        return {};
    const auto invite = TRY(schema().invites.find(system.txn, mail.subject.view()));
    if (!invite)
        return {};
    auto changed = *invite;
    if (outcome.kind == MailOutcome::Kind::sent)
        changed.mailed_at = system.now;
    else
        changed.mail_error = outcome.reason.substr(0, reason_bytes_max);
    return schema().invites.update(system.txn, *invite, changed);
}

} // namespace

Result<void> enqueue_mail(const SystemContext& system, MailKind kind, const RawId& subject) {
    return mails().insert(system.txn, {.id = system.tools.ids.next<MailId>(),
                                       .kind = kind,
                                       .subject = subject,
                                       .created_at = system.now,
                                       .due_at = system.now,
                                       .last_error = {},
                                       .unknown = {}});
}

Result<void> withdraw_mail(data::Txn& txn, MailKind kind, const RawId& subject) {
    if (const auto mail = TRY(mails().find_by(mails().by_subject, txn, kind, subject)))
        return mails().remove(txn, *mail);
    return {};
}

std::int64_t seconds_before_next_attempt(std::uint32_t attempts) {
    const auto doublings = std::min(std::max(attempts, 1U) - 1, mail_attempts_max);
    return std::min(first_wait_seconds << doublings, wait_seconds_max);
}

Result<bool> mail_is_due(data::View& view, Timestamp now) { return TRY(first_due(view, now)).has_value(); }

Result<std::optional<Letter>> take_due_mail(SystemContext& system) {
    for (std::size_t dropped = 0; dropped < dropped_at_once_max; ++dropped) {
        const auto primary = TRY(first_due(system.txn, system.now));
        const auto mail = primary ? TRY(mails().find(system.txn, *primary)) : std::optional<Mail>();
        if (!mail)
            break;
        auto letter = TRY(write_letter(system, *mail));
        if (!letter) {
            TRY(mails().remove(system.txn, *mail));
            continue;
        }
        auto begun = *mail;
        ++begun.attempts;
        begun.due_at = system.now.plus_seconds(seconds_before_next_attempt(begun.attempts));
        TRY(mails().update(system.txn, *mail, begun));
        return letter;
    }
    return std::optional<Letter>();
}

Result<bool> book_outcome(SystemContext& system, MailId id, const MailOutcome& outcome) {
    const auto mail = TRY(mails().find(system.txn, id.view()));
    if (!mail)
        return true;
    if (outcome.kind == MailOutcome::Kind::later && mail->attempts < mail_attempts_max) {
        auto waiting = *mail;
        waiting.last_error = outcome.reason.substr(0, reason_bytes_max);
        TRY(mails().update(system.txn, *mail, waiting));
        return false;
    }
    TRY(note_outcome(system, *mail, outcome));
    TRY(mails().remove(system.txn, *mail));
    return true;
}

} // namespace slashpost

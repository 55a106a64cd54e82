#include "core/ops/newcomers.h"

#include "core/access/invitations.h"
#include "core/access/limits.h"
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/ops/accounts.h"
#include "core/ops/invites.h"
#include "core/ops/profile.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr Guard accepting{.access = Access::write, .scope = Scope::account};

Result<bool> somebody_has(data::View& view, const std::string& email) {
    return !TRY(accounts_with_email(view, email)).empty();
}

Result<Invite> open_invite(data::View& view, const Settings& settings, std::string_view token,
                           Timestamp now) {
    const auto absent = [] { return not_found("invite", ""); };
    auto invite = TRY(schema().invites.find_by(schema().invites.by_token, view, sha256(token)));
    const auto workspace = invite ? TRY(invited_to(view, *invite, now)) : std::optional<Workspace>();
    if (!workspace || invite->email.empty())
        return absent();
    if (workspace->revoked)
        return refused("RevokedWorkspace", "workspace", "The workspace is revoked.");
    // A token that was mailed is good for who has the address; one that was handed over where the operator
    // lets it be good for anybody.
    if (!settings.sends_mail && !settings.invites_by_token)
        return absent();
    if (TRY(somebody_has(view, invite->email)))
        return refused("AccountExists", "invite",
                       "There is an account with this address already; sign in and accept the invite there.");
    return std::move(*invite);
}

std::string name_of(const Account& account) {
    return account.full_name.empty() ? account.username : account.full_name;
}

} // namespace

Result<OfferedPlace> offered_place(SystemContext& system, std::string_view token, AccountId account) {
    auto& view = system.txn;
    const auto& accounts = schema().accounts;
    const auto invite = TRY(schema().invites.find_by(schema().invites.by_token, view, sha256(token)));
    if (invite && invite->status(system.now) == InviteStatus::expired)
        return refused("InviteExpired", "invite", "The invite has expired; ask for a new one.");
    const auto workspace = invite ? TRY(invited_to(view, *invite, system.now)) : std::optional<Workspace>();
    const auto sender =
        workspace ? TRY(accounts.find(view, invite->sender.view())) : std::optional<Account>();
    if (!sender)
        return not_found("invite", "");
    const auto invitee = TRY(accounts.find(view, invite->invitee.view()));
    const auto caller = TRY(accounts.find(view, account.view()));
    return OfferedPlace{.workspace = workspace->id,
                        .workspace_name = workspace->name,
                        .role = invite->role,
                        .sender = name_of(*sender),
                        .message = invite->message,
                        .receiver = invitee ? name_of(*invitee) : invite->email,
                        .expires_at = invite->expires_at(),
                        .has_account = invitee || TRY(somebody_has(view, invite->email)),
                        .is_callers = caller && may_accept(*invite, *caller, system.tools.settings)};
}

Result<void> check_newcomer(data::View& view, const Settings& settings, std::string_view token,
                            Timestamp now) {
    TRY(open_invite(view, settings, token, now));
    return {};
}

Result<OpenedSession> join_by_invite(SystemContext& system, const Newcomer& in, std::string_view user_agent) {
    const auto& settings = system.tools.settings;
    const auto invite = TRY(open_invite(system.txn, settings, in.token, system.now));
    Problems problems;
    check_chosen_username(in.username, settings.sends_mail ? invite.email : "", problems);
    TRY(problems.result("account"));
    const auto account =
        TRY(create_account(system, {.username = in.username,
                                    .email = settings.sends_mail ? invite.email : std::string(),
                                    .full_name = in.full_name}));
    TRY(schema().credentials.insert(system.txn, {.account = account.id,
                                                 .password_hash = in.password_hash,
                                                 .password_set_at = system.now,
                                                 .unknown = {}}));
    Context ctx(system.txn, &system.txn, accepting, system.changes, system.now, system.tools);
    ctx.caller.account = account.id;
    ctx.account = account;
    ctx.payer = account;
    ctx.plan = TRY(plan_of(system.txn, account));
    TRY(accept_invite(ctx, invite));
    return open_session(system, account.id, SignInWay::invite, user_agent);
}

} // namespace slashpost

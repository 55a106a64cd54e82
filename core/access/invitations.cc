#include "core/access/invitations.h"

#include "core/base/secret.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost {

Result<std::optional<Workspace>> invited_to(data::View& view, const Invite& invite, Timestamp now) {
    std::optional<Workspace> nowhere;
    if (invite.status(now) != InviteStatus::pending)
        return nowhere;
    auto workspace = TRY(schema().workspaces.find(view, invite.workspace.view()));
    if (!workspace || workspace->hidden())
        return nowhere;
    const auto sender = TRY(schema().members.find(
        view, Member::primary_of({.workspace = invite.workspace, .account = invite.sender})));
    if (!sender || sender->role < std::max(Role::admin, invite.role) || invite.id <= sender->invites_end)
        return nowhere;
    return workspace;
}

bool is_for(const Invite& invite, const Account& account) {
    if (!invite.invitee.empty())
        return invite.invitee == account.id;
    return !account.email.empty() && fold_case(account.email) == fold_case(invite.email);
}

bool may_accept(const Invite& invite, const Account& account, const Settings& settings) {
    const bool nobody_in_particular = invite.invitee.empty() && account.email.empty();
    return is_for(invite, account) || (settings.invites_by_token && nobody_in_particular);
}

std::string renew_token(Random& random, Invite& invite) {
    auto token = make_token(random);
    invite.token_hash = sha256(token);
    return token;
}

std::string acceptance_address(const Settings& settings, std::string_view token) {
    return fmt::format("{}/invites/{}/accept", settings.api_url, token);
}

std::string invite_page_address(const Settings& settings, std::string_view token) {
    return fmt::format("{}/invite#{}", settings.dashboard_url, token);
}

} // namespace slashpost

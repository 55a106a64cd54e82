#include "core/access/invitations.h"

#include "core/base/secret.h"
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
    if (!sender || sender->role < std::max(Role::admin, invite.role))
        return nowhere;
    return workspace;
}

std::string renew_token(Random& random, Invite& invite) {
    auto token = make_token(random);
    invite.token_hash = sha256(token);
    return token;
}

std::string acceptance_address(const Settings& settings, std::string_view token) {
    return fmt::format("{}/invites/{}/accept", settings.api_url, token);
}

} // namespace slashpost

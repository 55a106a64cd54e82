#pragma once
// Teammates and invites of a World, by the operations that a caller would use.
#include "core/ops/invites.h"
#include "core/ops/teammates.h"
#include "tests/support/must.h"
#include "tests/support/workspaces.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline constexpr Guard accepting{.access = Access::write, .scope = Scope::account};

// An account with an e-mail address, and a key.
inline Stranger person(World& world, std::string_view username, std::string_view email = {}) {
    Stranger out;
    out.account = must(world.operate([&](SystemContext& system) {
        return create_account(system, {.username = std::string(username), .email = std::string(email)});
    }));
    const auto key =
        must(world.operate([&](SystemContext& system) { return create_key(system, out.account, "test"); }));
    out.caller = {.account = out.account.id, .key = key.row.id};
    return out;
}

// Runs an operation as anybody in a workspace.
template <class Work>
auto write_as(World& world, const Caller& caller, WorkspaceId workspace, Work&& work, Guard guard = {}) {
    guard.access = Access::write;
    return world.service.run(caller, workspace.hex(), guard, std::forward<Work>(work));
}

inline Result<std::vector<SentInvite>> invite_into(World& world, WorkspaceId workspace,
                                                   const NewInvites& in) {
    return write_in(world, workspace, [&](Context& ctx) { return create_invites(ctx, in); });
}
inline Result<std::vector<SentInvite>> try_invites(World& world, const NewInvites& in) {
    return invite_into(world, world.installed.account.default_workspace, in);
}
inline SentInvite make_invite(World& world, std::string email, Role role = Role::user) {
    return must(try_invites(world, {.emails = {std::move(email)}, .role = role, .message = {}})).front();
}

// "/v1/invites/TOKEN/accept" -> TOKEN
inline std::string token_of(std::string_view address) {
    constexpr std::string_view before = "/invites/", behind = "/accept";
    const auto begin = address.find(before) + before.size();
    return std::string(address.substr(begin, address.size() - begin - behind.size()));
}

inline Result<AcceptedInvite> accept_with(World& world, const Caller& caller, std::string_view token) {
    return world.service.run(caller, {}, accepting, [&](Context& ctx) -> Result<AcceptedInvite> {
        return accept_invite(ctx, TRY(find_received_invite(ctx, token)));
    });
}
inline Result<AcceptedInvite> accept_as(World& world, const Stranger& who, const SentInvite& sent) {
    return accept_with(world, who.caller, token_of(sent.address));
}

inline std::optional<Role> role_in(World& world, WorkspaceId workspace, AccountId account) {
    const auto member = must(world.engine->read([&](data::View& view) {
        return schema().members.find(view, Member::primary_of({.workspace = workspace, .account = account}));
    }));
    return member ? std::optional(member->role) : std::nullopt;
}

// The addresses of the world's invites in one state, newest first, joined with spaces.
inline std::string emails(World& world, InviteStatus status) {
    std::string out;
    for (const auto& details :
         must(world.read([&](Context& ctx) { return list_invites(ctx, status, {.limit = 100}); })))
        out += (out.empty() ? "" : " ") + details.invite.email;
    return out;
}

inline std::int64_t count_of(World& world, InviteStatus status) {
    return must(world.read([&](Context& ctx) { return count_invites(ctx, status); }));
}

} // namespace slashpost::test

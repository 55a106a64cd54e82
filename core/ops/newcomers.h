#pragma once
// People who are invited and have no account yet: they make theirs by accepting, and no operator is needed.
#include "core/ops/sessions.h"

#include <string>

namespace slashpost {

// What an invite says to whoever opens its address.
struct OfferedPlace {
    WorkspaceId workspace;
    std::string workspace_name;
    Role role = Role::viewer;
    std::string sender; // the name
    std::string message;
    std::string receiver; // the e-mail address, or the name of the account that it is for
    Timestamp expires_at;
    bool has_account = false; // who it is for has one
    bool is_callers = false;  // the account that asks may accept it
};
// By the invite's token. `account` is that of who asks; empty: nobody is signed in. Fails as not found, or
// as refused with InviteExpired.
Result<OfferedPlace> offered_place(SystemContext& system, std::string_view token, AccountId account);

struct Newcomer {
    std::string token; // of the invite (core/ops/invites.h)
    std::string username;
    std::string full_name; // empty: the user name
    std::string password_hash;
};

// Whether the invite with that token can be accepted by somebody who has no account: it is open, for an
// e-mail address, and no account has that address. Fails as not found, or as refused with AccountExists.
Result<void> check_newcomer(data::View& view, const Settings& settings, std::string_view token,
                            Timestamp now);

// The account, with the address that the invite names if it was mailed there, which proves that it is theirs;
// the place in the workspace; and a session. Fails as check_newcomer does, as invalid (a user name that is
// taken), or as accepting the invite does.
Result<OpenedSession> join_by_invite(SystemContext& system, const Newcomer& in, std::string_view user_agent);

} // namespace slashpost

#pragma once
// Where people are signed in at the dashboard. A session is good while it is used at least every twelve
// hours, and for a week at most (core/model/sign_in.h).
#include "core/access/context.h"
#include "core/model/sign_in.h"

namespace slashpost {

inline constexpr std::size_t sessions_per_account_max =
    20; // one more ends the one that was not used for longest

struct OpenedSession {
    Session row;
    std::string token; // for the cookie; never stored
};

// Always one with a new token. `user_agent` is the header's, of which what program it is is kept.
Result<OpenedSession> open_session(SystemContext& system, AccountId account, SignInWay way,
                                   std::string_view user_agent);
// "Firefox on Linux"; "another program" when it says neither.
std::string client_named_by(std::string_view user_agent);

// Those of the caller that go on, the one used last first.
Result<std::vector<Session>> list_sessions(Context& ctx);
// One of the caller's by its id as sent in a path; fails as not found.
Result<Session> find_session(Context& ctx, std::string_view id);
Result<void> end_session(data::Txn& txn, const Session& session);
// All of the account but `kept`, which may be empty.
Result<void> end_sessions(data::Txn& txn, AccountId account, SessionId kept);

// Erases sessions, one-time addresses and counts of tries whose time is over; a background step. One bounded
// batch; true when there is more.
Result<bool> prune_sign_ins(SystemContext& system);

} // namespace slashpost

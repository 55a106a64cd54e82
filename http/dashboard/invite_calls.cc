// Invites, for people who opened the address of one in the dashboard.
#include "core/base/password_hash.h"
#include "core/ops/newcomers.h"
#include "core/ops/sign_in_tries.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"

#include <boost/json.hpp>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

struct InviteInput {
    std::string token, username, password, full_name;
    static constexpr std::string_view wire_name = "Newcomer";
    static wire::Fields fields() {
        return {wire::field("token", &InviteInput::token, wire::required),
                wire::field("username", &InviteInput::username),
                wire::field("password", &InviteInput::password),
                wire::field("fullName", &InviteInput::full_name)};
    }
};

struct ShownInviteInput {
    std::string token;
    static constexpr std::string_view wire_name = "InviteToken";
    static wire::Fields fields() { return {wire::field("token", &ShownInviteInput::token, wire::required)}; }
};

} // namespace

Result<std::int64_t> SessionCalls::count_try_of(const WhoSignsIn& who) {
    return service_.run_as_operator(
        [&](SystemContext& system) { return take_try(system, TryKind::by_address, who.address); });
}

Result<http::Reply> SessionCalls::show_invite(const http::Request& request) {
    const auto input = TRY(read_body<ShownInviteInput>(request));
    const auto who = who_sends(request);
    if (const auto wait = TRY(count_try_of(who)); wait > 0)
        return too_many_tries(wait);
    const auto caller = service_.authenticate_session(origin_.token_of(request));
    const auto account = caller.has_value() ? caller->account : AccountId();
    const auto shown = TRY(service_.run_as_operator([&](SystemContext& system) -> Result<OfferedPlace> {
        TRY(give_back_try(system, TryKind::by_address, who.address));
        return offered_place(system, input.token, account);
    }));
    const json::object workspace{{"id", shown.workspace.hex()}, {"name", shown.workspace_name}};
    return json_reply(200, json::serialize(json::object{{"workspace", workspace},
                                                        {"role", to_string(shown.role)},
                                                        {"from", shown.sender},
                                                        {"message", shown.message},
                                                        {"for", shown.receiver},
                                                        {"expiresAt", to_iso(shown.expires_at)},
                                                        {"hasAccount", shown.has_account},
                                                        {"isYours", shown.is_callers}}));
}

Result<http::Reply> SessionCalls::join(const http::Request& request) {
    const auto input = TRY(read_body<InviteInput>(request));
    Problems problems;
    if (input.username.empty())
        problems.add(required_field("username"));
    check_password("password", input.password, problems);
    TRY(problems.result("session"));
    const auto who = who_sends(request);
    // Before a hash is made for somebody who was not invited.
    if (const auto wait = TRY(count_try_of(who)); wait > 0)
        return too_many_tries(wait);
    TRY(service_.run_as_operator([&](SystemContext& system) {
        return check_newcomer(system.txn, settings_, input.token, system.now);
    }));
    const auto hash = TRY(hashes_.run([&] { return hash_password(input.password); }));
    const auto opened = TRY(service_.run_as_operator([&](SystemContext& system) -> Result<OpenedSession> {
        TRY(give_back_try(system, TryKind::by_address, who.address));
        return join_by_invite(system,
                              {.token = input.token,
                               .username = input.username,
                               .full_name = input.full_name,
                               .password_hash = hash},
                              who.user_agent);
    }));
    return signed_in(request, opened.row.account, opened.row.id, opened.token);
}

} // namespace slashpost::dashboard

// Signing in with a provider, for the page that its answers lead to: /sign-in/provider. The page hands them
// on in a call of its own, so nothing but our own pages begins or ends a visit, and all cookies are strict.
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/ops/identities.h"
#include "core/ops/sign_in_tries.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"

#include <boost/json.hpp>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

struct ConnectInput {
    std::string current;
    static constexpr std::string_view wire_name = "Connect";
    static wire::Fields fields() { return {wire::field("current", &ConnectInput::current)}; }
};

struct AnswerInput {
    std::string state, code, issuer, error;
    static constexpr std::string_view wire_name = "ProviderAnswer";
    static wire::Fields fields() {
        return {wire::field("state", &AnswerInput::state, wire::required),
                wire::field("code", &AnswerInput::code), wire::field("iss", &AnswerInput::issuer),
                wire::field("error", &AnswerInput::error)};
    }
};

// Of another browser, from too long ago, or made up.
std::unexpected<Error> unknown_visit() {
    return refused("VisitOver", "session",
                   "This sign-in was begun in another browser, or too long ago. Begin it again.");
}

http::Reply second_step_reply(const std::string& token) {
    return json_reply(
        401, json::serialize(json::object{{"code", "CodeRequired"},
                                          {"message", "This account has a second factor; send its code."},
                                          {"httpCode", 401},
                                          {"source", "session"},
                                          {"token", token}}));
}

} // namespace

Result<Provider*> SessionCalls::provider() const {
    if (provider_ == nullptr)
        return refused("NoProvider", "session", "This server has no provider to sign in with.");
    return provider_;
}

Result<http::Reply> SessionCalls::begin_visit(AccountId connects) {
    auto* const there = TRY(provider());
    const auto begun = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return begin_provider_visit(system, connects); }));
    const auto address = TRY(visits_.run([&] { return there->address_for(begun.visit); }));
    auto reply = json_reply(200, json::serialize(json::object{{"address", address}}));
    reply.headers.push_back(origin_.visit_cookie_with(begun.sealed));
    return reply;
}

Result<http::Reply> SessionCalls::go_to_provider(const http::Request&) { return begin_visit({}); }

Result<http::Reply> SessionCalls::connect_provider(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<ConnectInput>(request));
    if (const auto wait = TRY(check_current(caller, input.current)); wait > 0)
        return too_many_tries(wait);
    return begin_visit(caller.account);
}

Result<http::Reply> SessionCalls::disconnect_provider(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<ConnectInput>(request));
    if (const auto wait = TRY(check_current(caller, input.current)); wait > 0)
        return too_many_tries(wait);
    TRY(service_.run(caller, {}, own_account_to_write, disconnect_identity));
    return json_reply(200, TRY(describe(caller)));
}

// The visit is over, whatever comes of it.
Result<http::Reply> SessionCalls::return_from_provider(const http::Request& request) {
    auto answered = end_visit(request);
    auto reply = answered.has_value() ? *std::move(answered) : refuse(answered.error());
    reply.headers.push_back(origin_.visit_cookie_without());
    return reply;
}

Result<http::Reply> SessionCalls::end_visit(const http::Request& request) {
    auto* const there = TRY(provider());
    const auto input = TRY(read_body<AnswerInput>(request));
    const auto who = who_sends(request);
    if (const auto wait = TRY(count_try_of(who)); wait > 0)
        return too_many_tries(wait);
    const auto visit = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return open_provider_visit(system, origin_.visit_of(request)); }));
    if (!visit || !equal_in_constant_time(visit->state(), input.state))
        return unknown_visit();
    if (!input.error.empty() || input.code.empty())
        return refused("ProviderRefused", "session",
                       "The provider did not sign you in, or you have gone back from it.");
    const auto identity =
        TRY(visits_.run([&] { return there->redeem(*visit, {.code = input.code, .issuer = input.issuer}); }));
    return visit->connects.empty() ? enter_as(request, who, identity)
                                   : connect_as(request, who, visit->connects, identity);
}

Result<http::Reply> SessionCalls::enter_as(const http::Request& request, const WhoSignsIn& who,
                                           const ProvenIdentity& identity) {
    const auto entered = TRY(service_.run_as_operator([&](SystemContext& system) -> Result<ProviderSignIn> {
        TRY(give_back_try(system, TryKind::by_address, who.address));
        return sign_in_with_identity(system, identity, who.user_agent);
    }));
    if (!entered.session)
        return second_step_reply(entered.token);
    return signed_in(request, entered.session->row.account, entered.session->row.id, entered.session->token);
}

// By who was signed in when they left, and still is.
Result<http::Reply> SessionCalls::connect_as(const http::Request& request, const WhoSignsIn& who,
                                             AccountId account, const ProvenIdentity& identity) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    if (caller.account != account)
        return unknown_visit();
    TRY(service_.run(caller, {}, own_account_to_write, [&](Context& ctx) -> Result<void> {
        auto system = ctx.system_context();
        TRY(give_back_try(system, TryKind::by_address, who.address));
        return connect_identity(ctx, identity);
    }));
    return json_reply(200, TRY(describe(caller)));
}

} // namespace slashpost::dashboard

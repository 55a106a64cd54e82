#include "http/dashboard/session_calls.h"

#include "core/base/password_hash.h"
#include "core/ops/newcomers.h"
#include "core/ops/second_factor.h"
#include "core/ops/sign_in.h"
#include "core/ops/sign_in_tries.h"
#include "http/api/account.h"
#include "http/wire/decode.h"
#include "http/wire/error_body.h"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

constexpr std::string_view json_media_type = "application/json; charset=utf-8";
constexpr std::string_view unavailable_retry_seconds = "1";
constexpr Guard own_account{.scope = Scope::account, .limited_keys = LimitedKeys::all};
constexpr Guard own_account_to_write{
    .access = Access::write, .scope = Scope::account, .limited_keys = LimitedKeys::all};

struct SignInInput {
    std::string user, password, token, code;
    static constexpr std::string_view wire_name = "SignIn";
    static wire::Fields fields() {
        return {wire::field("user", &SignInInput::user), wire::field("password", &SignInInput::password),
                wire::field("token", &SignInInput::token), wire::field("code", &SignInInput::code)};
    }
};

struct PasswordInput {
    std::string current, fresh;
    static constexpr std::string_view wire_name = "PasswordChange";
    static wire::Fields fields() {
        return {wire::field("current", &PasswordInput::current), wire::field("new", &PasswordInput::fresh)};
    }
};

struct CodeInput {
    std::string code;
    static constexpr std::string_view wire_name = "Code";
    static wire::Fields fields() { return {wire::field("code", &CodeInput::code, wire::required)}; }
};

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

struct UserInput {
    std::string user;
    static constexpr std::string_view wire_name = "User";
    static wire::Fields fields() { return {wire::field("user", &UserInput::user, wire::required)}; }
};

template <class Input>
Result<Input> read_body(const http::Request& request) {
    Problems problems;
    auto input = TRY(wire::decode<Input>(TRY(wire::parse_body("application/json", request.body)), problems));
    TRY(problems.result("session"));
    return input;
}

http::Reply json_reply(unsigned status, std::string body) {
    return {.status = status,
            .headers = {{"Content-Type", std::string(json_media_type)}, {"Cache-Control", "no-store"}},
            .body = std::move(body)};
}

http::Reply nothing() { return {.status = 204, .headers = {{"Cache-Control", "no-store"}}, .body = {}}; }

std::string words_for(std::int64_t seconds) {
    constexpr std::int64_t minute = 60;
    return seconds <= 2 * minute ? fmt::format("{} s", seconds)
                                 : fmt::format("{} minutes", (seconds + minute - 1) / minute);
}

http::Reply too_many_tries(std::int64_t wait_seconds) {
    auto reply = json_reply(
        429, json::serialize(json::object{
                 {"code", "TooManyTries"},
                 {"message",
                  fmt::format("There were too many tries; wait for {}, or sign in with a one-time address.",
                              words_for(wait_seconds))},
                 {"httpCode", 429},
                 {"source", "session"}}));
    reply.headers.push_back({"Retry-After", std::to_string(wait_seconds)});
    return reply;
}

std::string_view name_of(SignInWay way) {
    switch (way) {
    case SignInWay::password:
        return "password";
    case SignInWay::address:
        return "address";
    case SignInWay::invite:
        return "invite";
    }
    return "address";
}

WhoSignsIn who_sends(const http::Request& request, std::string code = {}) {
    return {.address = request.remote_address,
            .user_agent = std::string(request.header("user-agent").value_or("")),
            .code = std::move(code)};
}

} // namespace

Result<void> admit_page(const Origin& origin, const http::Request& request) {
    if (!origin.is_own_page(request))
        return refused("ForeignPage", "request",
                       fmt::format("This is for the dashboard's own pages only{}.",
                                   origin.is_public() ? ", opened over HTTPS" : ""));
    if (!sends_json_or_nothing(request))
        return wire::media_type_refused();
    return {};
}

http::Reply SessionCalls::refuse(const Error& error) const {
    if (error.kind == ErrorKind::fault)
        on_fault_(error);
    auto reply = json_reply(wire::status_of(error), wire::error_body(error));
    if (error.kind == ErrorKind::unavailable)
        reply.headers.push_back({"Retry-After", std::string(unavailable_retry_seconds)});
    return reply;
}

http::Reply SessionCalls::serve(const http::Request& request, std::string_view path) {
    auto answered = answer(request, path);
    return answered.has_value() ? *std::move(answered) : refuse(answered.error());
}

Result<http::Reply> SessionCalls::answer(const http::Request& request, std::string_view path) {
    using Handler = Result<http::Reply> (SessionCalls::*)(const http::Request&);
    struct Row {
        std::string_view path;
        http::Method method;
        Handler handler;
    };
    static constexpr std::array<Row, 8> rows{{
        {"/session", http::Method::post, &SessionCalls::sign_in},
        {"/session", http::Method::del, &SessionCalls::sign_out},
        {"/session/password", http::Method::put, &SessionCalls::change_password},
        {"/session/mail", http::Method::post, &SessionCalls::send_address},
        {"/session/invite", http::Method::post, &SessionCalls::join},
        {"/session/second-factor", http::Method::post, &SessionCalls::offer_code},
        {"/session/second-factor", http::Method::put, &SessionCalls::confirm_code},
        {"/session/second-factor", http::Method::del, &SessionCalls::end_code},
    }};
    TRY(admit_page(origin_, request));
    if (path == "/session" && (request.method == http::Method::get || request.method == http::Method::head))
        return show(request);
    bool known = false;
    for (const auto& row : rows) {
        known = known || row.path == path;
        if (row.path == path && row.method == request.method)
            return (this->*row.handler)(request);
    }
    if (!known)
        return not_found("endpoint", path);
    return wire::method_refused();
}

http::Reply SessionCalls::show(const http::Request& request) {
    const auto caller = service_.authenticate_session(origin_.token_of(request));
    const auto body = caller.has_value() ? describe(*caller) : std::unexpected(caller.error());
    if (body.has_value())
        return json_reply(200, *body);
    auto reply = refuse(body.error());
    if (reply.status == 401) { // what the page may offer
        auto shown = json::parse(reply.body).as_object();
        shown["signInByMail"] = settings_.sends_mail;
        reply.body = json::serialize(shown);
    }
    return reply;
}

Result<std::string> SessionCalls::describe(const Caller& caller) {
    return service_.run(caller, {}, own_account, [](Context& ctx) -> Result<std::string> {
        const auto session = TRY(calling_session(ctx));
        const auto password = TRY(password_state(ctx));
        return fmt::format(
            R"({{"account":{},"signedInBy":"{}","hasPassword":{},"hasSecondFactor":{},"expiresAt":"{}"}})",
            TRY(api::account_json(ctx)), name_of(session.way), password.exists, TRY(has_second_factor(ctx)),
            to_iso(session.ends_at()));
    });
}

Result<http::Reply> SessionCalls::signed_in(const http::Request& request, AccountId account,
                                            SessionId session, std::string_view token) {
    TRY(end_session_of(request)); // one that was open in this browser
    auto reply = json_reply(
        200, TRY(describe({.account = account, .key = {}, .rate = {}, .limits = {}, .session = session})));
    reply.headers.push_back(origin_.cookie_with(token));
    return reply;
}

Result<http::Reply> SessionCalls::sign_in(const http::Request& request) {
    const auto input = TRY(read_body<SignInInput>(request));
    const auto who = who_sends(request, input.code);
    if (!input.token.empty())
        return with_token(request, who, input.token);
    Problems problems;
    if (input.user.empty())
        problems.add(required_field("user"));
    if (input.password.empty())
        problems.add(required_field("password"));
    TRY(problems.result("session"));
    return with_password(request, who, input.user, input.password);
}

Result<http::Reply> SessionCalls::with_password(const http::Request& request, const WhoSignsIn& who,
                                                const std::string& user, const std::string& password) {
    const auto begun = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return begin_password_try(system, user, who.address); }));
    if (begun.wait_seconds > 0)
        return too_many_tries(begun.wait_seconds);
    // Also of nobody, and of what is no password, so that all answers take the same time.
    const auto looked_at = std::string_view(password).substr(0, password_bytes_max + 1);
    const bool right = TRY(hashes_.run([&] { return is_password(begun.hash, looked_at); }));
    if (!right || begun.account.empty())
        return sign_in_failed();
    const auto opened = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return sign_in_with_password(system, begun, who); }));
    return signed_in(request, opened.row.account, opened.row.id, opened.token);
}

Result<http::Reply> SessionCalls::with_token(const http::Request& request, const WhoSignsIn& who,
                                             const std::string& token) {
    const auto tried = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return sign_in_with_token(system, token, who); }));
    if (tried.wait_seconds > 0)
        return too_many_tries(tried.wait_seconds);
    if (tried.asks_for_code)
        return code_required();
    if (!tried.session)
        return sign_in_failed();
    return signed_in(request, tried.session->row.account, tried.session->row.id, tried.session->token);
}

// Succeeds when there is none.
Result<void> SessionCalls::end_session_of(const http::Request& request) {
    const auto caller = service_.authenticate_session(origin_.token_of(request));
    if (!caller.has_value())
        return caller.error().kind == ErrorKind::unauthenticated ? Result<void>()
                                                                 : std::unexpected(caller.error());
    return service_.run(*caller, {}, own_account_to_write, [](Context& ctx) -> Result<void> {
        return end_session(ctx.txn(), TRY(calling_session(ctx)));
    });
}

Result<http::Reply> SessionCalls::sign_out(const http::Request& request) {
    TRY(end_session_of(request));
    auto reply = nothing();
    reply.headers.push_back(origin_.cookie_without());
    return reply;
}

Result<std::int64_t> SessionCalls::count_try(const Caller& caller) {
    const auto whose = caller.account.hex();
    return service_.run_as_operator(
        [&](SystemContext& system) { return take_try(system, TryKind::by_account, whose); });
}

Result<std::int64_t> SessionCalls::check_current(const Caller& caller, const std::string& password) {
    const auto state = TRY(service_.run(caller, {}, own_account, password_state));
    if (!state.must_be_said)
        return 0;
    if (password.empty())
        return invalid("session", {required_field("current")});
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return wait;
    if (!TRY(hashes_.run([&] { return is_password(state.hash, password); })))
        return invalid("session", {invalid_format("current", "is not your password")});
    return 0;
}

Result<http::Reply> SessionCalls::change_password(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<PasswordInput>(request));
    const auto state = TRY(service_.run(caller, {}, own_account, password_state));
    Problems problems;
    check_password("new", input.fresh, problems);
    if (state.must_be_said && input.current.empty())
        problems.add(required_field("current"));
    TRY(problems.result("session"));
    if (const auto wait = TRY(check_current(caller, input.current)); wait > 0)
        return too_many_tries(wait);
    const auto hash = TRY(hashes_.run([&] { return hash_password(input.fresh); }));
    TRY(service_.run(caller, {}, own_account_to_write,
                     [&](Context& ctx) { return slashpost::change_password(ctx, hash); }));
    return nothing();
}

Result<http::Reply> SessionCalls::send_address(const http::Request& request) {
    if (!settings_.sends_mail)
        return refused("NoMail", "session",
                       "This server sends no mail; ask its operator for an address to sign in with.");
    const auto input = TRY(read_body<UserInput>(request));
    const auto wait = TRY(service_.run_as_operator([&](SystemContext& system) {
        return mail_sign_in_address(system, input.user, request.remote_address);
    }));
    return wait > 0 ? too_many_tries(wait) : nothing();
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
    const auto wait = TRY(service_.run_as_operator(
        [&](SystemContext& system) { return take_try(system, TryKind::by_address, who.address); }));
    if (wait > 0)
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

Result<http::Reply> SessionCalls::offer_code(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<PasswordInput>(request));
    if (const auto wait = TRY(check_current(caller, input.current)); wait > 0)
        return too_many_tries(wait);
    const auto offer = TRY(service_.run(caller, {}, own_account_to_write, offer_second_factor));
    return json_reply(200,
                      json::serialize(json::object{{"secret", offer.secret}, {"address", offer.address}}));
}

Result<http::Reply> SessionCalls::confirm_code(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<CodeInput>(request));
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return too_many_tries(wait);
    const auto codes = TRY(service_.run(caller, {}, own_account_to_write, [&](Context& ctx) {
        return confirm_second_factor(ctx, input.code);
    }));
    return json_reply(
        200, json::serialize(json::object{{"recoveryCodes", json::array(codes.begin(), codes.end())}}));
}

Result<http::Reply> SessionCalls::end_code(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<CodeInput>(request));
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return too_many_tries(wait);
    TRY(service_.run(caller, {}, own_account_to_write,
                     [&](Context& ctx) { return end_second_factor(ctx, input.code); }));
    return nothing();
}

} // namespace slashpost::dashboard

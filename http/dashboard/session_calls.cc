#include "http/dashboard/session_calls.h"

#include "core/base/password_hash.h"
#include "core/ops/second_factor.h"
#include "http/api/account.h"
#include "http/dashboard/session_replies.h"
#include "http/wire/error_body.h"

#include <array>
#include <boost/json.hpp>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

constexpr std::string_view unavailable_retry_seconds = "1";

struct SignInInput {
    std::string user, password, token, code;
    static constexpr std::string_view wire_name = "SignIn";
    static wire::Fields fields() {
        return {wire::field("user", &SignInInput::user), wire::field("password", &SignInInput::password),
                wire::field("token", &SignInInput::token), wire::field("code", &SignInInput::code)};
    }
};

struct UserInput {
    std::string user;
    static constexpr std::string_view wire_name = "User";
    static wire::Fields fields() { return {wire::field("user", &UserInput::user, wire::required)}; }
};

std::string_view name_of(SignInWay way) {
    switch (way) {
    case SignInWay::password:
        return "password";
    case SignInWay::address:
        return "address";
    case SignInWay::invite:
        return "invite";
    case SignInWay::provider:
        return "provider";
    }
    return "address";
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
    static constexpr std::array<Row, 17> rows{{
        {"/session", http::Method::post, &SessionCalls::sign_in},
        {"/session", http::Method::del, &SessionCalls::sign_out},
        {"/session/password", http::Method::put, &SessionCalls::change_password},
        {"/session/profile", http::Method::put, &SessionCalls::change_profile},
        {"/session/email", http::Method::put, &SessionCalls::change_email},
        {"/session/email", http::Method::post, &SessionCalls::confirm_email},
        {"/session/mail", http::Method::post, &SessionCalls::send_address},
        {"/session/invite", http::Method::post, &SessionCalls::join},
        {"/session/invite/shown", http::Method::post, &SessionCalls::show_invite},
        {"/session/provider", http::Method::post, &SessionCalls::go_to_provider},
        {"/session/provider", http::Method::put, &SessionCalls::connect_provider},
        {"/session/provider", http::Method::del, &SessionCalls::disconnect_provider},
        {"/session/provider/answer", http::Method::post, &SessionCalls::return_from_provider},
        {"/session/second-factor", http::Method::post, &SessionCalls::offer_code},
        {"/session/second-factor", http::Method::put, &SessionCalls::confirm_code},
        {"/session/second-factor", http::Method::del, &SessionCalls::end_code},
        {"/session/second-factor/codes", http::Method::post, &SessionCalls::renew_codes},
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
        if (provider_ != nullptr)
            shown["provider"] = provider_->name();
        reply.body = json::serialize(shown);
    }
    return reply;
}

Result<std::string> SessionCalls::describe(const Caller& caller) {
    return service_.run(caller, {}, own_account, [this](Context& ctx) -> Result<std::string> {
        const auto session = TRY(calling_session(ctx));
        const auto password = TRY(password_state(ctx));
        const auto factor = TRY(recovery_codes_left(ctx));
        return fmt::format(
            R"({{"account":{},"signedInBy":"{}","hasPassword":{},"asksForPassword":{},"hasSecondFactor":{},"recoveryCodes":{},"provider":{},"sendsMail":{},"showsOutsideImages":{},"isOperator":{},"expiresAt":"{}"}})",
            TRY(api::account_json(ctx)), name_of(session.way), password.exists, password.must_be_said,
            factor.has_value(), factor.value_or(0), TRY(describe_provider(ctx)), settings_.sends_mail,
            shows_outside_images_, ctx.account.is_operator, to_iso(session.ends_at()));
    });
}

// Null when there is none; "email" only of who is connected.
Result<std::string> SessionCalls::describe_provider(Context& ctx) {
    if (provider_ == nullptr)
        return std::string("null");
    json::object shown{{"name", provider_->name()}, {"connected", false}};
    if (const auto identity = TRY(identity_of(ctx))) {
        shown["connected"] = true;
        shown["email"] = identity->email;
    }
    return json::serialize(shown);
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

} // namespace slashpost::dashboard

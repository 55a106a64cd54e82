// What people change of their own account (core/ops/profile.h).
#include "core/ops/profile.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"

namespace slashpost::dashboard {

namespace {

struct ProfileInput {
    std::string username, full_name;
    Change<std::string> avatar_url;
    static constexpr std::string_view wire_name = "Profile";
    static wire::Fields fields() {
        return {wire::field("username", &ProfileInput::username, wire::required),
                wire::field("fullName", &ProfileInput::full_name),
                wire::field("avatarUrl", &ProfileInput::avatar_url)};
    }
};

struct EmailInput {
    std::string email, current;
    static constexpr std::string_view wire_name = "EmailChange";
    static wire::Fields fields() {
        return {wire::field("email", &EmailInput::email, wire::required),
                wire::field("current", &EmailInput::current)};
    }
};

struct EmailCodeInput {
    std::string code;
    static constexpr std::string_view wire_name = "EmailCode";
    static wire::Fields fields() { return {wire::field("code", &EmailCodeInput::code, wire::required)}; }
};

} // namespace

Result<http::Reply> SessionCalls::change_profile(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<ProfileInput>(request));
    TRY(service_.run(caller, {}, own_account_to_write, [&](Context& ctx) {
        return slashpost::change_profile(
            ctx, {.username = input.username, .full_name = input.full_name, .avatar_url = input.avatar_url});
    }));
    return json_reply(200, TRY(describe(caller)));
}

Result<http::Reply> SessionCalls::change_email(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<EmailInput>(request));
    if (const auto wait = TRY(check_current(caller, input.current)); wait > 0)
        return too_many_tries(wait);
    TRY(service_.run(caller, {}, own_account_to_write,
                     [&](Context& ctx) { return ask_for_email(ctx, input.email); }));
    return nothing();
}

Result<http::Reply> SessionCalls::confirm_email(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<EmailCodeInput>(request));
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return too_many_tries(wait);
    TRY(service_.run(caller, {}, own_account_to_write,
                     [&](Context& ctx) { return slashpost::confirm_email(ctx, input.code); }));
    return json_reply(200, TRY(describe(caller)));
}

} // namespace slashpost::dashboard

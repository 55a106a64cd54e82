// What the account page changes of how one signs in: the password and the second factor.
#include "core/base/password_hash.h"
#include "core/ops/second_factor.h"
#include "core/ops/sign_in_tries.h"
#include "http/dashboard/session_calls.h"
#include "http/dashboard/session_replies.h"

#include <boost/json.hpp>

namespace slashpost::dashboard {

namespace json = boost::json;

namespace {

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

struct EndInput {
    std::string code, current;
    static constexpr std::string_view wire_name = "SecondFactorEnd";
    static wire::Fields fields() {
        return {wire::field("code", &EndInput::code), wire::field("current", &EndInput::current)};
    }
};

http::Reply codes_reply(const std::vector<std::string>& codes) {
    return json_reply(
        200, json::serialize(json::object{{"recoveryCodes", json::array(codes.begin(), codes.end())}}));
}

} // namespace

Result<std::int64_t> SessionCalls::count_try(const Caller& caller) {
    const auto whose = caller.account.hex();
    return service_.run_as_operator(
        [&](SystemContext& system) { return take_try(system, TryKind::by_account, whose); });
}

Result<std::int64_t> SessionCalls::check_current(const Caller& caller, const std::string& password) {
    const auto state = TRY(service_.run(caller, {}, own_account, password_state));
    return state.must_be_said ? compare_current(caller, state.hash, password) : 0;
}

Result<std::int64_t> SessionCalls::compare_current(const Caller& caller, const std::string& hash,
                                                   const std::string& password) {
    if (password.empty())
        return invalid("session", {required_field("current")});
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return wait;
    if (!TRY(hashes_.run([&] { return is_password(hash, password); })))
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
    return codes_reply(codes);
}

Result<http::Reply> SessionCalls::renew_codes(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<CodeInput>(request));
    if (const auto wait = TRY(count_try(caller)); wait > 0)
        return too_many_tries(wait);
    return codes_reply(TRY(service_.run(caller, {}, own_account_to_write, [&](Context& ctx) {
        return renew_recovery_codes(ctx, input.code);
    })));
}

// With the code, or with the password, or, by who came in with an address of the operator's because they lost
// both, with neither.
Result<http::Reply> SessionCalls::end_code(const http::Request& request) {
    const auto caller = TRY(service_.authenticate_session(origin_.token_of(request)));
    const auto input = TRY(read_body<EndInput>(request));
    if (!input.code.empty()) {
        if (const auto wait = TRY(count_try(caller)); wait > 0)
            return too_many_tries(wait);
        TRY(service_.run(caller, {}, own_account_to_write,
                         [&](Context& ctx) { return end_second_factor(ctx, input.code); }));
        return nothing();
    }
    if (!TRY(service_.run(caller, {}, own_account, recovery_codes_left))) // of that there are none without it
        return conflict("There is no second factor.");
    const auto state = TRY(service_.run(caller, {}, own_account, password_state));
    if (!state.session_is_fresh) {
        if (!state.exists || input.current.empty())
            return invalid("session", {required_field("code")});
        if (const auto wait = TRY(compare_current(caller, state.hash, input.current)); wait > 0)
            return too_many_tries(wait);
    }
    TRY(service_.run(caller, {}, own_account_to_write, drop_second_factor));
    return nothing();
}

} // namespace slashpost::dashboard

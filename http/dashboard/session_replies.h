#pragma once
// What the calls of a session (session_calls.h) read and answer, whichever file they are in.
#include "core/access/guard.h"
#include "core/ops/sign_in.h"
#include "http/server/message.h"
#include "http/wire/decode.h"

#include <string>
#include <string_view>

namespace slashpost::dashboard {

inline constexpr Guard own_account{.scope = Scope::account, .limited_keys = LimitedKeys::all};
inline constexpr Guard own_account_to_write{
    .access = Access::write, .scope = Scope::account, .limited_keys = LimitedKeys::all};

template <class Input>
Result<Input> read_body(const http::Request& request) {
    Problems problems;
    auto input = TRY(wire::decode<Input>(TRY(wire::parse_body("application/json", request.body)), problems));
    TRY(problems.result("session"));
    return input;
}

http::Reply json_reply(unsigned status, std::string body);
http::Reply nothing();
http::Reply too_many_tries(std::int64_t wait_seconds);

WhoSignsIn who_sends(const http::Request& request, std::string code = {});

} // namespace slashpost::dashboard

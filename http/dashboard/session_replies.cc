#include "http/dashboard/session_replies.h"

#include <boost/json.hpp>
#include <fmt/format.h>

namespace slashpost::dashboard {

namespace json = boost::json;

http::Reply json_reply(unsigned status, std::string body) {
    return {.status = status,
            .headers = {{"Content-Type", "application/json; charset=utf-8"}, {"Cache-Control", "no-store"}},
            .body = std::move(body)};
}

http::Reply nothing() { return {.status = 204, .headers = {{"Cache-Control", "no-store"}}, .body = {}}; }

namespace {

std::string words_for(std::int64_t seconds) {
    constexpr std::int64_t minute = 60;
    return seconds <= 2 * minute ? fmt::format("{} s", seconds)
                                 : fmt::format("{} minutes", (seconds + minute - 1) / minute);
}

} // namespace

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

WhoSignsIn who_sends(const http::Request& request, std::string code) {
    return {.address = request.remote_address,
            .user_agent = std::string(request.header("user-agent").value_or("")),
            .code = std::move(code)};
}

} // namespace slashpost::dashboard

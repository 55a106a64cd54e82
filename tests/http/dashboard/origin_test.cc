#include "http/dashboard/origin.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using dashboard::Origin;

namespace {

http::Request request_to(std::string_view host, std::vector<http::Header> headers = {},
                         http::Method method = http::Method::post) {
    return {.method = method,
            .method_text = {},
            .target = "/session",
            .host = std::string(host),
            .headers = std::move(headers),
            .body = {},
            .remote_address = {}};
}

} // namespace

TEST_CASE("without a host of its own the dashboard answers to names of this machine only",
          "[dashboard][threat-24]") {
    const Origin origin("");
    for (const auto* host :
         {"localhost:8082", "localhost", "127.0.0.1:8082", "[::1]:8082", "x.localhost:8082"})
        CHECK(origin.covers(request_to(host)));
    for (const auto* host : {"evil.example", "evil.example:8082", "localhost.evil.example",
                             "127.0.0.1.evil.example", "192.168.0.2:8082", "", "a b"})
        CHECK_FALSE(origin.covers(request_to(host)));
    CHECK(origin.refusal(request_to("evil.example")) ==
          "The dashboard answers to the names of its own machine only, such as localhost. To reach it as "
          "evil.example, start the server with --dashboard-host.\n");
}

TEST_CASE("with a host of its own it answers to that one only", "[dashboard][threat-24]") {
    const Origin origin("links.example.com");
    CHECK(origin.covers(request_to("links.example.com")));
    CHECK(origin.covers(request_to("links.example.com:8443")));
    CHECK_FALSE(origin.covers(request_to("localhost:8082")));
    CHECK_FALSE(origin.covers(request_to("x.links.example.com")));
    CHECK_FALSE(origin.covers(request_to("go.example.com")));
}

TEST_CASE("only what our own pages send is done with somebody's session", "[dashboard][threat-22]") {
    const Origin local(""), open("links.example.com");
    const auto from = [](const Origin& origin, std::string_view host, std::vector<http::Header> headers,
                         http::Method method = http::Method::post) {
        return origin.is_own_page(request_to(host, std::move(headers), method));
    };
    CHECK(from(local, "localhost:8082", {{"Sec-Fetch-Site", "same-origin"}}));
    for (const auto* site : {"same-site", "cross-site", "none", ""}) {
        CHECK_FALSE(
            from(local, "localhost:8082", {{"Sec-Fetch-Site", site}, {"Origin", "http://localhost:8082"}}));
        CHECK_FALSE(from(local, "localhost:8082", {{"Sec-Fetch-Site", site}}, http::Method::get));
    }
    CHECK(from(local, "localhost:8082", {{"Origin", "http://localhost:8082"}}));
    for (const auto* other : {"http://localhost:8080", "http://localhost", "null", "http://evil.example", ""})
        CHECK_FALSE(from(local, "localhost:8082", {{"Origin", other}}, http::Method::get));
    CHECK(from(local, "localhost:8082", {}, http::Method::get));
    CHECK_FALSE(from(local, "localhost:8082", {}));
    CHECK(from(open, "links.example.com", {{"Origin", "https://links.example.com"}}));
    CHECK_FALSE(from(open, "links.example.com", {{"Origin", "http://links.example.com"}}));
}

TEST_CASE("the cookie is for this host only, and no script reads it", "[dashboard][threat-22]") {
    CHECK(Origin("links.example.com").cookie_with("abc").value ==
          "__Host-slashpost=abc; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict; Secure");
    CHECK(Origin("").cookie_with("abc").value ==
          "slashpost=abc; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict");
    CHECK(Origin("links.localhost:8082").cookie_with("abc").value ==
          "slashpost=abc; Max-Age=604800; Path=/; HttpOnly; SameSite=Strict");
    CHECK(Origin("").cookie_without().value == "slashpost=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict");
}

TEST_CASE("of cookies that others added, none is taken for ours", "[dashboard][threat-22]") {
    const Origin local(""), open("links.example.com");
    const auto token = [](const Origin& origin, std::vector<http::Header> headers) {
        return origin.token_of(request_to("x", std::move(headers)));
    };
    CHECK(token(local, {{"Cookie", "a=1; slashpost=abc; b=2"}}) == "abc");
    CHECK(token(local, {{"Cookie", "slashpost=abc; slashpost=evil"}}).empty());
    CHECK(token(local, {{"Cookie", "slashpost=abc"}, {"cookie", "slashpost=evil"}}).empty());
    CHECK(token(local, {{"Cookie", "xslashpost=evil; slashpost"}}).empty());
    CHECK(token(local, {}).empty());
    CHECK(token(open, {{"Cookie", "slashpost=evil; __Host-slashpost=abc"}}) == "abc");
}

TEST_CASE("a form is no JSON, whatever it contains", "[dashboard][threat-22]") {
    auto request = request_to("x");
    CHECK(dashboard::sends_json_or_nothing(request));
    request.body = "{}";
    CHECK_FALSE(dashboard::sends_json_or_nothing(request));
    for (const auto* type : {"application/json", "application/json; charset=utf-8", "Application/JSON"}) {
        request.headers = {{"Content-Type", type}};
        CHECK(dashboard::sends_json_or_nothing(request));
    }
    for (const auto* type :
         {"text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json"}) {
        request.headers = {{"Content-Type", type}};
        CHECK_FALSE(dashboard::sends_json_or_nothing(request));
    }
}

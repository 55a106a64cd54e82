// The pages, the API for who is signed in, and what browsers are told of all of it.
#include "http/dashboard/built_files.h"
#include "tests/http/dashboard/dashboard_world.h"
#include "tests/http/server/client.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

TEST_CASE("every address without a dot is the page, which is sent again only when it has changed",
          "[dashboard]") {
    DashboardWorld world;
    const auto page = world.send(page_get("/"));
    CHECK(page.status == 200);
    CHECK(page.header("Content-Type") == "text/html; charset=utf-8");
    CHECK(page.header("Cache-Control") == "no-cache");
    CHECK(page.body == dashboard::built_file("index.html")->content.text());
    for (const auto* path : {"/links", "/sign-in", "/links/abc?tag=1", "/v1x", "/sessions"})
        CHECK(world.send(page_get(path)).body == page.body);
    CHECK(world.send(page_get("/").with("if-none-match", page.header("ETag"))).status == 304);
    const auto packed = world.send(page_get("/").with("accept-encoding", "gzip"));
    CHECK(packed.header("Content-Encoding") == "gzip");
    CHECK(packed.header("ETag") != page.header("ETag"));
    CHECK(packed.header("Vary") == "Accept-Encoding");
    for (const auto* path : {"/favicon.ico", "/assets/none.js", "/assets/", "/assets/../index.html", "/a.b"})
        CHECK(world.send(page_get(path)).status == 404);
    CHECK(world.send(page_get("/assets/index.html")).status == 200);
    CHECK(world.send(page_post("/links", "{}")).status == 405);
}

TEST_CASE("no other origin may frame, script or read anything here", "[dashboard][threat-22]") {
    DashboardWorld world;
    world.sign_in();
    for (const auto* path : {"/", "/none.js", "/session", "/v1/account", "/v1/none"}) {
        INFO(path);
        const auto answer = world.send(page_get(path));
        CHECK(answer.header("Content-Security-Policy") ==
              "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src "
              "'self'; "
              "form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for "
              "'script'; "
              "trusted-types 'none'");
        CHECK(answer.header("Cross-Origin-Opener-Policy") == "same-origin");
        CHECK(answer.header("Cross-Origin-Resource-Policy") == "same-origin");
        CHECK(answer.header("Referrer-Policy") == "no-referrer");
        CHECK(answer.header("X-Content-Type-Options") == "nosniff");
        CHECK(answer.header("Permissions-Policy").starts_with("camera=()"));
        for (const auto& header : answer.headers)
            CHECK_FALSE(header.name.starts_with("Access-Control-"));
    }
}

TEST_CASE("pictures come from elsewhere only where the operator allows it, and over HTTPS", "[dashboard]") {
    for (const bool allowed : {false, true}) {
        DashboardWorld world({}, nullptr, allowed);
        world.sign_in();
        const auto session = world.send(page_get("/session"));
        CHECK(session.at("showsOutsideImages") == (allowed ? "true" : "false"));
        const auto policy = world.send(page_get("/")).header("Content-Security-Policy");
        CHECK(policy.contains(allowed ? "; img-src 'self' data: https:;" : "; img-src 'self' data:;"));
        CHECK(policy.contains("; connect-src 'self';"));
    }
}

TEST_CASE("a host that is not the dashboard's gets a sentence and nothing else", "[dashboard][threat-24]") {
    DashboardWorld world;
    world.sign_in();
    for (const auto* path : {"/", "/session", "/v1/account", "/v1/openapi.json"}) {
        const auto answer = world.send(page_get(path).at("evil.example:8082"));
        CHECK(answer.status == 403);
        CHECK(answer.body.starts_with("The dashboard answers to the names of its own machine only"));
    }
}

TEST_CASE("who is signed in calls the API as their account", "[dashboard]") {
    DashboardWorld world;
    CHECK(world.send(page_get("/v1/links/count")).status == 401);
    world.sign_in();
    CHECK(world.send(page_get("/v1/links/count")).body == R"({"count":0})");
    const auto made =
        world.send(page_post("/v1/links", R"({"destination":"https://example.com/","slashtag":"a"})"));
    CHECK(made.status == 200);
    CHECK(made.at("shortUrl") == "go.example.com/a");
    CHECK_FALSE(made.header("X-RateLimit-Remaining").empty());
    const auto home = world.installed.account.default_workspace.hex();
    CHECK(world.send(page_get("/v1/links/count").with("workspace", home)).body == R"({"count":1})");
    CHECK(world.send(page_get("/v1/links/count").with("workspace", std::string(32, '0'))).summary() ==
          "404 NotFound");
    CHECK(world.send(page_get("/v1/account/sessions")).body.find(R"("current":true)") != std::string::npos);
    CHECK(world.faults.empty());
}

TEST_CASE("a session is used by our own pages only, and for JSON only", "[dashboard][threat-22]") {
    DashboardWorld world;
    world.sign_in();
    const auto make = [] { return page_post("/v1/links", R"({"destination":"https://example.com/"})"); };
    CHECK(world.send(make().with("sec-fetch-site", "cross-site")).summary() == "403 ForeignPage");
    CHECK(world.send(make().with("sec-fetch-site", "same-site")).summary() == "403 ForeignPage");
    CHECK(world.send(make().without("sec-fetch-site")).summary() == "403 ForeignPage");
    CHECK(world.send(make().without("sec-fetch-site").with("origin", "http://localhost:8080")).summary() ==
          "403 ForeignPage");
    CHECK(world.send(make().with("content-type", "text/plain")).summary() == "406 NotAcceptable");
    CHECK(world.send(make().with("content-type", "application/x-www-form-urlencoded")).status == 406);
    CHECK(world
              .send(page_get("/v1/links/new?destination=https://example.com/")
                        .with("sec-fetch-site", "cross-site"))
              .summary() == "403 ForeignPage");
    CHECK(world.send(page_get("/v1/links/count")).body == R"({"count":0})");
    CHECK(world.send(make().without("sec-fetch-site").with("origin", "http://localhost:8082")).status == 200);
}

TEST_CASE("who types an address of the API reads what everybody may, and nothing as themselves",
          "[dashboard]") {
    DashboardWorld world;
    world.sign_in();
    CHECK(world.send(page_get("/v1/openapi.json").with("sec-fetch-site", "none")).status == 200);
    CHECK(world.send(page_get("/v1/account").with("sec-fetch-site", "none")).status == 401);
}

TEST_CASE("a key works here as everywhere, and the cookie beside it is not looked at", "[dashboard]") {
    DashboardWorld world;
    world.sign_in();
    const auto other = world.stranger("other");
    const auto key =
        must(world.operate([&](SystemContext& system) { return create_key(system, other.account, "x"); }));
    const auto answer = world.send(page_get("/v1/account").with("apikey", key.key).without("sec-fetch-site"));
    CHECK(answer.at("username") == "other");
    CHECK(world.send(page_get("/v1/account?apikey=" + key.key)).at("username") == "other");
    CHECK(world.send(page_get("/v1/account").with("apikey", "wrong")).status == 401);
    CHECK(world.send(page_get("/v1/account")).at("username") == "admin");
}

TEST_CASE("the API of the other listener never looks at a cookie", "[dashboard][threat-22]") {
    DashboardWorld world;
    world.sign_in();
    const auto reply = world.api.serve(world.request_of(page_get("/v1/account")));
    CHECK(reply.status == 401);
}

TEST_CASE("the calls of all sessions of an account are counted together", "[dashboard]") {
    DashboardWorld world;
    world.sign_in();
    const auto first = world.send(page_get("/v1/account")).header("X-RateLimit-Remaining");
    world.cookie.clear();
    world.sign_in();
    const auto second = world.send(page_get("/v1/account")).header("X-RateLimit-Remaining");
    CHECK(std::stoi(second) == std::stoi(first) - 1);
}

TEST_CASE("long bodies are read of who is signed in, or has a key, only", "[dashboard][threat-32]") {
    DashboardWorld world;
    const auto asked = [&](PageCall call, std::string_view length) {
        return world.dashboard
            ->admit_body(world.request_of(std::move(call).with("content-length", std::string(length))))
            .status;
    };
    CHECK(asked(page_post("/session"), "200") == 100);
    CHECK(asked(page_post("/session"), "16384") == 100);
    CHECK(asked(page_post("/session"), "16385") == 413);
    CHECK(asked(page_post("/session"), "") == 413);
    CHECK(asked(page_post("/v1/links"), "100000") == 401);
    CHECK(asked(page_post("/"), "10") == 405);
    CHECK(asked(page_post("/session").at("evil.example"), "10") == 403);
    world.sign_in();
    CHECK(asked(page_post("/v1/links"), "100000") == 100);
    CHECK(asked(page_post("/v1/links").with("sec-fetch-site", "cross-site"), "100000") == 100);
    world.cookie = "slashpost=" + std::string(64, 'a');
    CHECK(asked(page_post("/v1/links"), "100000") == 401);
}

TEST_CASE("over a socket, with cookies as a browser sends them", "[dashboard]") {
    DashboardWorld world;
    must(world.dashboard->start());
    http::Client client(world.dashboard->port());
    const auto ask = [&](std::string_view line, std::string_view more, std::string_view body = "") {
        client.send(fmt::format(
            "{} HTTP/1.1\r\nHost: localhost:{}\r\nSec-Fetch-Site: same-origin\r\n{}{}\r\n{}", line,
            world.dashboard->port(), more,
            body.empty()
                ? ""
                : fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n", body.size()),
            body));
        return *client.receive();
    };
    CHECK(ask("GET /", "").status == 200);
    CHECK(ask("GET /v1/account", "").status == 401);
    const auto token = world.token_for(world.installed.account.id);
    const auto in = ask("POST /session", "", fmt::format(R"({{"token":"{}"}})", token));
    CHECK(in.status == 200);
    const auto cookie = in.header("Set-Cookie").substr(0, 74);
    CHECK(cookie.starts_with("slashpost="));
    const auto with_cookie = fmt::format("Cookie: {}\r\n", cookie);
    CHECK(ask("GET /v1/account", with_cookie).status == 200);
    CHECK(ask("DELETE /session", with_cookie).status == 204);
    CHECK(ask("GET /v1/account", with_cookie).status == 401);
    world.dashboard->stop();
}

// What every request and reply keeps to, whatever the route (wire "Transport", "Errors", interface 5).
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("every JSON answer has the same headers", "[transport][threat-11]") {
    ApiWorld world;
    for (const auto& call : {get("/links"), get("/nothing"), get("/links").anonymous(), post("/links", "{"),
                             post("/links", "{}"), del("/links")}) {
        const auto answer = world.send(call);
        INFO(call.target << " " << answer.status);
        CHECK(answer.header("Content-Type") == "application/json; charset=utf-8");
        CHECK(answer.header("X-Content-Type-Options") == "nosniff");
        CHECK(answer.header("Cache-Control") == "no-store");
        CHECK(answer.header("Access-Control-Allow-Origin") == "*");
        CHECK(answer.header("X-RateLimit-Limit") == "6000");
        CHECK_FALSE(answer.header("X-RateLimit-Remaining").empty());
        CHECK_FALSE(answer.header("X-RateLimit-Reset").empty());
    }
}

TEST_CASE("the key is taken from its header in any case, or from the query", "[transport]") {
    ApiWorld world;
    const auto& key = world.installed.key.key;
    for (const auto* name : {"apikey", "apiKey", "Apikey", "APIKEY"})
        CHECK(world.send(get("/links").anonymous().with(name, key)).status == 200);
    CHECK(world.send(get("/links?apikey=" + key).anonymous()).status == 200);
    CHECK(world.send(get("/links?apikey=" + key).anonymous().with("apikey", "")).status == 200);
    CHECK(world.send(get("/links?apikey=wrong")).status == 200);
}

TEST_CASE("a missing, wrong or doubled key is unauthorized", "[transport][threat-17]") {
    ApiWorld world;
    const auto& key = world.installed.key.key;
    const auto other = world.outsider().key;
    const Call calls[] = {get("/links").anonymous(),
                          get("/links").as("wrong"),
                          get("/links").as(key + "x"),
                          get("/links").as(key.substr(0, key.size() - 1)),
                          get("/links").as(" " + key),
                          get("/links").as(std::string(10'000, 'a')),
                          get("/links").with("ApiKey", key),
                          get("/links").with("apikey", other),
                          get("/links?apikey=").anonymous(),
                          get("/links?apikey[x]=" + key).anonymous(),
                          get("/links?APIKEY=" + key).anonymous()};
    for (const auto& call : calls) {
        const auto answer = world.send(call);
        CHECK(answer.summary() == "401 Unauthorized apikey");
        CHECK(answer.body.find(key) == std::string::npos);
    }
}

TEST_CASE("a revoked key is refused at once", "[transport][threat-17]") {
    ApiWorld world;
    const auto outsider = world.outsider();
    CHECK(world.send(get("/links").as(outsider.key)).status == 200);
    REQUIRE(world
                .operate([&](SystemContext& system) -> Result<void> {
                    for (const auto& key : TRY(list_keys(system.txn, outsider.account.id)))
                        TRY(revoke_key(system, key.id.hex()));
                    return {};
                })
                .has_value());
    CHECK(world.send(get("/links").as(outsider.key)).status == 401);
}

TEST_CASE("the workspace is named in a header or in the query", "[transport]") {
    ApiWorld world;
    world.link_id("sale");
    const auto colleague = world.colleague(Role::viewer);
    const auto id = world.workspace_id();
    const auto count = [&](Call call) { return world.send(std::move(call).as(colleague.key)).body; };
    const std::string ours = R"({"count":1})", theirs = R"({"count":0})";
    CHECK(count(get("/links/count")) == theirs);
    CHECK(count(get("/links/count").with("Workspace", id)) == ours);
    CHECK(count(get("/links/count").with("workspace", id)) == ours);
    CHECK(count(get("/links/count?workspace=" + id)) == ours);
    CHECK(count(get("/links/count?workspace[id]=" + id)) == ours);
    CHECK(count(get("/links/count?workspace.id=" + id)) == ours);
    CHECK(count(get("/links/count?workspace=" + id).with("Workspace", id)) == ours);
    CHECK(count(get("/links/count?workspace=").with("Workspace", "")) == theirs);
}

TEST_CASE("two different workspaces in one request are refused", "[transport][threat-16]") {
    ApiWorld world;
    const auto id = world.workspace_id();
    const std::string other = "00000000000000000000000000000001";
    const std::string refusal = "403 InvalidFormat workspace: InvalidFormat workspace";
    CHECK(world.send(get("/links?workspace=" + other).with("Workspace", id)).summary() == refusal);
    CHECK(world.send(get("/links?workspace[id]=" + other).with("Workspace", id)).summary() == refusal);
    CHECK(world.send(get("/links").with("Workspace", other).with("workspace", id)).summary() == refusal);
    CHECK(world.send(get("/links?workspace=" + other).with("Workspace", id).anonymous()).status == 401);
}

TEST_CASE("a workspace that is absent, trashed or not the caller's is not found", "[transport]") {
    ApiWorld world;
    const auto outsider = world.outsider();
    const auto theirs = outsider.account.default_workspace.hex();
    for (const auto& id :
         {std::string("x"), std::string("00000000000000000000000000000001"), theirs, std::string(32, 'F')}) {
        const auto answer = world.send(get("/links").with("Workspace", id));
        CHECK(answer.summary() == "404 NotFound workspace");
        CHECK(answer.at("id") == id);
    }
    world.set_workspace([](Workspace& workspace) { workspace.trashed = true; });
    CHECK(world.send(get("/links")).summary() == "404 NotFound workspace");
}

TEST_CASE("an unknown path is not found, an unknown method says which there are", "[transport]") {
    ApiWorld world;
    for (const auto* path : {"/nothing", "/links/a/b/c", "/links//", "//links", "/Links",
                             "/links/x/favourite/y", "/%2flinks", "/../v1/links"}) {
        INFO(path);
        CHECK(world.send(get(path)).summary() == "404 NotFound endpoint");
        CHECK(world.send(get(path).anonymous()).summary() == "404 NotFound endpoint");
    }
    CHECK(world.send({.target = "/v1x/links"}).summary() == "404 NotFound endpoint");
    CHECK(world.send(get("/nothing?apikey=secret")).at("id") == "/v1/nothing");
    const auto refused = world.send(del("/tags"));
    CHECK(refused.summary() == "405 MethodNotAllowed request");
    CHECK(refused.header("Allow") == "GET, HEAD, POST, OPTIONS");
    CHECK(world.send({.method = http::Method::other, .target = "/v1/links"}).status == 405);
    CHECK(world.send(post("/links/x/favourite")).header("Allow").empty());
    CHECK(world.send(get("/links/x/favourite")).header("Allow") == "POST, OPTIONS");
}

TEST_CASE("one trailing slash is tolerated, and escapes in the path are undone", "[transport]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    CHECK(world.send(get("/links/")).status == 200);
    CHECK(world.send(get("/links/?limit=1")).status == 200);
    CHECK(world.send(get("/links/" + id + "/")).at("id") == id);
    CHECK(world.send(get("/l%69nks/count")).status == 200);
    CHECK(world.send(get("/links/%3" + std::string("0") + id.substr(1))).at("id") == id);
}

TEST_CASE("HEAD is answered as GET", "[transport]") {
    ApiWorld world;
    CHECK(world.send(head("/links")).status == 200);
    CHECK(world.send(head("/links/x")).status == 404);
    CHECK(world.send(head("/openapi.json").anonymous()).status == 200);
}

TEST_CASE("a body that cannot be read changes nothing", "[transport]") {
    ApiWorld world;
    const auto unreadable = [&](const std::string& body) {
        return world.send(post("/links", body)).summary();
    };
    for (const auto* body :
         {"{", "nonsense", "[]", "\"x\"", "null", "{\"destination\":\"https://a.example/\",}",
          "{\"destination\":\"\xff\"}", R"({"title":"\ud800"})"}) {
        INFO(body);
        CHECK(unreadable(body) == "400 InvalidFormat request");
    }
    CHECK(unreadable(std::string(100'000, '[')) == "400 InvalidFormat request");
    CHECK(world.send(post("/links", "{").anonymous()).status == 401);
    CHECK(world.send(get("/links/count")).body == R"({"count":0})");
}

TEST_CASE("a body is JSON or a form, and nothing else", "[transport]") {
    ApiWorld world;
    const std::string body = R"({"destination":"https://example.com/"})";
    const auto sent_as = [&](std::string type, const std::string& text) {
        auto call = post("/links", text);
        call.headers = {{"content-type", std::move(type)}};
        return world.send(call).summary();
    };
    CHECK(sent_as("application/json", body) == "200");
    CHECK(sent_as("application/json; charset=utf-8", body) == "200");
    CHECK(sent_as("APPLICATION/JSON", body) == "200");
    CHECK(sent_as("", body) == "200");
    CHECK(sent_as("application/x-www-form-urlencoded", "destination=https://example.com/") == "200");
    for (const auto* type : {"text/plain", "text/csv", "multipart/form-data; boundary=x", "application/xml",
                             "application/jsonp"})
        CHECK(sent_as(type, "destination=https://example.com/") == "406 NotAcceptable request");
    auto bare = post("/links", body);
    bare.headers.clear();
    CHECK(world.send(bare).status == 200);
}

TEST_CASE("what begins as JSON does is read as JSON, whatever its type says", "[transport]") {
    ApiWorld world;
    const auto sent = [&](Call call, std::string type) {
        call.headers = {{"Content-Type", std::move(type)}};
        return world.send(call);
    };
    const auto id = world.link_id("first");
    for (const auto* type : {"application/x-www-form-urlencoded", "text/plain;charset=UTF-8", "text/csv"}) {
        CAPTURE(type);
        CHECK(sent(post("/links", R"( {"destination":"https://example.com/a"})"), type).at("destination") ==
              "https://example.com/a");
        CHECK(sent(post("/links/" + id, "\xEF\xBB\xBF{\"title\":\"new\"}"), type).at("title") == "new");
        CHECK(sent(put("/links", R"([{"destination":"https://example.com/b"}])"), type).at("0.destination") ==
              "https://example.com/b");
        CHECK(sent(post("/links", "{\"destination\":"), type).summary() == "400 InvalidFormat request");
        CHECK(sent(post("/links", "{\"destination\":").anonymous(), type).status == 401);
    }
    const auto gone =
        sent(del("/links", R"({"links":[")" + id + "\"]}"), "application/x-www-form-urlencoded");
    CHECK(gone.at("count") == "1");
}

TEST_CASE("more query parameters than anybody needs are refused", "[transport]") {
    ApiWorld world;
    std::string query = "?a=1";
    for (int i = 0; i < 1000; ++i)
        query += "&a=1";
    CHECK(world.send(get("/links" + query)).summary() == "400 InvalidFormat request");
    CHECK(world.send(get("/links" + query).anonymous()).status == 401);
}

TEST_CASE("any origin may call from a browser, with a key in a header", "[transport]") {
    ApiWorld world;
    auto preflight = get("/tags").anonymous().with("Origin", "https://app.example");
    preflight.method = http::Method::options;
    preflight.headers.push_back({"Access-Control-Request-Method", "POST"});
    const auto answer = world.send(preflight);
    CHECK(answer.status == 204);
    CHECK(answer.body.empty());
    CHECK(answer.header("Access-Control-Allow-Origin") == "*");
    CHECK(answer.header("Access-Control-Allow-Methods") == "GET, HEAD, POST, OPTIONS");
    CHECK(answer.header("Access-Control-Allow-Headers") ==
          "apikey, workspace, content-type, authorization, idempotency-key, if-match, if-none-match, "
          "last-event-id");
    CHECK(answer.header("Access-Control-Max-Age") == "86400");
    CHECK(answer.header("Access-Control-Allow-Credentials").empty());
    CHECK(answer.header("X-RateLimit-Limit") == "6000");
    CHECK(world.send(get("/links")).header("Access-Control-Expose-Headers") ==
          "X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit, RateLimit-Policy, "
          "Retry-After, "
          "ETag, Idempotent-Replayed, WWW-Authenticate");
    preflight.target = "/v1/nothing";
    CHECK(world.send(preflight).status == 404);
}

TEST_CASE("a fault is told to the log and not to the caller", "[transport]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    REQUIRE(world
                .operate([&](SystemContext& system) {
                    return schema().domains.remove(system.txn, world.installed.domain);
                })
                .has_value());
    const auto answer = world.send(get("/links/" + id));
    CHECK(answer.summary() == "500 InternalError service");
    CHECK(answer.body.find("missing") == std::string::npos);
    REQUIRE(world.faults.size() == 1);
    CHECK(world.faults[0].message.find("domain is missing") != std::string::npos);
}

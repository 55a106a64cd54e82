// API keys as their account makes, limits and revokes them, and its sessions at the dashboard.
#include "core/ops/sign_in.h"
#include "http/api/routes.h"
#include "tests/api/api_world.h"
#include "tests/api/spec_lists.h"
#include "tests/support/must.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>
#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string make_key(ApiWorld& world, std::string_view json) {
    const auto made = world.send(post("/account/keys", json));
    INFO(made.body);
    REQUIRE(made.status == 200);
    return made.at("key");
}

OpenedSession open(World& world, AccountId account, std::string_view agent = "") {
    return must(world.operate(
        [&](SystemContext& system) { return open_session(system, account, SignInWay::address, agent); }));
}

constexpr std::string_view firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

std::string word_of(LimitedKeys keys) {
    return keys == LimitedKeys::links ? "links" : keys == LimitedKeys::all ? "all" : "";
}

// An address that is of the right form, for calls that are refused before anything is looked up.
std::string filled(std::string path) {
    while (path.find('{') != path.npos) {
        const auto begin = path.find('{');
        path.replace(begin, path.find('}') - begin + 1, "0123456789abcdef0123456789abcdef");
    }
    return path;
}

http::Method method_of(const std::string& name) {
    return name == "GET"     ? http::Method::get
           : name == "POST"  ? http::Method::post
           : name == "PUT"   ? http::Method::put
           : name == "PATCH" ? http::Method::patch
                             : http::Method::del;
}

} // namespace

TEST_CASE("a key is shown once when it is made, and works until it is revoked", "[keys][threat-17]") {
    ApiWorld world;
    const auto made = world.send(post("/account/keys", R"({"name":"Newsletter"})"));
    CHECK(made.status == 200);
    CHECK(made.at("name") == "Newsletter");
    const auto key = made.at("key");
    CHECK(key.size() == 64);
    CHECK(made.at("hint") == key.substr(0, 6));
    CHECK(world.send(get("/links/count").as(key)).status == 200);
    const auto listed = world.send(get("/account/keys"));
    CHECK(listed.column("name") == "First key Newsletter");
    CHECK(listed.column("current") == "true false");
    CHECK(listed.body.find(key) == std::string::npos);
    CHECK(world.send(del("/account/keys/" + made.at("id"))).at("name") == "Newsletter");
    CHECK(world.send(get("/links/count").as(key)).status == 401);
    CHECK(world.send(get("/account/keys")).column("name") == "First key");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("keys and sessions of others are not there", "[keys][threat-15]") {
    ApiWorld world;
    const auto other = world.outsider();
    const auto keys = world.send(get("/account/keys").as(other.key));
    CHECK(world.send(del("/account/keys/" + keys.at("0.id"))).summary() == "404 NotFound key");
    CHECK(world.send(del("/account/keys/x")).summary() == "404 NotFound key");
    const auto session = open(world, other.account.id).row.id.hex();
    CHECK(world.send(get("/account/sessions")).body == "[]");
    CHECK(world.send(del("/account/sessions/" + session)).summary() == "404 NotFound session");
    CHECK(world.send(del("/account/sessions/" + session).as(other.key)).status == 200);
    CHECK(world.send(del("/account/sessions/" + session).as(other.key)).summary() == "404 NotFound session");
}

TEST_CASE("sessions are listed with their programs and ended by their ids", "[keys]") {
    ApiWorld world;
    const auto account = world.installed.account.id;
    const auto first = open(world, account);
    world.clock.advance_seconds(60);
    const auto second = open(world, account, firefox);
    const auto listed = world.send(get("/account/sessions"));
    CHECK(listed.column("client") == "Firefox on Linux another program");
    CHECK(listed.column("signedInBy") == "address address");
    CHECK(listed.column("current") == "false false");
    CHECK(listed.at("0.createdAt") == "2027-01-15T08:01:00.000Z");
    CHECK(listed.at("0.expiresAt") == "2027-01-15T20:01:00.000Z");
    CHECK(world.send(del("/account/sessions/" + second.row.id.hex())).body == "{}");
    CHECK(world.service.authenticate_session(second.token).error().code == "SignedOut");
    CHECK(world.service.authenticate_session(first.token).has_value());
}

TEST_CASE("the limits of a key are checked when it is made", "[keys]") {
    ApiWorld world;
    const auto elsewhere = world.outsider();
    const auto strange = elsewhere.account.default_workspace.hex();
    for (const auto& [body, expected] : std::map<std::string, std::string>{
             {R"({})", "200"},
             {fmt::format(R"({{"workspace":"{}"}})", world.workspace_id()), "200"},
             {fmt::format(R"({{"workspace":{{"id":"{}"}}}})", world.workspace_id()), "200"},
             {fmt::format(R"({{"workspace":"{}"}})", strange), "403 InvalidFormat key: NotFound workspace"},
             {R"({"workspace":"x"})", "403 InvalidFormat key: NotFound workspace"},
             {R"({"expiresAt":"2027-01-15T08:00:00Z"})", "403 InvalidFormat key: OutOfRange expiresAt"},
             {R"({"expiresAt":"2027-01-15T08:00:01Z"})", "200"},
             {R"({"name":"a\nb"})", "403 InvalidFormat key: InvalidFormat name"},
             {R"({"readOnly":5})", "403 InvalidFormat key: InvalidFormat readOnly"}}) {
        INFO(body);
        CHECK(world.send(post("/account/keys", body)).summary() == expected);
    }
}

TEST_CASE("an account has 50 keys at most", "[keys]") {
    ApiWorld world;
    for (int i = 1; i < 50; ++i)
        make_key(world, "{}");
    CHECK(world.send(post("/account/keys", "{}")).summary() == "403 LimitReached key");
}

TEST_CASE("a key that has an end is refused from then on, and makes no key that is good for longer",
          "[keys][threat-18]") {
    ApiWorld world;
    const auto key = make_key(world, R"({"expiresAt":"2027-01-15T09:00:00Z"})");
    const auto longer = [&](std::string_view json) {
        return world.send(post("/account/keys", json).as(key)).summary();
    };
    CHECK(longer("{}") == "403 InvalidFormat key: OutOfRange expiresAt");
    CHECK(longer(R"({"expiresAt":"2027-01-15T09:00:01Z"})") == "403 InvalidFormat key: OutOfRange expiresAt");
    CHECK(longer(R"({"expiresAt":"2027-01-15T09:00:00Z"})") == "200");
    world.clock.advance_seconds(3599);
    CHECK(world.send(get("/links").as(key)).status == 200);
    world.clock.advance_seconds(1);
    CHECK(world.send(get("/links").as(key)).status == 401);
}

TEST_CASE("which calls are open to limited keys is as told, for each call there is", "[keys][threat-18]") {
    std::map<std::string, std::string> expected;
    for (const auto& words : spec_lines("limited_keys.txt"))
        expected[words[0] + " " + words[1]] = words[2];
    ApiWorld world;
    const auto links_only = make_key(world, R"({"linksOnly":true})");
    const auto read_only = make_key(world, R"({"readOnly":true})");
    const auto here = make_key(world, fmt::format(R"({{"workspace":"{}"}})", world.workspace_id()));
    for (const auto& words : spec_lines("access.txt")) {
        const auto name = words[0] + " " + words[1];
        const bool anyone = words[2] == "anyone", no_workspace = words[2] == "account";
        const auto word = expected.contains(name) ? expected.at(name) : "";
        INFO(name);
        const auto is_refused = [&](const std::string& key) {
            Call call{.method = method_of(words[0]),
                      .target = "/v1" + filled(words[1]),
                      .body = {},
                      .headers = {},
                      .key = key};
            return world.send(call).summary() == "403 LimitedKey apikey";
        };
        CHECK(is_refused(links_only) == (word.empty() && !anyone));
        CHECK(is_refused(read_only) == (words[3] == "yes"));
        CHECK(is_refused(here) == (no_workspace && word != "all"));
        expected.erase(name);
    }
    CHECK(expected.empty());
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            if (route.operation.document != nullptr)
                CHECK(word_of(route.guard.limited_keys).empty());
}

TEST_CASE("a key for one workspace enters no other, and that one where none is named", "[keys][threat-16]") {
    ApiWorld world;
    const auto second = make_workspace(world, "Second").id.hex();
    const auto key = make_key(world, fmt::format(R"({{"workspace":"{}"}})", second));
    world.link_id("here");
    CHECK(world.send(get("/links/count").as(key)).body == R"({"count":0})");
    CHECK(world.send(get("/workspaces/" + second).as(key)).at("name") == "Second");
    CHECK(world.send(get("/links/count").as(key).with("Workspace", world.workspace_id())).summary() ==
          "404 NotFound workspace");
    CHECK(world.send(get("/workspaces/" + world.workspace_id()).as(key)).summary() ==
          "404 NotFound workspace");
    CHECK(world.send(get("/account/keys")).at("1.workspace.name") == "Second");
}

TEST_CASE("when a key was used last is written down to the hour, by nobody who waits", "[keys]") {
    ApiWorld world;
    const auto last_use = [&] { return world.send(get("/account/keys")).at("0.lastUsedAt"); };
    CHECK(last_use() == "(absent)");
    CHECK(must(world.service.book_uses()));
    CHECK(last_use() == "2027-01-15T08:00:00.000Z");
    world.clock.advance_seconds(3599);
    last_use();
    CHECK_FALSE(must(world.service.book_uses()));
    world.clock.advance_seconds(1);
    last_use();
    CHECK(must(world.service.book_uses()));
    CHECK(last_use() == "2027-01-15T09:00:00.000Z");
}

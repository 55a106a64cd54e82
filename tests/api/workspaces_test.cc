// Workspaces over the API (interface 2.2, 3.2 and 4.5, wire "Workspaces, people").
#include "core/schema/click_totals.h"
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string keys_of(const boost::json::value& value) {
    std::string out;
    for (const auto& [key, item] : value.as_object())
        out += (out.empty() ? "" : " ") + std::string(key);
    return out;
}

// A workspace of the world's account; answers its id.
std::string made(ApiWorld& world, const std::string& json = R"({"name":"abc"})") {
    const auto answer = world.send(post("/workspaces", json));
    INFO(answer.body);
    REQUIRE(answer.status == 200);
    return answer.at("id");
}

std::string with_name(const std::string& name) { return fmt::format(R"({{"name":"{}"}})", name); }
std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

} // namespace

TEST_CASE("a new workspace is answered as it then is", "[workspaces]") {
    ApiWorld world;
    const auto answer = world.send(
        post("/workspaces",
             R"({"name":"Team","type":"gallery","notes":"abc","avatarUrl":"https://example.com/a.png",
            "expiration":{"ttl":3600}})"));
    REQUIRE(answer.status == 200);
    CHECK(keys_of(answer.json) == "id name default type createdAt updatedAt owner role subscription "
                                  "avatarUrl notes timezone revoked links "
                                  "teammates domains clicks sessions expiration");
    CHECK(answer.at("name") == "Team");
    CHECK(answer.at("default") == "false");
    CHECK(answer.at("type") == "gallery");
    CHECK(answer.at("createdAt") == "2027-01-15T08:00:00.000Z");
    CHECK(answer.at("owner.id") == world.installed.account.id.hex());
    CHECK(answer.at("owner.username") == "admin");
    CHECK(answer.at("role") == "owner");
    CHECK(
        answer.at("subscription") ==
        R"({"category":"default","limits":{"domains":{"used":0,"included":2147483647}},"billing":{"extra":{}}})");
    CHECK(answer.at("avatarUrl") == "https://example.com/a.png");
    CHECK(answer.at("notes") == "abc");
    CHECK(answer.at("links") == "0");
    CHECK(answer.at("teammates") == "1");
    CHECK(answer.at("domains") == "0");
    CHECK(answer.at("expiration.ttl") == "3600");
    const auto plain = world.send(post("/workspaces", R"({"name":"abc","type":"","notes":"","avatarUrl":"",
                                                          "expiration":{"ttl":""}})"));
    CHECK(plain.at("type") == "classic");
    CHECK(plain.at("expiration") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a workspace's name has 3 to 255 characters", "[workspaces]") {
    ApiWorld world;
    const auto make = [&](const std::string& name) {
        return world.send(post("/workspaces", with_name(name))).summary();
    };
    CHECK(world.send(post("/workspaces", "{}")).summary() ==
          "403 InvalidFormat workspace: RequiredField name");
    CHECK(make("") == "403 InvalidFormat workspace: RequiredField name");
    CHECK(make("ab") == "403 InvalidFormat workspace: InvalidLength name");
    CHECK(make("abc") == "200");
    CHECK(make("öäü") == "200");
    CHECK(make(repeated("ü", 255)) == "200");
    CHECK(make(repeated("ü", 256)) == "403 InvalidFormat workspace: InvalidLength name");
}

TEST_CASE("a workspace's name stands on one line, its notes may have several", "[workspaces]") {
    ApiWorld world;
    const auto path = "/workspaces/" + made(world);
    for (const auto& each : {std::string("/workspaces"), path})
        CHECK(world.send(post(each, R"({"name":"a\u001b[2J\nb","notes":"a\nb"})")).summary() ==
              "403 InvalidFormat workspace: InvalidFormat name");
    CHECK(world.send(post(path, R"({"notes":"a\nb"})")).at("notes") == "a\nb");
}

TEST_CASE("a workspace's notes have 3 to 2000 characters", "[workspaces]") {
    ApiWorld world;
    const auto id = made(world);
    for (const auto& path : {std::string("/workspaces"), "/workspaces/" + id}) {
        const auto with = [&](const std::string& notes) {
            return world.send(post(path, fmt::format(R"({{"name":"abc","notes":"{}"}})", notes))).summary();
        };
        CHECK(with("ab") == "403 InvalidFormat workspace: InvalidLength notes");
        CHECK(with("abc") == "200");
        CHECK(with(repeated("é", 2000)) == "200");
        CHECK(with(repeated("é", 2001)) == "403 InvalidFormat workspace: InvalidLength notes");
    }
}

TEST_CASE("a workspace's time to live is one that a link may have", "[workspaces]") {
    ApiWorld world;
    const auto with = [&](std::string_view ttl) {
        return world
            .send(post("/workspaces", fmt::format(R"({{"name":"abc","expiration":{{"ttl":{}}}}})", ttl)))
            .summary();
    };
    CHECK(with("59") == "403 InvalidFormat workspace: OutOfRange expiration.ttl");
    CHECK(with("60") == "200");
    CHECK(with("3162240000") == "200");
    CHECK(with("3162240001") == "403 InvalidFormat workspace: OutOfRange expiration.ttl");
    CHECK(with("\"soon\"") == "403 InvalidFormat workspace: InvalidFormat expiration.ttl");
}

TEST_CASE("all broken fields of a workspace are told at once", "[workspaces]") {
    ApiWorld world;
    CHECK(world
              .send(post("/workspaces", R"({"name":"a","type":"big","notes":"b","avatarUrl":"javascript:1",
                                            "expiration":{"ttl":1}})"))
              .summary() ==
          "403 InvalidFormat workspace: InvalidLength name, InvalidFormat type, InvalidLength "
          "notes, OutOfRange expiration.ttl, InvalidFormat avatarUrl");
}

TEST_CASE("an extended workspace needs its feature, before anything else is looked at", "[workspaces]") {
    ApiWorld world;
    set_plan(world, {.features = Change<std::vector<std::string>>::set({})});
    CHECK(world.send(post("/workspaces", R"({"type":"extended"})")).summary() ==
          "403 FeatureNotIncluded links.extended");
    CHECK(world.send(post("/workspaces", R"({"expiration":{"ttl":60}})")).summary() ==
          "403 FeatureNotIncluded links.expiration");
    CHECK(world.send(post("/workspaces", R"({"name":"abc"})")).status == 200);
}

TEST_CASE("workspaces beyond the plan's limit are refused", "[workspaces]") {
    ApiWorld world;
    set_plan(world, {.workspaces = Change<std::int64_t>::set(2)});
    made(world);
    CHECK(world.send(post("/workspaces", R"({"name":"abc"})")).summary() == "403 LimitReached workspace");
    const auto account = world.send(get("/account"));
    CHECK(account.at("subscription.limits.workspaces") == R"({"used":2,"included":2,"max":2,"blocked":0})");
}

TEST_CASE("workspaces are listed newest first, 25 at a time, with the shared parameters", "[workspaces]") {
    ApiWorld world;
    for (int i = 0; i < 30; ++i) {
        world.clock.advance_seconds(1);
        made(world, with_name(fmt::format("w{:02}", i)));
    }
    const auto first = world.send(get("/workspaces"));
    REQUIRE(first.json.as_array().size() == 25);
    CHECK(first.at("0.name") == "w29");
    const auto second = world.send(get("/workspaces?last=" + first.at("24.id")));
    CHECK(second.column("name") == "w04 w03 w02 w01 w00 Main workspace");
    CHECK(world.send(get("/workspaces?offset=25")).body == second.body);
    CHECK(world.send(get("/workspaces?last=" + second.at("5.id"))).body == "[]");
    CHECK(world.send(get("/workspaces?orderBy=name&orderDir=asc&limit=2")).column("name") ==
          "Main workspace w00");
    CHECK(world.send(get("/workspaces?limit=1000")).json.as_array().size() == 31);
    CHECK(world.send(get("/workspaces?term=W0&limit=3")).column("name") == "w09 w08 w07");
    CHECK(world.send(get("/account/workspaces?limit=2")).column("name") == "w29 w28");
    CHECK(world.send(get("/workspaces?limit=0")).summary() ==
          "403 InvalidFormat workspace: OutOfRange limit");
    CHECK(world.send(get("/workspaces?orderBy=clicks&last=x&offset=10001")).summary() ==
          "403 InvalidFormat workspace: OutOfRange offset, InvalidFormat orderBy, InvalidFormat last");
}

TEST_CASE("workspaces are counted with the filters of their list", "[workspaces]") {
    ApiWorld world;
    made(world, R"({"name":"one","type":"extended"})");
    const auto two = made(world, R"({"name":"two","type":"gallery"})");
    set_state(world, *WorkspaceId::parse(two), {.revoked = Change<bool>::set(true)});
    const auto count = [&](std::string_view query) {
        return world.send(get(fmt::format("/workspaces/count{}", query))).at("count");
    };
    CHECK(count("") == "3");
    CHECK(count("?type=&term=&revoked=") == "3");
    CHECK(count("?type=extended") == "1");
    CHECK(count("?type=classic") == "1");
    CHECK(count("?revoked=true") == "1");
    CHECK(count("?revoked=false") == "2");
    CHECK(count("?term=O") == "3"); // one, two, Main workspace
    CHECK(count("?term=TW") == "1");
    CHECK(world.send(get("/workspaces/count?type=huge")).summary() ==
          "403 InvalidFormat workspace: InvalidFormat type");
}

TEST_CASE("a list shows the caller's role as owner, manager or guest", "[workspaces]") {
    ApiWorld world;
    for (const auto& [role, shown] : {std::pair{Role::admin, "manager"},
                                      {Role::user, "guest"},
                                      {Role::guest, "guest"},
                                      {Role::viewer, "guest"}}) {
        const auto key = world.colleague(role).key;
        const auto seen = world.send(get("/workspaces/" + world.workspace_id()).as(key));
        CHECK(seen.at("role") == shown);
        CHECK(seen.at("default") == "false"); // it is its owner's
        CHECK(world.send(get("/workspaces").as(key)).column("role") == fmt::format("owner {}", shown));
    }
    CHECK(world.send(get("/workspaces")).at("0.teammates") == "5");
}

TEST_CASE("one workspace comes with its statistics", "[workspaces]") {
    ApiWorld world;
    const auto link = LinkId::parse(world.link_id("a"));
    world.link_id("b");
    const auto workspace = world.installed.account.default_workspace;
    const auto today = day_of(world.clock.now());
    must(world.operate([&](SystemContext& system) -> Result<void> { // as folding clicks leaves it
        TRY(system.txn.add(workspace_clicks_tally(workspace), 11));
        TRY(system.txn.add(link_clicks_tally(workspace, *link), 11));
        for (const auto& [day, clicks] : {std::pair{today, 1}, {today - 29, 2}, {today - 30, 8}})
            TRY(system.txn.add(workspace_day_tally(workspace, day), clicks));
        return system.txn.put(space::last_clicks, last_click_key(workspace, LinkId()),
                              last_click_value({1'800'000'000'000}));
    }));
    const auto seen = world.send(get("/workspaces/" + world.workspace_id()));
    REQUIRE(seen.status == 200);
    CHECK(seen.at("clicks") == "11");
    CHECK(seen.at("links") == "2");
    CHECK(seen.at("lastClickAt") == "2027-01-15T08:00:00.000Z");
    CHECK(seen.at("statistics") == R"({"clicks":11,"sessions":0,"links":2,"today":{"clicks":1,"sessions":0},)"
                                   R"("last30days":{"clicks":3,"sessions":0}})");
    CHECK(world.send(get("/workspaces")).at("0.clicks") == "11");
    CHECK(world.send(get("/workspaces")).at("0.statistics") == "(absent)");
    CHECK(world.send(get("/account")).at("clicks") == "11");
    CHECK(world.send(get("/account")).at("subscription.limits.cycle.clicks.used") == "1"); // since the first
}

TEST_CASE("a workspace that is not the caller's is not found, with any method", "[workspaces]") {
    ApiWorld world;
    const auto outsider = world.outsider();
    const auto path = "/workspaces/" + world.workspace_id();
    for (const auto& other : {path, std::string("/workspaces/nope"), "/workspaces/" + WorkspaceId().hex()}) {
        const auto id = other.substr(other.rfind('/') + 1);
        for (auto call : {get(other), post(other, "{}"), del(other), del(other + "/ttl"),
                          get(other + "/features"), get(other + "/conversion-tracking")}) {
            const auto answer = world.send(std::move(call).as(outsider.key));
            CHECK(answer.summary() == "404 NotFound workspace");
            CHECK(answer.at("id") == id);
        }
    }
}

TEST_CASE("the path names the workspace, whatever the header says", "[workspaces][threat-16]") {
    ApiWorld world;
    const auto id = made(world);
    CHECK(world.send(get("/workspaces/" + id).with("Workspace", "nope")).at("id") == id);
    CHECK(world.send(get("/workspaces?workspace=nope").with("Workspace", "other")).status == 200);
    CHECK(world.send(get("/links?workspace=nope").with("Workspace", "other")).status == 403);
}

TEST_CASE("a workspace is changed by its owner alone, others are told it is not there", "[workspaces]") {
    ApiWorld world;
    const auto path = "/workspaces/" + world.workspace_id();
    const auto change = post(path, R"({"name":"New name"})");
    for (const auto role : {Role::admin, Role::user, Role::guest, Role::viewer})
        CHECK(world.send(Call(change).as(world.colleague(role).key)).summary() == "404 NotFound workspace");
    CHECK(world.send(change).at("name") == "New name");
    CHECK(world.send(get(path)).at("name") == "New name");
}

TEST_CASE("in a change of a workspace an empty string leaves a field and null takes it away",
          "[workspaces]") {
    ApiWorld world;
    const auto id = made(world, R"({"name":"abc","notes":"def","avatarUrl":"https://example.com/a",
                                    "expiration":{"ttl":60}})");
    const auto path = "/workspaces/" + id;
    const auto before = world.send(get(path)).body;
    CHECK(world.send(post(path, R"({"name":"","notes":"","avatarUrl":"","expiration":{"ttl":""}})")).status ==
          200);
    CHECK(world.send(get(path)).body == before);
    CHECK(world.send(post(path, before)).status == 200); // a client may post the whole thing back
    CHECK(world.send(get(path)).body == before);
    const auto bare = world.send(
        post(path, R"({"name":null,"notes":null,"avatarUrl":null,"expiration":{"ttl":null},"type":"gallery",
                       "revoked":true,"default":true,"owner":{"id":"x"}})"));
    REQUIRE(bare.status == 200);
    CHECK(bare.at("name") == "abc");
    CHECK(bare.at("notes").empty());
    CHECK(bare.at("avatarUrl").empty());
    CHECK(bare.at("expiration") == "(absent)");
    CHECK(bare.at("type") == "classic"); // fixed for ever
    CHECK(bare.at("revoked") == "false");
    CHECK(bare.at("default") == "false");
}

TEST_CASE("a revoked workspace takes no change and keeps its time to live", "[workspaces]") {
    ApiWorld world;
    const auto id = made(world, R"({"name":"abc","expiration":{"ttl":60}})");
    set_state(world, *WorkspaceId::parse(id), {.revoked = Change<bool>::set(true)});
    CHECK(world.send(post("/workspaces/" + id, "{}")).summary() == "403 RevokedWorkspace workspace");
    CHECK(world.send(del("/workspaces/" + id + "/ttl")).summary() == "403 RevokedWorkspace workspace");
    CHECK(world.send(get("/workspaces/" + id)).at("revoked") == "true");
    set_state(world, *WorkspaceId::parse(id), {.revoked = Change<bool>::set(false)});
    CHECK(world.send(del("/workspaces/" + id + "/ttl")).body == "{}");
    CHECK(world.send(get("/workspaces/" + id)).at("expiration") == "(absent)");
    CHECK(world.send(del("/workspaces/" + id + "/ttl")).body == "{}");
}

TEST_CASE("the owner deletes or trashes a workspace, everybody else leaves it", "[workspaces]") {
    ApiWorld world;
    const auto main = "/workspaces/" + world.workspace_id();
    CHECK(world.send(del(main)).summary() == "403 CouldNotDeleteDefaultWorkspace workspace");
    CHECK(world.send(del(main + "?trash=true")).summary() == "403 CouldNotDeleteDefaultWorkspace workspace");
    for (const auto role : {Role::admin, Role::user, Role::guest, Role::viewer}) {
        const auto key = world.colleague(role).key;
        CHECK(world.send(del(main + "?trash=true").as(key)).body == "{}");
        CHECK(world.send(get(main).as(key)).summary() == "404 NotFound workspace");
    }
    CHECK(world.send(get(main)).status == 200);

    const auto trashed = "/workspaces/" + made(world), deleted = "/workspaces/" + made(world);
    CHECK(world.send(del(trashed + "?trash=maybe")).summary() ==
          "403 InvalidFormat workspace: InvalidFormat trash");
    CHECK(world.send(del(trashed + "?trash=true")).body == "{}");
    CHECK(world.send(del(deleted + "?trash=")).body == "{}");
    for (const auto& path : {trashed, deleted}) {
        CHECK(world.send(get(path)).summary() == "404 NotFound workspace");
        CHECK(world.send(del(path)).summary() == "404 NotFound workspace");
        CHECK(world.send(get("/links").with("Workspace", path.substr(path.rfind('/') + 1))).status == 404);
    }
    CHECK(world.send(get("/workspaces")).column("name") == "Main workspace");
    run_all_jobs(world);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an extended workspace with links cannot be deleted", "[workspaces]") {
    ApiWorld world;
    const auto id = made(world, R"({"name":"abc"})");
    const auto domain = world.installed.domain.id.hex();
    REQUIRE(world.send(post(fmt::format("/workspaces/{}/domains/{}", id, domain))).status == 200);
    REQUIRE(world
                .send(post("/links",
                           fmt::format(R"({{"destination":"https://example.com/","domainId":"{}"}})", domain))
                          .with("Workspace", id))
                .status == 200);
    must(world.operate([&](SystemContext& system) -> Result<void> {
        const auto was = TRY(find_any_workspace(system.txn, id));
        auto now = was;
        now.type = WorkspaceType::extended;
        return schema().workspaces.update(system.txn, was, now);
    }));
    CHECK(world.send(del("/workspaces/" + id)).summary() == "403 CouldNotDeleteExtendedWorkspace workspace");
    CHECK(world.send(del("/workspaces/" + id + "?trash=true")).status == 200);
}

TEST_CASE("the time to live is removed by an admin or the owner", "[workspaces]") {
    ApiWorld world;
    const auto path = "/workspaces/" + world.workspace_id() + "/ttl";
    CHECK(world.send(del(path).as(world.colleague(Role::user).key)).summary() == "403 Forbidden workspace");
    CHECK(world.send(del(path).as(world.colleague(Role::admin).key)).body == "{}");
    CHECK(world.send(del(path)).body == "{}");
}

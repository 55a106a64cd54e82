// Conversion tracking of a workspace (interface 3.5, 4.5 and 8), and the list of its owner's features.
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string path_of(const ApiWorld& world) {
    return "/workspaces/" + world.workspace_id() + "/conversion-tracking";
}

} // namespace

TEST_CASE("a workspace that was never configured tracks no conversions", "[conversion]") {
    ApiWorld world;
    CHECK(world.send(get(path_of(world))).body == R"({"enabled":false,"attributionWindow":null})");
    CHECK(world.send(post(path_of(world), R"({"enabled":false})")).body ==
          R"({"enabled":false,"attributionWindow":null})");
}

TEST_CASE("enabling sets the window given, or 30 days; disabling keeps it", "[conversion]") {
    ApiWorld world;
    const auto set = [&](std::string_view body) {
        const auto answer = world.send(post(path_of(world), body)).body;
        CHECK(world.send(get(path_of(world))).body == answer);
        return answer;
    };
    CHECK(set(R"({"enabled":true})") == R"({"enabled":true,"attributionWindow":30})");
    CHECK(set(R"({"enabled":true,"attributionWindow":90})") == R"({"enabled":true,"attributionWindow":90})");
    CHECK(set(R"({"enabled":false})") == R"({"enabled":false,"attributionWindow":90})");
    CHECK(set(R"({"enabled":false,"attributionWindow":1})") == R"({"enabled":false,"attributionWindow":1})");
    CHECK(set(R"({"enabled":true,"attributionWindow":null})") ==
          R"({"enabled":true,"attributionWindow":30})");
}

TEST_CASE("an attribution window has 1 to 90 days", "[conversion]") {
    ApiWorld world;
    const auto set = [&](std::string_view days) {
        return world
            .send(post(path_of(world), fmt::format(R"({{"enabled":true,"attributionWindow":{}}})", days)))
            .summary();
    };
    CHECK(set("0") == "403 InvalidFormat workspace: OutOfRange attributionWindow");
    CHECK(set("1") == "200");
    CHECK(set("90") == "200");
    CHECK(set("91") == "403 InvalidFormat workspace: OutOfRange attributionWindow");
    CHECK(set("1.5") == "403 InvalidFormat workspace: InvalidFormat attributionWindow");
    CHECK(world.send(post(path_of(world), R"({"attributionWindow":30})")).summary() ==
          "403 InvalidFormat workspace: RequiredField enabled");
    CHECK(world.send(post(path_of(world), R"({"enabled":"yes"})")).summary() ==
          "403 InvalidFormat workspace: InvalidFormat enabled");
}

TEST_CASE("the parameter that carries click ids is the installation's until the workspace names one",
          "[conversion]") {
    ApiWorld world;
    const auto set = [&](const std::string& more) {
        const auto answer = world.send(post(path_of(world), R"({"enabled":true)" + more + "}")).body;
        CHECK(world.send(get(path_of(world))).body == answer);
        return answer;
    };
    const std::string plain = R"({"enabled":true,"attributionWindow":30})",
                      named = R"({"enabled":true,"attributionWindow":30,"parameter":"cid"})";
    CHECK(set("") == plain);
    CHECK(set(R"(,"parameter":"cid")") == named);
    CHECK(set("") == named);
    CHECK(set(R"(,"parameter":"")") == named);
    CHECK(set(R"(,"parameter":null)") == plain);
    for (const auto* name :
         {"a b", "a=b", "a&b", "%61", "\u00fc", "a\\r\\nb", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"})
        CHECK(world.send(post(path_of(world), fmt::format(R"({{"enabled":true,"parameter":"{}"}})", name)))
                  .summary() == "403 InvalidFormat workspace: PatternMismatch parameter");
    CHECK(world.send(get(path_of(world))).body == plain);
}

TEST_CASE("the redirect path is told whose visitors carry click ids", "[conversion]") {
    ApiWorld world;
    world.send(post(path_of(world), R"({"enabled":true})"));
    REQUIRE(world.listener.seen.back().workspaces.size() == 1);
    CHECK(world.listener.seen.back().workspaces[0].hex() == world.workspace_id());
}

TEST_CASE("conversion tracking is the owner's and the admins' matter, for others it is not there",
          "[conversion]") {
    ApiWorld world;
    const auto path = path_of(world);
    for (const auto role : {Role::user, Role::guest, Role::viewer}) {
        const auto key = world.colleague(role).key;
        CHECK(world.send(get(path).as(key)).summary() == "404 NotFound workspace");
        CHECK(world.send(post(path, R"({"enabled":true})").as(key)).summary() == "404 NotFound workspace");
    }
    CHECK(world.send(post(path, R"({"enabled":true})").as(world.colleague(Role::admin).key)).status == 200);
}

TEST_CASE("conversion tracking needs its feature, which comes before the body and after the role",
          "[conversion]") {
    ApiWorld world;
    set_plan(world, {.features = Change<std::vector<std::string>>::set({"links.tags"})});
    const auto path = path_of(world);
    CHECK(world.send(get(path)).summary() == "403 FeatureNotIncluded extra.conversion_tracking");
    CHECK(world.send(post(path, "{}")).summary() == "403 FeatureNotIncluded extra.conversion_tracking");
    CHECK(world.send(get(path).as(world.colleague(Role::user).key)).summary() == "404 NotFound workspace");
}

TEST_CASE("a workspace lists the features of its owner, revoked ones too", "[features]") {
    ApiWorld world;
    set_plan(world, {.features = Change<std::vector<std::string>>::set({"links.tags", "links.bulk"})});
    must(world.operate([&](SystemContext& system) -> Result<Account> {
        return change_account_plan(
            system, TRY(find_account(system.txn, "admin")),
            {.revoked_features = Change<std::vector<std::string>>::set({"links.tags"})});
    }));
    const auto path = "/workspaces/" + world.workspace_id() + "/features";
    const auto viewer = world.colleague(Role::viewer).key; // the owner's features, not the caller's
    CHECK(world.send(get(path).as(viewer)).body ==
          R"([{"id":"links.bulk","name":"Many links in one call","active":true,"revoked":false},)"
          R"({"id":"links.tags","name":"Tags on links","active":false,"revoked":true}])");
    CHECK(world.send(get(path + "?revoked=true")).column("id") == "links.tags");
    CHECK(world.send(get(path + "?revoked=false")).column("id") == "links.bulk");
    CHECK(world.send(get(path + "?revoked=")).column("id") == "links.bulk links.tags");
    CHECK(world.send(get(path + "?revoked=2")).summary() ==
          "403 InvalidFormat workspace: InvalidFormat revoked");
}

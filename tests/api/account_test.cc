// The caller's account (wire "Workspaces, people"), and request rates by plan (wire "Rate limits").
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("an account says who it is and what its plan includes", "[account]") {
    ApiWorld world;
    world.link_id("a");
    const auto answer = world.send(get("/account"));
    REQUIRE(answer.status == 200);
    CHECK(answer.at("id") == world.installed.account.id.hex());
    CHECK(answer.at("username") == "admin");
    CHECK(answer.at("email").empty());
    CHECK(answer.at("fullName") == "Administrator");
    CHECK(answer.at("avatarUrl").empty());
    CHECK(answer.at("createdAt") == "2027-01-15T08:00:00.000Z");
    CHECK(answer.at("clicks") == "0");
    CHECK(answer.at("sessions") == "0");
    const auto subscription = answer.json.at("subscription").as_object();
    CHECK(subscription.at("category") == "default");
    CHECK(subscription.at("createdAt") == "2027-01-15T08:00:00.000Z");
    for (const auto* limit : {"links", "workspaces", "domains", "teammates", "tags", "scripts"}) {
        const auto& use = subscription.at("limits").at(limit);
        CHECK(use.at("included") == 2'147'483'647);
        CHECK(use.at("max") == 2'147'483'647);
    }
    CHECK(subscription.at("limits").at("links").at("used") == 1);
    CHECK(subscription.at("limits").at("workspaces").at("used") == 1);
    CHECK(answer.at("myCname").empty());
    CHECK(subscription.at("due") == 0);
    CHECK(answer.at("subscription.limits.cycle.clicks") ==
          R"({"used":0,"included":2147483647,"max":2147483647,"blocked":0})");
    CHECK(
        boost::json::serialize(subscription.at("features")) ==
        R"({"links.notes":true,"links.expiration":true,"links.bulk":true,"links.extended":true,)"
        R"("links.opengraph":true,"links.rules":true,"links.tags":true,"links.scripts":true,)"
        R"("links.scripts.shared":true,"extra.conversion_tracking":true,)"
        R"("links":{"notes":true,"expiration":true,"bulk":true,"extended":true,"opengraph":true,"rules":true,)"
        R"("tags":true,"scripts":true,"scripts.shared":true},"extra":{"conversion_tracking":true}})");
}

TEST_CASE("a plan's limits and features show in the account", "[account]") {
    ApiWorld world;
    world.clock.advance_seconds(60);
    set_plan(world, {.category = Change<std::string>::set("Basic"),
                     .features = Change<std::vector<std::string>>::set({"links.tags"}),
                     .links = Change<std::int64_t>::set(1)});
    world.link_id("a");
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/"})")).summary() ==
          "403 LimitReached link");
    const auto answer = world.send(get("/account"));
    CHECK(answer.at("subscription.category") == "Basic");
    CHECK(answer.at("subscription.createdAt") == "2027-01-15T08:01:00.000Z");
    CHECK(answer.at("subscription.limits.links") == R"({"used":1,"included":1,"max":1,"blocked":0})");
    const auto features = answer.json.at("subscription").at("features").as_object();
    CHECK(features.at("links.tags") == true);
    CHECK(features.at("links.bulk") == false);
    CHECK(answer.at("subscription.features.links.tags") == "true");
    CHECK(answer.at("subscription.features.links.bulk") == "false");
    CHECK(world.send(get("/workspaces")).at("0.subscription.category") == "Basic");
}

TEST_CASE("an account can be read while its default workspace is trashed", "[account]") {
    ApiWorld world;
    set_state(world, world.installed.account.default_workspace, {.trashed = Change<bool>::set(true)});
    CHECK(world.send(get("/links")).summary() == "404 NotFound workspace");
    CHECK(world.send(get("/account")).status == 200);
    CHECK(world.send(get("/workspaces")).body == "[]");
    CHECK(world.send(get("/account")).at("subscription.limits.workspaces.used") == "0");
}

TEST_CASE("requests are limited as the plan of the key's account says", "[rate]") {
    ApiWorld world({.requests = 100, .period_seconds = 60});
    const auto colleague = world.colleague(Role::viewer);
    set_plan(world, {.rate_requests = Change<std::uint32_t>::set(2),
                     .rate_period_seconds = Change<std::uint32_t>::set(10)});
    const auto first = world.send(get("/account"));
    CHECK(first.header("X-RateLimit-Limit") == "2");
    CHECK(first.header("X-RateLimit-Remaining") == "1");
    CHECK(first.header("X-RateLimit-Reset") == "1800000010");
    CHECK(world.send(get("/nothing")).status == 404); // counts for no key
    CHECK(world.send(get("/links/nope")).header("X-RateLimit-Remaining") == "0");
    const auto limited = world.send(get("/account"));
    CHECK(limited.summary() == "429 TooManyRequests request");
    CHECK(limited.header("X-RateLimit-Remaining") == "0");
    CHECK(limited.header("Retry-After") == "10");
    // Another account in the same workspace has its own plan.
    CHECK(world.send(get("/links").with("Workspace", world.workspace_id()).as(colleague.key))
              .header("X-RateLimit-Limit") == "100");
    world.clock.advance_seconds(10);
    CHECK(world.send(get("/account")).header("X-RateLimit-Remaining") == "1");
}

TEST_CASE("a plan may take the limit of requests away", "[rate]") {
    ApiWorld world({.requests = 1, .period_seconds = 60});
    set_plan(world, {.rate_requests = Change<std::uint32_t>::set(0)});
    for (int i = 0; i < 3; ++i)
        CHECK(world.send(get("/account")).header("X-RateLimit-Limit") == "2147483647");
}

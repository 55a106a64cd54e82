// The domains of a workspace over the wire (interface 4.5, wire "Domains").
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

struct Shared : ApiWorld {
    std::string main = workspace_id();
    std::string second = make_workspace(*this, "second").id.hex();
    std::string extended = make_workspace(*this, "extended", WorkspaceType::extended).id.hex();
    std::string service = installed.domain.id.hex();
    std::string own;

    Shared() {
        clock.advance_seconds(1);
        const auto made = send(post("/domains", R"({"fullName":"mine.example"})"));
        own = made.at("id");
        txt_records[made.at("verification.name")] = {made.at("verification.value")};
        REQUIRE(send(post("/domains/" + own + "/verify")).status == 200);
    }
    static std::string at(const std::string& workspace, const std::string& rest = {}) {
        return fmt::format("/workspaces/{}/domains{}", workspace, rest);
    }
    std::string names(const std::string& path) { return send(get(path)).column("fullName"); }
};

} // namespace

TEST_CASE("a workspace lists and counts its domains by type and status", "[domains]") {
    Shared world;
    const auto main = Shared::at(world.main);
    CHECK(world.names(main) == "mine.example go.example.com");
    CHECK(world.names(main + "?type=system") == "go.example.com");
    CHECK(world.names(main + "?type=user") == "mine.example");
    CHECK(world.names(main + "?status=active&limit=1") == "mine.example");
    CHECK(world.names(main + "?status=pending").empty());
    CHECK(world.names(main + "?last=" + world.own) == "go.example.com");
    CHECK(world.names(main + "?orderBy=fullName&orderDir=asc&term=EXAMPLE") == "go.example.com mine.example");
    CHECK(world.names(Shared::at(world.second)) == "go.example.com");
    CHECK(world.send(get(main + "/count")).at("count") == "2");
    CHECK(world.send(get(main + "/count?type=system&status=active")).at("count") == "1");
    CHECK(world.send(get(main + "/count?status=revoked")).at("count") == "0");
    CHECK(world.send(get(main + "?type=service&status=x")).summary() ==
          "403 InvalidFormat domain: InvalidFormat type, InvalidFormat status");
    CHECK(world.send(get(main + "/" + world.service)).at("type") == "system");
    CHECK(world.send(get(main + "/" + world.own)).at("type") == "user");
    CHECK(world.send(get(Shared::at(world.second, "/" + world.own))).summary() == "404 NotFound domain");
}

TEST_CASE("a domain is shared with a workspace and taken away again", "[domains]") {
    Shared world;
    const auto there = Shared::at(world.second, "/" + world.own);
    const auto link = [&] {
        return world
            .send(post("/links",
                       fmt::format(R"({{"destination":"https://example.com/","domainId":"{}"}})", world.own))
                      .with("Workspace", world.second))
            .summary();
    };
    CHECK(world.send(del(there)).summary() == "404 NotFound domain");
    CHECK(world.send(post(there)).at("id") == world.own);
    CHECK(world.send(post(there, "{}")).status == 200);
    CHECK(link() == "200");
    CHECK(world.send(get("/workspaces/" + world.second)).at("domains") == "2");
    CHECK(world.send(del(there)).body == "{}");
    CHECK(link() == "404 NotFound domain");
    CHECK(world.send(get("/links").with("Workspace", world.second)).at("0.domainName") == "mine.example");
    CHECK(world.send(get("/workspaces/" + world.second)).at("domains") == "1");
    CHECK(world.send(del("/domains/" + world.own)).summary() == "403 Conflict domain"); // its link is there
    CHECK(world.send(post(Shared::at(world.second, "/x"))).summary() == "404 NotFound domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("system domains cannot be added to extended workspaces", "[domains]") {
    Shared world;
    CHECK(world.send(post(Shared::at(world.extended, "/" + world.service))).summary() ==
          "403 WrongWorkspaceType workspace");
    CHECK(world.send(post("/domains/" + world.service).with("Workspace", world.extended)).summary() ==
          "403 WrongWorkspaceType workspace");
    CHECK(world.send(post(Shared::at(world.extended, "/" + world.own))).summary() == "200");
    CHECK(world.names(Shared::at(world.extended)) == "mine.example");
    REQUIRE(world.send(del(Shared::at(world.second, "/" + world.service))).status == 200);
    CHECK(world.names(Shared::at(world.second)).empty());
    CHECK(world.send(post(Shared::at(world.second, "/" + world.service))).at("type") == "system");
}

TEST_CASE("a revoked domain cannot be shared, but taken away", "[domains]") {
    Shared world;
    REQUIRE(world.send(post(Shared::at(world.second, "/" + world.own))).status == 200);
    world.set_domain({.id = *DomainId::parse(world.own)}, {.revoked = Change<bool>::set(true)});
    CHECK(world.send(post(Shared::at(world.extended, "/" + world.own))).summary() ==
          "403 RevokedDomain domain");
    CHECK(world.names(Shared::at(world.second, "?status=revoked")) == "mine.example");
    CHECK(world.send(del(Shared::at(world.second, "/" + world.own))).summary() == "200");
    CHECK(world.send(del("/domains/" + world.own)).summary() == "403 RevokedDomain domain");
}

TEST_CASE("a workspace's domains are its members' business, their sharing its admins'", "[domains]") {
    Shared world;
    const auto user = world.colleague(Role::user), admin = world.colleague(Role::admin);
    const auto outsider = world.outsider();
    const auto main = Shared::at(world.main), one = main + "/" + world.own;
    CHECK(world.send(get(main).as(outsider.key)).summary() == "404 NotFound workspace");
    CHECK(world.send(post(one).as(outsider.key)).summary() == "404 NotFound workspace");
    CHECK(world.send(get(main).as(user.key)).column("fullName") == "mine.example go.example.com");
    CHECK(world.send(post(one).as(user.key)).summary() == "403 Forbidden workspace");
    CHECK(world.send(del(one).as(user.key)).summary() == "403 Forbidden workspace");
    CHECK(world.send(post(one).as(admin.key)).summary() == "200");
    CHECK(world.send(del(one).as(admin.key)).summary() == "200");
    CHECK(world.send(post(one).as(admin.key)).summary() == "200"); // who gave it back may share it again
    CHECK(world.send(post(one)).summary() == "200");
    // A domain of one's own does not become another's by being shared with them.
    CHECK(world.send(post(Shared::at(world.main, "/" + world.own)).with("Workspace", world.second)).status ==
          200);
}

TEST_CASE("the account's numbers of domains are those of the plan", "[domains]") {
    Shared world;
    CHECK(world.send(get("/account")).at("subscription.limits.domains.used") == "1");
    CHECK(world.send(get("/workspaces")).at("0.subscription.limits.domains.used") == "1");
    set_plan(world, {.domains = Change<std::int64_t>::set(1)});
    CHECK(world.send(post("/domains", R"({"fullName":"more.example"})")).summary() ==
          "403 LimitReached domain");
    REQUIRE(world.send(del("/domains/" + world.own)).status == 200);
    CHECK(world.send(get("/account")).at("subscription.limits.domains.used") == "0");
    CHECK(world.send(post("/domains", R"({"fullName":"more.example"})")).summary() == "200");
    CHECK(world.send(get("/account")).at("subscription.limits.domains") ==
          R"({"used":1,"included":1,"max":1,"blocked":0})");
}

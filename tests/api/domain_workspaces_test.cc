// Whoever a domain belongs to sees who has anything on it, and takes it away, over the wire.
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A domain of the caller's, shared with a workspace of somebody else that the caller works in.
struct Lent : ApiWorld {
    Colleague tenant = outsider();
    std::string there = tenant.account.default_workspace.hex();
    std::string domain;

    Lent() {
        const auto made = send(post("/domains", R"({"fullName":"mine.example"})"));
        domain = made.at("id");
        txt_records[made.at("verification.name")] = {made.at("verification.value")};
        REQUIRE(send(post("/domains/" + domain + "/verify")).status == 200);
        add_member(*this, tenant.account.default_workspace, installed.account.id, Role::admin);
        clock.advance_seconds(1);
        REQUIRE(send(post(fmt::format("/workspaces/{}/domains/{}", there, domain))).status == 200);
    }
    std::string by_tenant(std::string_view slashtag) {
        const auto made = send(post("/links", fmt::format(R"({{"destination":"https://example.com/",)"
                                                          R"("slashtag":"{}","domainId":"{}"}})",
                                                          slashtag, domain))
                                   .as(tenant.key));
        REQUIRE(made.status == 200);
        return made.at("id");
    }
    [[nodiscard]] std::string path(const std::string& more = {}) const {
        return fmt::format("/domains/{}/workspaces{}", domain, more);
    }
};

} // namespace

TEST_CASE("the workspaces of a domain are answered with their owners and links, named where one works",
          "[domains]") {
    Lent world;
    world.by_tenant("a");
    const auto list = world.send(get(world.path()));
    CHECK(list.column("id") == world.there + " " + world.workspace_id());
    const auto first =
        R"({"id":")" + world.there + R"(","name":")" + list.at("0.name") + R"(","owner":{"id":")" +
        world.tenant.account.id.hex() +
        R"(","fullName":"person1"},"shared":true,"createdAt":"2027-01-15T08:00:01.000Z","links":1})";
    CHECK(list.at("0") == first);
    CHECK(world.send(get(world.path("/count"))).body == R"({"count":2})");
    CHECK(world.send(get(world.path("?limit=1&orderDir=asc"))).column("id") == world.workspace_id());
    CHECK(world.send(get(world.path("?orderBy=name&last=x"))).summary() ==
          "403 InvalidFormat workspace: InvalidFormat orderBy, InvalidFormat last");
    CHECK(world.send(get(world.path()).as(world.tenant.key)).summary() ==
          "403 InvalidFormat domain: NotShared domain");
    CHECK(world.send(get(world.path()).as(world.outsider().key)).summary() == "404 NotFound domain");

    must(world.engine->transact([&](data::Txn& txn) -> Result<void> { // the owner is sent away
        const auto primary = Member::primary_of(
            {.workspace = world.tenant.account.default_workspace, .account = world.installed.account.id});
        return schema().members.remove(txn, TRY(schema().members.find(txn, primary)).value());
    }));
    CHECK(world.send(get(world.path())).at("0.name") == "(absent)");
}

TEST_CASE("links on a domain that was taken away can be read and deleted, and nothing else", "[domains]") {
    Lent world;
    const auto id = world.by_tenant("a"), other = world.by_tenant("b");
    const auto rule =
        R"({"destination":"https://b.example/","conditions":[{"type":"device","value":"mobile"}]})";
    CHECK(world.send(del(world.path("/" + world.there)).as(world.tenant.key)).summary() ==
          "403 InvalidFormat domain: NotShared domain");
    CHECK(world.send(del(world.path("/" + world.there + "?links=burn"))).summary() ==
          "403 InvalidFormat domain: InvalidFormat links");
    const auto taken = world.send(del(world.path("/" + world.there)));
    CHECK(taken.at("shared") == "false");
    CHECK(taken.at("links") == "2");
    CHECK(taken.at("endedAt") == "2027-01-15T08:00:01.000Z");

    const auto made_by_tenant = [&](std::string_view path, std::string_view json) {
        return world.send(post(path, json).as(world.tenant.key)).at("id");
    };
    const auto tag = made_by_tenant("/tags", R"({"name":"t","color":"ff0000"})");
    const auto script = made_by_tenant("/scripts", R"({"name":"s","value":"x"})");

    const auto link = "/links/" + id;
    const auto as_tenant = [&](Call call) {
        return world.send(std::move(call).as(world.tenant.key)).summary();
    };
    const std::string refusal = "403 InvalidFormat link: NotShared domain";
    CHECK(as_tenant(get(link)) == "200");
    CHECK(as_tenant(post(link, R"({"destination":"https://evil.example/"})")) == refusal);
    CHECK(as_tenant(post(link, R"({"slashtag":"login"})")) == refusal);
    CHECK(as_tenant(post(link + "/favourite", R"({"favourite":true})")) == refusal);
    CHECK(as_tenant(post(link + "/rules", rule)) == refusal);
    CHECK(as_tenant(del(link + "/rules")) == refusal);
    CHECK(as_tenant(post(link + "/opengraph", R"({"title":"t"})")) == refusal);
    CHECK(as_tenant(post(link + "/apps/instagram", R"({"path":"p"})")) == refusal);
    CHECK(as_tenant(post(link + "/tags/" + tag)) == refusal);
    CHECK(as_tenant(post(link + "/scripts/" + script)) == refusal);
    CHECK(as_tenant(del(link)) == "200");
    CHECK(as_tenant(del("/links", fmt::format(R"({{"links":["{}"]}})", other))) == "200");
    CHECK(world.send(get(world.path())).column("id") == world.workspace_id());
    CHECK(world.send(del(world.path("/" + world.there))).summary() == "404 NotFound workspace");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("retired links are gone at once, and the domain can go when they are", "[domains]") {
    Lent world;
    const auto id = world.by_tenant("a");
    CHECK(world.send(del(world.path("/" + world.there + "?links=retire"))).at("links") == "0");
    CHECK(world.send(get("/links/" + id).as(world.tenant.key)).summary() == "404 NotFound link");
    CHECK(world.send(del("/links/" + id).as(world.tenant.key)).summary() == "403 DeletedLink link");
    CHECK(world.send(get(world.path())).column("id") == world.workspace_id());
    run_all_jobs(world);
    CHECK(world.send(get("/links").as(world.tenant.key)).body == "[]");
    CHECK(world.send(del("/domains/" + world.domain)).status == 200);
    CHECK(world.inconsistency().empty());
}

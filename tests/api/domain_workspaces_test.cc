// Whoever a domain belongs to sees who has anything on it, and takes it away, over the wire.
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::string_view rule =
    R"({"destination":"https://b.example/","conditions":[{"type":"device","value":"mobile"}]})";

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
    CHECK(as_tenant(post(link, "{")) == refusal); // what cannot be read is no echo
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

TEST_CASE("a link on a domain that is not shared any more is posted back as it is, and not changed",
          "[domains]") {
    Lent world;
    const auto path = "/links/" + world.by_tenant("a");
    const auto as_tenant = [&](Call call) { return world.send(std::move(call).as(world.tenant.key)); };
    const auto made_rule = as_tenant(post(path + "/rules", rule));
    const auto rule_path = path + "/rules/" + made_rule.at("id");
    const auto preview = as_tenant(post(path + "/opengraph", R"({"title":"T"})"));
    REQUIRE(preview.status == 200);
    const auto link = as_tenant(get(path));
    REQUIRE(world.send(del(world.path("/" + world.there))).status == 200);
    world.clock.advance_seconds(1);

    const std::string refusal = "403 InvalidFormat link: NotShared domain";
    CHECK(as_tenant(post(path, link.body)).body == link.body);
    CHECK(as_tenant(post(path, "{}")).body == link.body);
    CHECK(
        as_tenant(post(path, R"({"domain":{"fullName":"mine.example"},"title":"","description":null,"x":1})"))
            .body == link.body);
    CHECK(as_tenant(post_form(path, "slashtag=a&favourite=false")).body == link.body);
    CHECK(as_tenant(get(path)).body == link.body);
    const auto changed = [&](std::string_view from, std::string_view to) {
        auto body = link.body;
        const auto at = body.find(from);
        REQUIRE(at != body.npos);
        return as_tenant(post(path, body.replace(at, from.size(), to))).summary();
    };
    CHECK(changed(R"("title":"Link a")", R"("title":"B")") == refusal);
    CHECK(changed(R"("title":"Link a")", R"("TITLE":"B")") == refusal);
    CHECK(changed(R"("favourite":false)", R"("favourite":true)") == refusal);
    CHECK(changed(R"("favourite":false)", R"("favourite":7)") == refusal);
    CHECK(changed(R"("fullName":"mine.example")", R"("fullName":"go.example.com")") == refusal);
    CHECK(changed(R"("shortUrl":"mine.example/a")", R"("shortUrl":"other")") == "200"); // says nothing
    CHECK(as_tenant(post(path, R"({"active":false})")).summary() == refusal);
    CHECK(as_tenant(post(path, R"({"ttl":60})")).summary() == refusal);

    CHECK(as_tenant(post(rule_path, made_rule.body)).body == made_rule.body);
    CHECK(as_tenant(post(rule_path, R"({"rank":9})")).summary() == refusal);
    CHECK(as_tenant(post(path + "/opengraph", preview.body)).body == preview.body);
    CHECK(as_tenant(post(path + "/opengraph", R"({"title":"T","description":"D"})")).summary() == refusal);
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

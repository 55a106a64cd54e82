// What operators of the installation do, over the calls that their pages make.
#include "core/ops/operators.h"
#include "tests/http/dashboard/dashboard_world.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

struct OperatorWorld : DashboardWorld {
    Stranger ann = person(*this, "ann", "ann@example.com");

    OperatorWorld() { sign_in(); }

    PageAnswer change(std::string_view what, std::string_view id, std::string json) {
        return send(page_send(put, fmt::format("/operator/{}/{}", what, id), std::move(json)));
    }
    PageAnswer change_ann(std::string json) {
        return change("accounts", ann.account.id.hex(), std::move(json));
    }
    PageAnswer sign_in_as(const std::string& token) {
        return send(page_post("/session", fmt::format(R"({{"token":"{}"}})", token)));
    }
    // The member of each item, joined with blanks.
    std::string listed(const std::string& target, std::string_view member) {
        std::string out;
        const auto answer = send(page_get(target));
        REQUIRE(answer.status == 200);
        const auto json = boost::json::parse(answer.body);
        for (const auto& item : json.at("items").as_array())
            out += (out.empty() ? "" : " ") + std::string(item.at(member).as_string());
        return out;
    }
};

} // namespace

TEST_CASE("what operators have is not there for anybody else, and not for a key", "[dashboard][threat-18]") {
    OperatorWorld world;
    const std::vector<PageCall> calls{page_get("/operator/health"),
                                      page_get("/operator/accounts"),
                                      page_send(put, "/operator/accounts/ann", R"({"operator":true})"),
                                      page_post("/operator/accounts/admin/sign-in-address"),
                                      page_get("/operator/plans"),
                                      page_post("/operator/plans", R"({"name":"x"})"),
                                      page_get("/operator/workspaces"),
                                      page_get("/operator/domains"),
                                      page_post("/operator/domains", R"({"fullName":"go.example.org"})")};
    const auto ann = world.token_for(world.ann.account.id);
    for (const auto& call : calls) {
        INFO(call.target);
        auto with_key = call;
        with_key.cookie.clear();
        CHECK(world.send(std::move(with_key).with("apikey", world.installed.key.key)).summary() ==
              "404 NotFound");
    }
    REQUIRE(world.sign_in_as(ann).status == 200);
    CHECK(world.send(page_get("/session")).at("isOperator") == "false");
    for (const auto& call : calls) {
        INFO(call.target);
        CHECK(world.send(call).summary() == "404 NotFound");
    }
    world.sign_in();
    CHECK(world.send(page_get("/session")).at("isOperator") == "true");
    CHECK(world.send(page_get("/operator/nothing")).summary() == "404 NotFound");
    CHECK(world.send(page_post("/operator/health")).status == 405);
    CHECK(
        world
            .send(
                page_get("/operator/accounts").without("sec-fetch-site").with("sec-fetch-site", "cross-site"))
            .summary() == "403 ForeignPage");
    CHECK(world.faults.empty());
}

TEST_CASE("an operator finds accounts, and lets one in, changes it, suspends it", "[dashboard]") {
    OperatorWorld world;
    CHECK(world.listed("/operator/accounts", "username") == "admin ann");
    CHECK(world.listed("/operator/accounts?term=ANN%40ex", "username") == "ann");
    CHECK(world.listed("/operator/accounts?after=" + world.installed.account.id.hex(), "username") == "ann");
    CHECK(world.listed("/operator/accounts?term=nobody", "username").empty());

    const auto given = world.send(
        page_post(fmt::format("/operator/accounts/{}/sign-in-address", world.ann.account.id.hex())));
    const auto address = given.at("address");
    CHECK(address.starts_with("http://localhost:8082/sign-in#"));

    CHECK(world.change_ann(R"({"email":"nonsense"})").summary() == "403 InvalidFormat InvalidFormat email");
    CHECK(world.change_ann(R"({"plan":"gold"})").summary() == "404 NotFound");
    const auto changed = world.change_ann(R"({"email":"ann@example.org","operator":true})");
    CHECK(changed.at("email") == "ann@example.org");
    CHECK(changed.at("operator") == "true");
    CHECK(world.change_ann(R"({"operator":false})").at("operator") == "false");
    CHECK(world.change("accounts", "admin", R"({"operator":false})").summary() == "403 LastOperator");
    CHECK(world.change("accounts", "admin", R"({"suspended":true})").summary() == "403 LastOperator");
    CHECK(world.change("accounts", "no-such", "{}").summary() == "404 NotFound");

    const auto operators = std::exchange(world.cookie, ""); // who signs in ends the session that they had
    REQUIRE(world.sign_in_as(address.substr(address.find('#') + 1)).status == 200);
    const auto anns = world.cookie;
    world.cookie = operators;
    CHECK(world.change_ann(R"({"suspended":true})").at("suspendedAt") == "2027-01-15T08:00:00.000Z");
    CHECK(world.send(page_get("/session").with_cookie(anns)).summary() == "401 SignedOut");
    CHECK_FALSE(
        world.service
            .run(world.ann.caller, {}, {.scope = Scope::account}, [](Context&) -> Result<void> { return {}; })
            .has_value());
    const auto token = world.token_for(world.ann.account.id);
    world.cookie.clear();
    CHECK(world.sign_in_as(token).summary() == "403 AccountSuspended");
    world.cookie = operators;
    CHECK(world.change_ann(R"({"suspended":false})").at("suspendedAt") == "null");
    CHECK(world.sign_in_as(token).status == 200);
    CHECK(world.inconsistency().empty());
    CHECK(world.faults.empty());
}

TEST_CASE("an operator makes and changes plans, and gives one to an account", "[dashboard]") {
    OperatorWorld world;
    const auto made = world.send(page_post(
        "/operator/plans", R"({"name":"basic","category":"Basic","features":["links.tags"],"links":100})"));
    CHECK(made.status == 200);
    CHECK(made.at("features") == R"(["links.tags"])");
    CHECK(made.at("links") == "100");
    CHECK(made.at("domains") == "null");
    CHECK(world.send(page_post("/operator/plans", R"({"name":"Not good"})")).status == 403);
    CHECK(world.change("plans", "basic", R"({"features":null,"links":null,"tags":5})").at("features") ==
          "null");
    CHECK(world.change("plans", "basic", R"({"tags":-1})").status == 403);
    CHECK(world.change("plans", "none", "{}").summary() == "404 NotFound");
    CHECK(world.change_ann(R"({"plan":"basic"})").at("plan") == "basic");
    CHECK(world.listed("/operator/plans", "name") == "basic default");
    CHECK(world.faults.empty());
}

TEST_CASE("an operator revokes and trashes workspaces, and takes it back", "[dashboard]") {
    OperatorWorld world;
    const auto id = world.ann.account.default_workspace.hex();
    CHECK(world.listed("/operator/workspaces", "owner") == "admin ann");
    CHECK(world.listed("/operator/workspaces?term=main", "name") == "Main workspace Main workspace");
    CHECK(world.change("workspaces", id, R"({"revoked":true})").at("revoked") == "true");
    CHECK(world.change("workspaces", id, R"({"trashed":true})").at("trashed") == "true");
    CHECK(world.change("workspaces", id, R"({"revoked":false,"trashed":false})").at("trashed") == "false");
    CHECK(world.change("workspaces", "no-such", "{}").summary() == "404 NotFound");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an operator adds domains of the installation, and revokes one", "[dashboard]") {
    OperatorWorld world;
    const auto first = world.listed("/operator/domains", "fullName");
    const auto added = world.send(page_post("/operator/domains", R"({"fullName":"Go.Example.org"})"));
    CHECK(added.at("fullName") == "go.example.org");
    CHECK(added.at("default") == "false");
    CHECK(world.send(page_post("/operator/domains", R"({"fullName":"go.example.org"})")).status == 403);
    CHECK(world.listed("/operator/domains", "fullName") == first + " go.example.org");
    CHECK(world.change("domains", added.at("id"), R"({"revoked":true})").at("revoked") == "true");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the health of the server is shown as it is known", "[dashboard]") {
    OperatorWorld world;
    const auto health = world.send(page_get("/operator/health"));
    CHECK(health.status == 200);
    CHECK(health.at("trouble").empty());
    CHECK(health.at("certificatesEndAt") == "null");
}

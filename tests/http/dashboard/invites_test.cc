// Invites, over the calls that the page of an invite's address makes.
#include "core/ops/invites.h"
#include "tests/http/dashboard/dashboard_world.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using enum http::Method;

namespace {

constexpr auto good = "correct horse battery";

struct InviteWorld : DashboardWorld {
    PageAnswer show(std::string_view token) {
        return send(page_post("/session/invite/shown", fmt::format(R"({{"token":"{}"}})", token)));
    }
    PageAnswer join(std::string_view username, std::string_view password, std::string_view token) {
        return send(
            page_post("/session/invite", fmt::format(R"({{"token":"{}","username":"{}","password":"{}"}})",
                                                     token, username, password)));
    }
    std::string invited(std::string email, Role role = Role::user) {
        return token_of(make_invite(*this, std::move(email), role).address);
    }
    void sign_in_as(const Stranger& who) {
        REQUIRE(send(page_post("/session", fmt::format(R"({{"token":"{}"}})", token_for(who.account.id))))
                    .status == 200);
    }
};

} // namespace

TEST_CASE("who is invited makes an account in the page, and is signed in", "[dashboard]") {
    InviteWorld world;
    const auto token = world.invited("ann@example.com");
    CHECK(world.join("", "short", token).summary() ==
          "403 InvalidFormat RequiredField username InvalidFormat password");
    CHECK(world.join("ann", good, "x").summary() == "404 NotFound");
    CHECK(world.join("admin", good, token).summary() == "403 InvalidFormat AlreadyExists username");
    const auto joined = world.join("ann", good, token);
    CHECK(joined.status == 200);
    CHECK(joined.at("signedInBy") == "invite");
    CHECK(world.send(page_get("/v1/workspaces/count")).body == R"({"count":2})");
    CHECK(world.join("ann2", good, token).summary() == "404 NotFound");
    world.send(page_send(del, "/session"));
    CHECK(
        world.send(page_post("/session", fmt::format(R"({{"user":"ann","password":"{}"}})", good))).status ==
        200);
}

TEST_CASE("the page of an invite says what it offers, and whether it is for who is signed in",
          "[dashboard]") {
    InviteWorld world;
    const auto bob = person(world, "bob", "bob@example.com");
    const auto eve = person(world, "eve", "eve@example.com");
    const auto token = world.invited("Bob@example.com", Role::guest);
    const auto to_nobody = world.show(token);
    CHECK(to_nobody.status == 200);
    CHECK(boost::json::parse(to_nobody.at("workspace")).at("name") == "Main workspace");
    CHECK(to_nobody.at("role") == "guest");
    CHECK(to_nobody.at("from") == "Administrator");
    CHECK(to_nobody.at("for") == "Bob@example.com");
    CHECK(to_nobody.at("hasAccount") == "true");
    CHECK(to_nobody.at("isYours") == "false");
    world.sign_in_as(eve);
    CHECK(world.show(token).at("isYours") == "false");
    CHECK(world.send(page_post("/v1/invites/" + token + "/accept")).summary() ==
          "403 InvalidFormat NotShared token");
    CHECK(world.send(page_post("/v1/invites/" + token + "/decline")).summary() ==
          "403 InvalidFormat NotShared token");
    world.sign_in_as(bob);
    CHECK(world.show(token).at("isYours") == "true");
    CHECK(world.show(world.invited("new@example.com")).at("hasAccount") == "false");
    CHECK(world.send(page_post("/v1/invites/" + token + "/accept")).status == 200);
    CHECK(world.show(token).summary() == "404 NotFound");
    CHECK(world.faults.empty());
}

TEST_CASE("an invite that is refused, withdrawn or over is told apart where it can be", "[dashboard]") {
    InviteWorld world;
    const auto bob = person(world, "bob", "bob@example.com");
    world.sign_in_as(bob);
    const auto refused = world.invited("bob@example.com");
    CHECK(world.send(page_post("/v1/invites/" + refused + "/decline")).status == 200);
    CHECK(world.send(page_post("/v1/invites/" + refused + "/decline")).summary() == "404 NotFound");
    CHECK(world.show(refused).summary() == "404 NotFound");
    CHECK(world.send(page_get("/v1/account/invites")).body == "[]");
    CHECK_FALSE(role_in(world, world.installed.account.default_workspace, bob.account.id).has_value());

    const auto late = world.invited("bob@example.com");
    world.clock.advance_seconds(30LL * 24 * 3600);
    CHECK(world.show(late).summary() == "403 InviteExpired");
    CHECK(world.inconsistency().empty());
    CHECK(world.faults.empty());
}

TEST_CASE("tokens of invites are guessed as slowly as passwords", "[dashboard][threat-18]") {
    InviteWorld world;
    const auto token = world.invited("ann@example.com");
    for (int i = 0; i < 60; ++i)
        CHECK(world.show(token).status == 200); // what is right counts for nothing
    for (int i = 0; i < 50; ++i)
        CHECK(world.show("wrong").status == 404);
    CHECK(world.show(token).summary() == "429 TooManyTries");
}

// The people of a workspace over the wire (interface 4.5, wire "Workspaces, people").
#include "tests/api/api_world.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string path(const ApiWorld& world, std::string_view more = {}) {
    return fmt::format("/workspaces/{}/teammates{}", world.workspace_id(), more);
}

std::string path_of(const ApiWorld& world, const Colleague& colleague) {
    return path(world, "/" + colleague.account.id.hex());
}

} // namespace

TEST_CASE("a teammate is answered as the interface shows it", "[teammates]") {
    ApiWorld world;
    const auto ann = world.colleague(Role::user);
    const auto expected = R"({"id":")" + ann.account.id.hex() +
                          R"(","username":"person1","email":"","fullName":"person1","avatarUrl":"",)"
                          R"("role":"user","createdAt":"2027-01-15T08:00:00.000Z"})";
    CHECK(world.send(get(path_of(world, ann))).body == expected);
    const auto changed = world.send(post(path_of(world, ann), R"({"role":"viewer"})"));
    CHECK(changed.at("role") == "viewer");
    CHECK(world.send(get(path_of(world, ann))).body == changed.body);
    CHECK(world.send(del(path_of(world, ann))).body == "{}");
    CHECK(world.send(get(path_of(world, ann))).summary() == "404 NotFound teammate");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("teammates are listed and counted, in the order that is asked for", "[teammates]") {
    ApiWorld world;
    world.clock.advance_seconds(1);
    world.colleague(Role::user);
    world.clock.advance_seconds(1);
    const auto second = world.colleague(Role::guest);
    CHECK(world.send(get(path(world))).column("username") == "person2 person1 admin");
    CHECK(world.send(get(path(world))).column("role") == "guest user owner");
    CHECK(world.send(get(path(world, "?orderDir=asc&limit=2"))).column("username") == "admin person1");
    CHECK(world.send(get(path(world, "?orderBy=fullName&orderDir=asc"))).column("username") ==
          "admin person1 person2");
    CHECK(world.send(get(path(world, "?last=" + second.account.id.hex()))).column("username") ==
          "person1 admin");
    CHECK(world.send(get(path(world, "?term=PERSON"))).column("username") == "person2 person1");
    CHECK(world.send(get(path(world, "/count"))).body == R"({"count":3})");
    CHECK(world.send(get(path(world, "/count?term=person2"))).body == R"({"count":1})");
    CHECK(world.send(get("/workspaces/" + world.workspace_id())).at("teammates") == "3");
    CHECK(world.send(get("/account")).at("subscription.limits.teammates.used") == "2");
    CHECK(world.send(get(path(world, "?orderBy=role&last=x&limit=0"))).summary() ==
          "403 InvalidFormat teammate: OutOfRange limit, InvalidFormat orderBy, InvalidFormat last");
}

TEST_CASE("an account that is added is invited, and of it a name is told", "[teammates]") {
    ApiWorld world;
    const auto ann = world.outsider();
    const auto added = world.send(post(path_of(world, ann), R"({"role":"user"})"));
    const auto invite = added.at("inviteId");
    CHECK(added.body == R"({"id":")" + ann.account.id.hex() +
                            R"(","fullName":"person1","role":"user","inviteId":")" + invite + R"("})");
    CHECK(world.send(get(path_of(world, ann))).summary() == "404 NotFound teammate");
    const auto sent = world.send(get(fmt::format("/workspaces/{}/invites", world.workspace_id())));
    CHECK(sent.at("0.email") == "(absent)");
    CHECK(sent.at("0.invitee") == R"({"id":")" + ann.account.id.hex() + R"(","fullName":"person1"})");

    const auto received = world.send(get("/account/invites").as(ann.key));
    CHECK(received.column("id") == invite);
    CHECK(received.at("0.workspace.id") == world.workspace_id());
    CHECK(received.at("0.createdBy.fullName") == "Administrator");
    CHECK(world.send(get("/account/invites")).body == "[]");
    CHECK(world.send(post("/invites/" + invite + "/accept")).summary() == "404 NotFound invite");
    CHECK(world.send(post("/invites/" + invite + "/accept").as(ann.key)).at("status") == "accepted");
    CHECK(world.send(get(path_of(world, ann))).at("role") == "user");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an account is added by its id, with a role below the owner's", "[teammates]") {
    ApiWorld world;
    world.settings.adds_strangers = true;
    const auto ann = world.outsider();
    CHECK(world.send(post(path_of(world, ann), "{}")).summary() ==
          "403 InvalidFormat teammate: RequiredField role");
    for (const auto* role : {"owner", "manager", "ADMIN"})
        CHECK(world.send(post(path_of(world, ann), fmt::format(R"({{"role":"{}"}})", role))).summary() ==
              "403 InvalidFormat teammate: InvalidFormat role");
    CHECK(
        world.send(post(path(world, "/0123456789abcdef0123456789abcdef"), R"({"role":"user"})")).summary() ==
        "404 NotFound teammate");
    CHECK(world.send(get(path_of(world, ann))).summary() == "404 NotFound teammate");
    CHECK(world.send(post(path_of(world, ann), R"({"role":"admin"})")).at("role") == "admin");
    CHECK(world.send(get("/links").with("Workspace", world.workspace_id()).as(ann.key)).status == 200);
    CHECK(world.send(del(path_of(world, ann))).status == 200);
    CHECK(world.send(get("/links").with("Workspace", world.workspace_id()).as(ann.key)).summary() ==
          "404 NotFound workspace");
}

TEST_CASE("the owner can be neither changed nor removed, by an admin or by itself", "[teammates]") {
    ApiWorld world;
    const auto admin = world.colleague(Role::admin);
    const auto owner = path(world, "/" + world.installed.account.id.hex());
    CHECK(world.send(post(owner, R"({"role":"viewer"})").as(admin.key)).summary() ==
          "403 Forbidden teammate");
    CHECK(world.send(del(owner).as(admin.key)).summary() == "403 Forbidden teammate");
    const std::string stays = "403 InvalidFormat teammate: InvalidFormat role"; // no role would do
    CHECK(world.send(post(owner, R"({"role":"viewer"})")).summary() == stays);
    CHECK(world.send(del(owner)).summary() == stays);
}

TEST_CASE("a teammate of another workspace is not found here", "[teammates]") {
    ApiWorld world;
    const auto room = make_workspace(world, "room");
    const auto ann = world.colleague(Role::user);
    const auto there = fmt::format("/workspaces/{}/teammates/{}", room.id.hex(), ann.account.id.hex());
    CHECK(world.send(get(there)).summary() == "404 NotFound teammate");
    CHECK(world.send(del(there)).summary() == "404 NotFound teammate");
}

TEST_CASE("a plan without room for another teammate refuses it", "[teammates]") {
    ApiWorld world;
    world.settings.adds_strangers = true;
    set_plan(world, {.teammates = Change<std::int64_t>::set(1)});
    const auto first = world.outsider(), second = world.outsider();
    CHECK(world.send(post(path_of(world, first), R"({"role":"user"})")).status == 200);
    CHECK(world.send(post(path_of(world, second), R"({"role":"user"})")).summary() ==
          "403 LimitReached teammate");
    CHECK(world.send(post(path_of(world, first), R"({"role":"guest"})")).status == 200);
}

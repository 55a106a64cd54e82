// Invites over the wire (interface 3.4, 4.5 and 8, wire "Workspaces, people").
#include "tests/api/api_world.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string path(const ApiWorld& world, std::string_view more) {
    return fmt::format("/workspaces/{}{}", world.workspace_id(), more);
}

Answer invite(ApiWorld& world, std::string_view json) {
    return world.send(post(path(world, "/invite"), json));
}

std::string token_in(const Answer& answer) { return token_of(answer.at("invites.0.acceptUrl")); }

Call accept(std::string_view token) { return post(fmt::format("/invites/{}/accept", token)); }

std::string emails_json(int count) {
    std::string out;
    for (int i = 0; i < count; ++i)
        out += fmt::format(R"({}"p{}@example.com")", i == 0 ? "" : ",", i);
    return R"({"emails":[)" + out + "]}";
}

} // namespace

TEST_CASE("an invite is answered as the interface shows it, and its address once", "[invites]") {
    ApiWorld world;
    const auto sent = invite(world, R"({"emails":["ann@example.com"],"role":"guest","message":"Hi"})");
    const auto id = sent.at("invites.0.id");
    const auto expected = R"({"id":")" + id +
                          R"(","email":"ann@example.com","role":"guest","status":"pending","message":"Hi",)"
                          R"("createdAt":"2027-01-15T08:00:00.000Z","expiresAt":"2027-02-14T08:00:00.000Z",)"
                          R"("createdBy":{"id":")" +
                          world.installed.account.id.hex() + R"(","fullName":"Administrator"}})";
    CHECK(sent.at("count") == "1");
    CHECK(token_in(sent).size() == 64);
    CHECK(world.send(get(path(world, "/invites"))).body == "[" + expected + "]");
    CHECK(world.send(del(path(world, "/invites/" + id))).body == expected);
    CHECK(world.send(get(path(world, "/invites"))).body == "[]");
    CHECK(world.send(del(path(world, "/invites/" + id))).summary() == "404 NotFound invite");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an invite says nothing of where to accept it when it goes out by mail", "[invites]") {
    ApiWorld world;
    world.settings.sends_mail = true;
    const auto sent = invite(world, R"({"emails":["ann@example.com"]})");
    CHECK(sent.at("invites.0.role") == "user");
    CHECK(sent.at("invites.0.acceptUrl") == "(absent)");
    CHECK(sent.at("invites.0.message") == "(absent)");
}

TEST_CASE("whoever holds the token accepts it with a key of their own, once", "[invites]") {
    ApiWorld world;
    const auto ann = world.outsider();
    const auto token = token_in(invite(world, R"({"emails":["ann@example.com"],"role":"viewer"})"));
    CHECK(world.send(accept(token).anonymous()).status == 401);
    CHECK(world.send(accept(token).as("wrong")).status == 401);
    const auto accepted = world.send(accept(token).as(ann.key));
    CHECK(accepted.at("status") == "accepted");
    CHECK(accepted.at("workspace.id") == world.workspace_id());
    CHECK(accepted.at("workspace.name") == "Main workspace");
    CHECK(world.send(get(path(world, "/teammates/" + ann.account.id.hex()))).at("role") == "viewer");
    CHECK(world.send(get("/links").with("Workspace", world.workspace_id()).as(ann.key)).status == 200);

    const auto again = world.send(accept(token).as(ann.key));
    CHECK(again.summary() == "404 NotFound invite");
    CHECK(again.body.find(token) == std::string::npos);
    CHECK(world.send(accept("x").as(ann.key)).summary() == "404 NotFound invite");
    CHECK(world.send(del(path(world, "/invites/" + accepted.at("id")))).summary() == "409 Conflict ");
    CHECK(world.send(get(path(world, "/invites?status=accepted"))).column("id") == accepted.at("id"));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("where tokens are not enough, an account without an address is refused", "[invites]") {
    ApiWorld world;
    world.settings.invites_by_token = false;
    const auto token = token_in(invite(world, R"({"emails":["ann@example.com"]})"));
    CHECK(world.send(accept(token).as(world.outsider().key)).summary() ==
          "403 InvalidFormat invite: NotShared token");
}

TEST_CASE("an account with another e-mail address does not accept an invite", "[invites]") {
    ApiWorld world;
    const auto bob = must(world.operate([](SystemContext& system) -> Result<IssuedKey> {
        const auto account = TRY(create_account(system, {.username = "bob", .email = "bob@example.com"}));
        return create_key(system, account, "test");
    }));
    const auto token = token_in(invite(world, R"({"emails":["ann@example.com"]})"));
    CHECK(world.send(accept(token).as(bob.key)).summary() == "403 InvalidFormat invite: NotShared token");
    const auto own = token_in(invite(world, R"({"emails":["BOB@example.com"]})"));
    CHECK(world.send(accept(own).as(bob.key)).status == 200);
    CHECK(invite(world, R"({"emails":["bob@example.com"]})").summary() ==
          "403 InvalidFormat invite: AlreadyExists emails[0]");
}

TEST_CASE("nobody comes into a revoked workspace by an invite", "[invites]") {
    ApiWorld world;
    const auto ann = world.outsider();
    const auto token = token_in(invite(world, R"({"emails":["ann@example.com"]})"));
    world.set_workspace([](Workspace& workspace) { workspace.revoked = true; });
    CHECK(world.send(accept(token).as(ann.key)).summary() == "403 RevokedWorkspace workspace");
    world.set_workspace([](Workspace& workspace) { workspace.trashed = true; });
    CHECK(world.send(accept(token).as(ann.key)).summary() == "404 NotFound invite");
    world.set_workspace([](Workspace& workspace) { workspace.trashed = workspace.revoked = false; });
    CHECK(world.send(accept(token).as(ann.key)).status == 200);
}

TEST_CASE("inviting refuses every problem at once", "[invites]") {
    struct Scenario {
        std::string_view name;
        std::string body;
        std::string_view summary;
    };
    const Scenario scenarios[] = {
        {"nothing given", "{}", "403 InvalidFormat invite: RequiredField emails"},
        {"no address", R"({"emails":[]})", "403 InvalidFormat invite: RequiredField emails"},
        {"an empty address", R"({"emails":["","a@b.co"]})",
         "403 InvalidFormat invite: RequiredField emails[0]"},
        {"no list", R"({"emails":"a@b.co"})", "403 InvalidFormat invite: InvalidFormat emails"},
        {"no text", R"({"emails":[5]})", "403 InvalidFormat invite: InvalidFormat emails[0]"},
        {"no addresses", R"({"emails":["a","b@c.co","c@"]})",
         "403 InvalidFormat invite: InvalidFormat emails[0], InvalidFormat emails[2]"},
        {"header injection", R"({"emails":["a@b.co\r\nBcc: c@d.co"]})",
         "403 InvalidFormat invite: InvalidFormat emails[0]"},
        {"no role", R"({"emails":["a@b.co"],"role":"manager"})",
         "403 InvalidFormat invite: InvalidFormat role"},
        {"a default workspace for another owner", R"({"emails":["a@b.co"],"role":"owner"})",
         "403 InvalidFormat invite: InvalidFormat role"},
        {"2001 characters of message", R"({"emails":["a@b.co"],"message":")" + std::string(2001, 'm') + "\"}",
         "403 InvalidFormat invite: InvalidLength message"},
        {"2000 characters of message", R"({"emails":["a@b.co"],"message":")" + std::string(2000, 'm') + "\"}",
         "200"},
        {"empty texts", R"({"emails":["a@b.co"],"message":"","role":""})", "200"},
    };
    for (const auto& scenario : scenarios) {
        INFO(scenario.name);
        ApiWorld world;
        CHECK(invite(world, scenario.body).summary() == scenario.summary);
    }
}

TEST_CASE("addresses come in a form too", "[invites]") {
    ApiWorld world;
    const auto sent = world.send(post_form(path(world, "/invite"), "emails=a@b.co,c@d.co&role=viewer"));
    CHECK(sent.at("count") == "2");
    CHECK(sent.at("invites.1.email") == "c@d.co");
}

TEST_CASE("100 addresses are invited in a day, not 101", "[invites]") {
    ApiWorld world;
    CHECK(invite(world, emails_json(101)).summary() == "403 LimitReached invite");
    CHECK(invite(world, emails_json(100)).at("count") == "100");
    CHECK(invite(world, R"({"emails":["one@example.com"]})").summary() == "403 LimitReached invite");
    world.clock.advance_seconds(24LL * 3600);
    CHECK(invite(world, R"({"emails":["one@example.com"]})").status == 200);
    CHECK(world.send(get(path(world, "/invites/count"))).body == R"({"count":101})");
}

TEST_CASE("invites are listed and counted by status", "[invites]") {
    ApiWorld world;
    const auto ann = world.outsider();
    invite(world, R"({"emails":["old@example.com"]})");
    world.clock.advance_seconds(30LL * 24 * 3600);
    const auto token = token_in(invite(world, R"({"emails":["ann@example.com"]})"));
    CHECK(world.send(accept(token).as(ann.key)).status == 200);
    invite(world, R"({"emails":["b@example.com","c@example.com"]})");
    const auto emails = [&](std::string_view query) {
        return world.send(get(path(world, fmt::format("/invites{}", query)))).column("email");
    };
    const auto count = [&](std::string_view query) {
        return world.send(get(path(world, fmt::format("/invites/count{}", query)))).at("count");
    };
    CHECK(emails("") == "c@example.com b@example.com");
    CHECK(emails("?status=&orderDir=asc&limit=1") == "b@example.com");
    CHECK(emails("?status=pending&offset=1") == "b@example.com");
    CHECK(emails("?status=accepted") == "ann@example.com");
    CHECK(emails("?status=expired&orderBy=createdAt") == "old@example.com");
    CHECK(count("") == "2");
    CHECK(count("?status=accepted") == "1");
    CHECK(count("?status=expired") == "1");
    CHECK(world.send(get(path(world, "/invites?status=gone&orderBy=email"))).summary() ==
          "403 InvalidFormat invite: InvalidFormat status, InvalidFormat orderBy");
    CHECK(world.send(get(path(world, "/invites?last=x"))).summary() ==
          "403 InvalidFormat invite: InvalidFormat last");
}

TEST_CASE("ownership is offered to one address and moves when it is accepted", "[invites]") {
    ApiWorld world;
    const auto ann = world.outsider();
    const auto room = make_workspace(world, "room").id.hex();
    const auto sent = world.send(
        post(fmt::format("/workspaces/{}/invite", room), R"({"emails":["ann@example.com"],"role":"owner"})"));
    CHECK(world.send(accept(token_in(sent)).as(ann.key)).at("role") == "owner");
    const auto shown = world.send(get("/workspaces/" + room).as(ann.key));
    CHECK(shown.at("owner.id") == ann.account.id.hex());
    CHECK(shown.at("role") == "owner");
    CHECK(world.send(get("/workspaces/" + room)).at("role") == "manager");
    CHECK(world.send(post("/workspaces/" + room, R"({"name":"mine"})")).summary() ==
          "404 NotFound workspace");
    CHECK(world.send(del("/workspaces/" + room).as(ann.key)).status == 200);
}

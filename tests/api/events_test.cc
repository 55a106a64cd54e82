// Histories of links, how they are put back, and audits of workspaces, over the wire.
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string restore(const std::string& event) { return fmt::format(R"({{"event":"{}"}})", event); }

} // namespace

TEST_CASE("an event of a link is answered as the interface shows it", "[events]") {
    ApiWorld world;
    const auto link = world.link_id("spring");
    world.clock.advance_seconds(1);
    world.send(post("/links/" + link, R"({"title":"New","favourite":true,"description":"Noted"})"));
    const auto history = world.send(get(fmt::format("/links/{}/history?limit=1", link)));
    CHECK(history.body ==
          fmt::format(R"([{{"id":"{}","type":"link.updated","at":"2027-01-15T08:00:01.000Z",)"
                      R"("workspaceId":"{}","subject":{{"type":"link","id":"{}",)"
                      R"("name":"go.example.com/spring"}},"by":{{"account":{{"id":"{}","fullName":"{}"}},)"
                      R"("keyId":"{}","call":"updateLink"}},"changes":[)"
                      R"({{"field":"title","before":"Link spring","after":"New"}},)"
                      R"({{"field":"description","after":"Noted"}},)"
                      R"({{"field":"favourite","before":false,"after":true}}]}}])",
                      history.at("0.id"), world.workspace_id(), link, world.installed.account.id.hex(),
                      world.installed.account.full_name, world.installed.key.row.id.hex()));
    CHECK(world.send(get(fmt::format("/links/{}/history?orderDir=asc", link))).column("type") ==
          "link.created link.updated");
}

TEST_CASE("the history of a deleted link is there, and puts it back", "[events]") {
    ApiWorld world;
    const auto link = world.link_id("spring");
    const auto before = world.send(get("/links/" + link)).at("destination");
    world.send(del("/links/" + link));
    const auto deleted = world.send(get("/links/" + link + "/history")).at("0.id");
    const auto back = world.send(post("/links/" + link + "/restore", restore(deleted)));
    CHECK(back.summary() == "200");
    CHECK(back.at("status") == "active");
    CHECK(back.at("destination") == before);
    CHECK(world.send(get("/links/" + link)).summary() == "200");
    CHECK(world.send(get("/links/" + link + "/history")).column("type") ==
          "link.restored link.deleted link.created");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("restoring a link refuses what is no event of its history", "[events]") {
    ApiWorld world;
    const auto link = world.link_id("spring"), other = world.link_id("summer");
    const auto made = world.send(get("/links/" + link + "/history")).at("0.id");
    world.send(post("/links/" + other, R"({"title":"New"})"));
    const auto of_other = world.send(get("/links/" + other + "/history")).at("0.id");
    for (const auto& body : {restore(made), restore(of_other), restore("x"), restore(std::string(32, '0'))})
        CHECK(world.send(post("/links/" + link + "/restore", body)).summary() ==
              "403 InvalidFormat link: InvalidFormat event");
    CHECK(world.send(post("/links/" + link + "/restore", "{}")).summary() ==
          "403 InvalidFormat link: RequiredField event");
    CHECK(world.send(post("/links/" + std::string(32, '0') + "/restore", restore(made))).summary() ==
          "404 NotFound link");
}

TEST_CASE("a guest puts back only links it made", "[events]") {
    ApiWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto link = world.link_id("spring");
    world.send(post("/links/" + link, R"({"title":"New"})"));
    const auto event = world.send(get("/links/" + link + "/history")).at("0.id");
    CHECK(world.send(get("/links/" + link + "/history").as(guest.key).with("Workspace", world.workspace_id()))
              .summary() == "200");
    CHECK(world
              .send(post("/links/" + link + "/restore", restore(event))
                        .as(guest.key)
                        .with("Workspace", world.workspace_id()))
              .summary() == "403 Forbidden link");
}

TEST_CASE("nobody reads the history of another workspace's link", "[events][threat-15]") {
    ApiWorld world;
    const auto outsider = world.outsider();
    const auto link = world.link_id("spring");
    CHECK(world.send(get("/links/" + link + "/history").as(outsider.key)).summary() == "404 NotFound link");
    CHECK(world.send(get("/workspaces/" + world.workspace_id() + "/audit").as(outsider.key)).summary() ==
          "404 NotFound workspace");
}

TEST_CASE("an audit is for admins, by types, page by page", "[events]") {
    ApiWorld world;
    const auto audit = "/workspaces/" + world.workspace_id() + "/audit";
    const auto user = world.colleague(Role::user);
    CHECK(world.send(get(audit).as(user.key)).summary() == "403 Forbidden workspace");
    const auto link = world.link_id("spring");
    world.send(post("/tags", R"({"name":"Spring","color":"ff8800"})"));
    world.send(del("/links/" + link));
    CHECK(world.send(get(audit + "?limit=3")).column("type") == "link.deleted tag.created link.created");
    CHECK(world.send(get(audit + "?types=link.created,link.deleted")).column("type") ==
          "link.deleted link.created");
    const auto first = world.send(get(audit + "?limit=1"));
    CHECK(world.send(get(audit + "?limit=1&last=" + first.at("0.id"))).column("type") == "tag.created");
    CHECK(world.send(get(audit + "?types=link.exploded&last=x&limit=0")).summary() ==
          "403 InvalidFormat event: OutOfRange limit, InvalidFormat types, InvalidFormat last");
}

TEST_CASE("no event shows a key, a token or a password", "[events][threat-40]") {
    ApiWorld world;
    world.send(post("/workspaces/" + world.workspace_id() + "/invite",
                    R"({"emails":["ann@example.com"],"role":"user"})"));
    const auto invites = world.send(get("/workspaces/" + world.workspace_id() + "/invites"));
    const auto audit = world.send(get("/workspaces/" + world.workspace_id() + "/audit?types=invite.created"));
    CHECK(audit.at("0.subject.name") == "ann@example.com");
    CHECK(audit.at("0.changes.0.field") == "email");
    CHECK(audit.body.find("token") == audit.body.npos);
    CHECK(audit.body.find("hash") == audit.body.npos);
}

TEST_CASE("a feed is read with the last of the answer before", "[events]") {
    ApiWorld world;
    const auto begin = world.send(get("/events?types=link.created"));
    CHECK(begin.at("events") == "[]");
    world.link_id("spring");
    world.link_id("summer");
    const auto first = world.send(get("/events?limit=1&last=" + begin.at("last")));
    CHECK(first.at("events.0.type") == "link.created");
    CHECK(first.at("events.0.subject.name") == "go.example.com/spring");
    CHECK(first.at("more") == "true");
    const auto second = world.send(get("/events?limit=5&last=" + first.at("last")));
    CHECK(second.at("events.0.subject.name") == "go.example.com/summer");
    CHECK(second.at("more") == "false");
    CHECK(world.send(get("/events?last=" + second.at("last"))).at("events") == "[]");
    CHECK(world.send(get("/events?last=x&types=x&limit=0")).summary() ==
          "403 InvalidFormat event: InvalidFormat types, OutOfRange limit, InvalidFormat last");
    const auto user = world.colleague(Role::user);
    CHECK(world.send(get("/events").as(user.key).with("Workspace", world.workspace_id())).summary() ==
          "403 Forbidden workspace");
}

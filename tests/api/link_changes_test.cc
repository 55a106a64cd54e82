// Changing, favouring and deleting links over the API (interface 3.1 and 4.1, wire "Link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a change names only what changes", "[links]") {
    ApiWorld world;
    const auto before = world.link(R"({"destination":"https://example.com/a","slashtag":"sale","title":"A",
                                       "description":"abc","expiresAt":"2027-02-01T00:00:00Z"})");
    world.clock.advance_seconds(5);
    const auto path = "/links/" + before.at("id");
    const auto after = world.send(post(path, R"({"destination":"https://example.com/b"})"));
    REQUIRE(after.status == 200);
    CHECK(after.at("destination") == "https://example.com/b");
    CHECK(after.at("updatedAt") == "2027-01-15T08:00:05.000Z");
    for (const auto* name : {"id", "slashtag", "title", "description", "expiresAt", "createdAt", "shortUrl"})
        CHECK(after.at(name) == before.at(name));
    const auto all =
        world.send(post(path, R"({"slashtag":"fair","title":"B","description":"def","favourite":true,
                                               "forwardParameters":false})"));
    CHECK(all.at("shortUrl") == "go.example.com/fair");
    CHECK(all.at("title") == "B");
    CHECK(all.at("description") == "def");
    CHECK(all.at("favourite") == "true");
    CHECK(all.at("forwardParameters") == "false");
    CHECK(world.send(get(path)).body == all.body);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link may begin later, but not when it has ended", "[links]") {
    ApiWorld world;
    const auto link = world.link(R"({"destination":"https://example.com/","slashtag":"sale",
                                     "activeFrom":"2027-02-01T00:00:00Z","expiresAt":"2027-03-01T00:00:00Z"})");
    CHECK(link.at("activeFrom") == "2027-02-01T00:00:00.000Z");
    CHECK(link.at("status") == "active");
    const auto path = "/links/" + link.at("id");
    const std::string refusal = "403 InvalidFormat link: OutOfRange activeFrom";
    CHECK(world.send(post(path, R"({"activeFrom":"2027-03-01T00:00:00Z"})")).summary() == refusal);
    CHECK(world.send(post(path, R"({"ttl":60})")).summary() == refusal);
    CHECK(world
              .send(post("/links", R"({"destination":"https://example.com/","ttl":60,
                                        "activeFrom":"2027-02-01T00:00:00Z"})"))
              .summary() == refusal);
    CHECK(world.send(post(path, R"({"expiresAt":null,"activeFrom":"2027-03-01T00:00:00Z"})"))
              .at("activeFrom") == "2027-03-01T00:00:00.000Z");
    CHECK(world.send(post(path, R"({"activeFrom":null})")).at("activeFrom") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link may pass paths on, if it leads elsewhere", "[links]") {
    ApiWorld world;
    const auto plain = world.link(R"({"destination":"https://example.com/a","slashtag":"sale"})");
    CHECK(plain.at("passPath") == "(absent)");
    const auto link =
        world.link(R"({"destination":"https://example.com/a","slashtag":"docs","passPath":true})");
    CHECK(link.at("passPath") == "true");
    const auto path = "/links/" + link.at("id");
    CHECK(world.send(get(path)).at("passPath") == "true");
    CHECK(world.send(post(path, R"({"title":"A"})")).at("passPath") == "true");
    CHECK(world.send(post(path, R"({"passPath":null})")).at("passPath") == "true");
    CHECK(world.send(post(path, R"({"destination":"https://go.example.com/x"})")).summary() ==
          "403 InvalidFormat link: InvalidFormat destination");
    CHECK(world.send(post(path, R"({"passPath":"perhaps"})")).summary() ==
          "403 InvalidFormat link: InvalidFormat passPath");
    CHECK(world.send(post(path, R"({"passPath":false,"destination":"https://go.example.com/x"})"))
              .at("passPath") == "(absent)");
    CHECK(world.send(post(path, R"({"passPath":true})")).summary() ==
          "403 InvalidFormat link: InvalidFormat passPath");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link may say the status of its redirects, and null gives that back to its domain", "[links]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/a","slashtag":"sale","redirectType":301})");
    CHECK(link.at("redirectType") == "301");
    const auto path = "/links/" + link.at("id");
    CHECK(world.send(post(path, R"({"redirectType":308})")).at("redirectType") == "308");
    CHECK(world.send(post(path, R"({"title":"A"})")).at("redirectType") == "308");
    CHECK(world.send(get(path)).at("redirectType") == "308");
    CHECK(world.send(post(path, R"({"redirectType":303})")).summary() ==
          "403 InvalidFormat link: OutOfRange redirectType");
    CHECK(
        world.send(post("/links", R"({"destination":"https://example.com/","redirectType":0})")).summary() ==
        "403 InvalidFormat link: OutOfRange redirectType");
    CHECK(world.send(post(path, R"({"redirectType":null})")).at("redirectType") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("in a change an empty string leaves a field and null takes it away", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale", R"(,"title":"A","description":"abc","ttl":60,"favourite":true)");
    const auto kept = world.send(
        post("/links/" + id,
             R"({"destination":"","slashtag":"","title":"","description":"","favourite":"","ttl":"",
                                "expiresAt":"","domain":{"id":"","fullName":""}})"));
    REQUIRE(kept.status == 200);
    CHECK(kept.at("slashtag") == "sale");
    CHECK(kept.at("title") == "A");
    CHECK(kept.at("description") == "abc");
    CHECK(kept.at("expiresAt") == "2027-01-15T08:01:00.000Z");
    const auto cleared = world.send(post("/links/" + id, R"({"destination":null,"slashtag":null,"title":null,
                                            "description":null,"favourite":null,"expiresAt":null})"));
    REQUIRE(cleared.status == 200);
    CHECK(cleared.at("destination") == "https://example.com/");
    CHECK(cleared.at("slashtag") == "sale");
    CHECK(cleared.at("title") == "Link sale");
    CHECK(cleared.at("description") == "(absent)");
    CHECK(cleared.at("favourite") == "true");
    CHECK(cleared.at("expiresAt") == "(absent)");
}

TEST_CASE("a client may post a whole link back", "[links]") {
    ApiWorld world;
    const auto before =
        world.link(R"({"destination":"https://example.com/a","slashtag":"sale","description":"abc",
                                       "expiresAt":"2027-02-01T00:00:00Z","favourite":true})");
    const auto after = world.send(post("/links/" + before.at("id"), before.body));
    CHECK(after.body == before.body);
}

TEST_CASE("what a change must keep to", "[links]") {
    ApiWorld world;
    world.link_id("taken");
    const auto id = world.link_id("sale");
    const std::pair<std::string_view, std::string_view> cases[] = {
        {R"({"destination":"nope"})", "403 InvalidFormat link: InvalidFormat destination"},
        {R"({"slashtag":"taken"})", "403 InvalidFormat link: AlreadyExists slashtag"},
        {R"({"slashtag":"a b","title":7,"description":"a"})",
         "403 InvalidFormat link: PatternMismatch slashtag, InvalidFormat title, InvalidLength description"},
        {R"({"slashtag":"taken","destination":"nope","ttl":1})",
         "403 InvalidFormat link: OutOfRange ttl, AlreadyExists slashtag, InvalidFormat destination"},
        {R"({"domain":{"id":"x"},"destination":"nope"})",
         "403 InvalidFormat link: InvalidFormat domain.id, InvalidFormat destination"},
        {R"({"domain":{"id":"00000000000000000000000000000001"}})", "404 NotFound domain"},
        {R"({"type":"rotator"})", "403 WrongLinkType link"},
        {R"({"type":"standard"})", "200"},
        {R"({"slashtag":"SALE"})", "200"},
        {R"({})", "200"},
        {"", "200"},
    };
    for (const auto& [body, summary] : cases) {
        INFO(body);
        CHECK(world.send(post("/links/" + id, body)).summary() == summary);
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link moves to another domain and leaves its address", "[links]") {
    ApiWorld world;
    world.domain("one.example");
    const auto id = world.link_id("sale");
    const auto moved = world.send(post("/links/" + id, R"({"domain":{"fullName":"one.example"}})"));
    CHECK(moved.at("shortUrl") == "one.example/sale");
    CHECK(world.link_id("sale") != id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a deleted link is answered once and then gone", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    const auto path = "/links/" + id;
    const auto deleted = world.send(del(path));
    REQUIRE(deleted.status == 200);
    CHECK(deleted.at("id") == id);
    CHECK(deleted.at("status") == "deleted");
    CHECK(world.send(get(path)).summary() == "404 NotFound link");
    CHECK(world.send(del(path)).summary() == "403 DeletedLink link");
    CHECK(world.send(post(path, R"({"title":5})")).summary() == "403 DeletedLink link");
    CHECK(world.send(post(path + "/favourite", R"({"favourite":true})")).summary() == "403 DeletedLink link");
    CHECK(world.send(get("/links/count")).at("count") == "0");
    CHECK(world.link_id("sale") != id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a DELETE or GET may carry a body", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    auto read = get("/links/" + id);
    read.body = "{}";
    CHECK(world.send(read).status == 200);
    auto remove = del("/links/" + id);
    remove.body = "{}";
    CHECK(world.send(remove).status == 200);
}

TEST_CASE("a favourite is set, kept and taken back", "[links]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale") + "/favourite";
    CHECK(world.send(post(path, R"({"favourite":true})")).at("favourite") == "true");
    CHECK(world.send(post(path, R"({"favourite":true})")).at("favourite") == "true");
    CHECK(world.send(get("/links/count?favourite=true")).at("count") == "1");
    CHECK(world.send(post_form(path, "favourite=0")).at("favourite") == "false");
    for (const auto* body : {"", "{}", R"({"favourite":""})", R"({"favourite":null})"})
        CHECK(world.send(post(path, body)).summary() == "403 InvalidFormat link: RequiredField favourite");
    CHECK(world.send(post(path, R"({"favourite":"yes"})")).summary() ==
          "403 InvalidFormat link: InvalidFormat favourite");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("only a classic workspace has favourites to toggle, and only on a domain in force", "[links]") {
    ApiWorld world;
    const auto domain = world.domain("one.example");
    const auto id = world.link_id("sale", R"(,"domain":{"fullName":"one.example"})");
    const auto favour = post("/links/" + id + "/favourite", R"({"favourite":true})");
    world.set_domain(domain, {.revoked = Change<bool>::set(true)});
    CHECK(world.send(favour).summary() == "403 RevokedDomain domain");
    world.set_domain(domain, {.revoked = Change<bool>::set(false)});
    for (const auto type : {WorkspaceType::gallery, WorkspaceType::extended}) {
        world.set_workspace([&](Workspace& workspace) { workspace.type = type; });
        CHECK(world.send(favour).summary() == "403 WrongWorkspaceType workspace");
    }
}

TEST_CASE("a revoked workspace refuses every write of links, and shows them", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale");
    world.set_workspace([](Workspace& workspace) { workspace.revoked = true; });
    CHECK(world.send(post("/links/" + id, R"({"title":"B"})")).summary() == "403 RevokedWorkspace workspace");
    CHECK(world.send(get("/links/" + id)).status == 200);
    CHECK(world.send(get("/links")).status == 200);
    CHECK(world.send(del("/links/" + id)).summary() == "403 RevokedWorkspace workspace");
}

TEST_CASE("a link on a revoked domain cannot move", "[links]") {
    ApiWorld world;
    const auto domain = world.domain("one.example");
    const auto id = world.link_id("sale", R"(,"domain":{"fullName":"one.example"})");
    world.set_domain(domain, {.revoked = Change<bool>::set(true)});
    CHECK(world.send(post("/links/" + id, R"({"domain":{"fullName":"go.example.com"}})")).summary() ==
          "403 RevokedDomain domain");
    CHECK(world.send(post("/links/" + id, R"({"title":"B"})")).status == 200);
}

TEST_CASE("a guest changes and deletes its own links only", "[links]") {
    ApiWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).as(guest.key).with("Workspace", world.workspace_id()));
    };
    const auto ours = "/links/" + world.link_id("ours");
    const auto made = as_guest(post("/links", R"({"destination":"https://example.com/"})"));
    REQUIRE(made.status == 200);
    const auto theirs = "/links/" + made.at("id");
    CHECK(as_guest(get(ours)).status == 200);
    CHECK(as_guest(post(theirs, R"({"title":"B"})")).status == 200);
    CHECK(as_guest(post(ours, R"({"title":"B"})")).summary() == "403 Forbidden link");
    CHECK(as_guest(post(ours + "/favourite", R"({"favourite":true})")).summary() == "403 Forbidden link");
    CHECK(as_guest(post(ours + "/favourite", "{}")).summary() == "403 Forbidden link"); // before the body
    CHECK(as_guest(del(ours)).summary() == "403 Forbidden link");
    CHECK(as_guest(del(theirs)).status == 200);
    CHECK(world.send(get(ours)).at("title") == "Link ours");
}

TEST_CASE("an expired link is expired on the second", "[links]") {
    ApiWorld world;
    const auto id = world.link_id("sale", R"(,"ttl":60)");
    world.clock.advance_seconds(59);
    CHECK(world.send(get("/links/" + id)).at("status") == "active");
    world.clock.advance_seconds(1);
    CHECK(world.send(get("/links/" + id)).at("status") == "expired");
    CHECK(world.send(get("/links")).column("id").empty());
    CHECK(world.send(get("/links?status.active=false")).column("id") == id);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is paused by 'active' and stays so when it is posted back whole", "[links]") {
    ApiWorld world;
    const auto path = "/links/" + world.link_id("sale");
    const auto paused = world.send(post(path, R"({"active":false})"));
    CHECK(paused.at("status") == "paused");
    CHECK(world.send(post(path, paused.body)).at("status") == "paused");
    CHECK(world.send(post(path, R"({"active":""})")).at("status") == "paused");
    CHECK(world.send(get("/links")).body == "[]");
    CHECK(world.send(get("/links?status.active=false")).column("status") == "paused");
    CHECK(world.send(post_form(path, "active=true")).at("status") == "active");
    CHECK(world.send(get("/links")).column("slashtag") == "sale");
}

TEST_CASE("a link says itself what becomes of parameters, or leaves it to its domain", "[links]") {
    ApiWorld world;
    const auto plain = world.link(R"({"destination":"https://example.com/"})");
    CHECK(plain.at("forwardParameters") == "true");
    CHECK(plain.at("forwarding") == "(absent)");
    const auto own = world.link(R"({"destination":"https://example.com/","forwardParameters":true})");
    CHECK(own.at("forwarding") == R"({"parameters":true})");
    const auto set = [&](const Answer& link, std::string_view body) {
        return world.send(post("/links/" + link.at("id"), body));
    };
    CHECK(set(plain, R"({"forwarding":{"onConflict":"both"}})").at("forwarding") ==
          R"({"onConflict":"both"})");
    world.set_domain(world.installed.domain, {.forward_parameters = Change<bool>::set(false)});
    const auto read = world.send(get("/links/" + plain.at("id")));
    CHECK(read.at("forwardParameters") == "false");
    CHECK(world.send(get("/links/" + own.at("id"))).at("forwardParameters") == "true");
    CHECK(set(plain, read.body).at("forwarding") == R"({"onConflict":"both"})"); // says nothing new
    CHECK(set(plain, R"({"forwarding":{"parameters":false}})").at("forwarding") ==
          R"({"parameters":false,"onConflict":"both"})");
    world.set_domain(world.installed.domain, {.forward_parameters = Change<bool>::set(true)});
    CHECK(set(plain, "{}").at("forwardParameters") == "false");
    CHECK(set(plain, R"({"forwarding":{"parameters":null}})").at("forwardParameters") == "true");
    CHECK(set(plain, R"({"forwarding":null})").at("forwarding") == "(absent)");
    const std::string both =
        "403 InvalidFormat link: InvalidFormat forwardParameters, InvalidFormat forwarding.parameters";
    CHECK(set(plain, R"({"forwardParameters":false,"forwarding":{"parameters":true}})").summary() == both);
    CHECK(set(own, R"({"forwardParameters":false,"forwarding":{"parameters":true}})").at("forwarding") ==
          R"({"parameters":false})"); // of the two the one that is not as it was
    CHECK(world
              .send(post("/links", R"({"destination":"https://example.com/","forwardParameters":false,
                                        "forwarding":{"parameters":true,"onConflict":"both"}})"))
              .summary() == both);
    CHECK(world
              .send(get("/links/new?destination=https://example.com/&forwarding[onConflict]=visitor"
                        "&forwarding.parameters=false"))
              .at("forwarding") == R"({"parameters":false,"onConflict":"visitor"})");
    CHECK(set(plain, R"({"forwarding":{"parameters":1.5,"onConflict":"me"},"title":7})").summary() ==
          "403 InvalidFormat link: InvalidFormat title, InvalidFormat forwarding.parameters, InvalidFormat "
          "forwarding.onConflict");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link says where it leads when it has ended, until null takes that away", "[links]") {
    ApiWorld world;
    const auto link = world.link(
        R"({"destination":"https://example.com/","slashtag":"a","expiredUrl":"https://example.com/{path}?at={domain}"})");
    CHECK(link.at("expiredUrl") == "https://example.com/{path}?at={domain}");
    const auto set = [&](std::string_view body) { return world.send(post("/links/" + link.at("id"), body)); };
    CHECK(set(link.body).at("expiredUrl") == "https://example.com/{path}?at={domain}");
    CHECK(set(R"({"expiredUrl":""})").at("expiredUrl") == "https://example.com/{path}?at={domain}");
    CHECK(set(R"({"expiredUrl":"https://example.com/b"})").at("expiredUrl") == "https://example.com/b");
    CHECK(set(R"({"expiredUrl":"javascript:x"})").summary() ==
          "403 InvalidFormat link: InvalidFormat expiredUrl");
    CHECK(set(R"({"expiredUrl":"https://{domain}/a"})").summary() ==
          "403 InvalidFormat link: InvalidFormat expiredUrl");
    CHECK(set(R"({"expiredUrl":"https://go.example.com/a"})").summary() ==
          "403 InvalidFormat link: InvalidFormat expiredUrl");
    CHECK(set(R"({"expiredUrl":null})").at("expiredUrl") == "(absent)");
    CHECK(world.inconsistency().empty());
}

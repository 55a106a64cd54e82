// Links by what a system of the workspace's own calls them: the field externalId, and the paths by it.
#include "tests/api/api_world.h"
#include "tests/support/workspaces.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::string_view path_of_4711 = "/links/by-external-id/4711";
constexpr std::string_view plain_link = R"({"destination":"https://example.com/"})";

std::string links_of(ApiWorld& world) { return world.send(get("/links/count")).at("count"); }

} // namespace

TEST_CASE("a link has the external id that it is given, until null takes it away", "[external ids]") {
    ApiWorld world;
    CHECK(world.link(plain_link).at("externalId") == "(absent)");
    const auto made = world.link(R"({"destination":"https://example.com/","externalId":"4711"})");
    CHECK(made.at("externalId") == "4711");
    const auto path = "/links/" + made.at("id");
    CHECK(world.send(get(path)).at("externalId") == "4711");
    CHECK(world.send(get(path_of_4711)).body == world.send(get(path)).body);
    CHECK(world.send(get("/links")).at("0.externalId") == "4711");
    CHECK(world.send(post(path, R"({"externalId":""})")).at("externalId") == "4711");
    CHECK(world.send(post(path, R"({"externalId":"4712"})")).at("externalId") == "4712");
    CHECK(world.send(get(path_of_4711)).summary() == "404 NotFound link");
    CHECK(world.send(post(path, R"({"externalId":null})")).at("externalId") == "(absent)");
    CHECK(world.send(get("/links/by-external-id/4712")).summary() == "404 NotFound link");
    CHECK(world.send(get("/links/new?destination=https://example.com/&externalId=by%20query"))
              .at("externalId") == "by query");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what an external id must keep to", "[external ids]") {
    ApiWorld world;
    world.link(R"({"destination":"https://example.com/","externalId":"4711"})");
    const auto refusal = [&](std::string_view value) {
        const auto body = fmt::format(R"({{"destination":"https://example.com/","externalId":{}}})", value);
        return world.send(post("/links", body)).summary();
    };
    CHECK(refusal(R"("4711")") == "403 InvalidFormat link: AlreadyExists externalId");
    CHECK(refusal(fmt::format("\"{}\"", std::string(256, 'a'))) ==
          "403 InvalidFormat link: InvalidLength externalId");
    CHECK(refusal(R"("a\nb")") == "403 InvalidFormat link: InvalidFormat externalId");
    CHECK(refusal(R"("a\u0000b")") == "403 InvalidFormat link: InvalidFormat externalId");
    CHECK(refusal("4712") == "403 InvalidFormat link: InvalidFormat externalId");
    CHECK(refusal(R"("4711 ")") == "200");
    CHECK(refusal(R"("a\u200bb")") == "200");
    CHECK(refusal("null") == "200");
}

TEST_CASE("a PUT makes the link that has an external id, and changes it from then on", "[external ids]") {
    ApiWorld world;
    const auto made = world.send(put(
        path_of_4711,
        R"({"destination":"https://example.com/a","slashtag":"chair","title":"Chair","favourite":true})"));
    REQUIRE(made.status == 200);
    CHECK(made.at("externalId") == "4711");
    CHECK(made.at("shortUrl") == "go.example.com/chair");
    CHECK(made.at("favourite") == "true");

    world.clock.advance_seconds(1);
    const auto changed = world.send(put(path_of_4711, R"({"destination":"https://example.com/b"})"));
    REQUIRE(changed.status == 200);
    CHECK(changed.at("id") == made.at("id"));
    CHECK(changed.at("destination") == "https://example.com/b");
    CHECK(changed.at("shortUrl") == "go.example.com/chair"); // what is left out stays
    CHECK(changed.at("title") == "Chair");
    CHECK(changed.at("favourite") == "true");
    CHECK(changed.at("updatedAt") == "2027-01-15T08:00:01.000Z");
    CHECK(world.send(get(path_of_4711)).body == changed.body);
    CHECK(links_of(world) == "1");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a PUT that says what is so already changes nothing", "[external ids]") {
    ApiWorld world;
    constexpr std::string_view body =
        R"({"destination":"https://example.com/","slashtag":"chair","externalId":"4711","expiresAt":"2028-01-01T00:00:00.000Z"})";
    const auto made = world.send(put(path_of_4711, body));
    world.clock.advance_seconds(1);
    CHECK(world.send(put(path_of_4711, body)).body == made.body);
    CHECK(world.send(put(path_of_4711, made.body)).body == made.body); // all that GET answers
    CHECK(world.send(get(fmt::format("/links/{}/history", made.at("id")))).column("type") == "link.created");
    CHECK(links_of(world) == "1");
}

TEST_CASE("a body means the same whether a PUT makes the link or changes it", "[external ids]") {
    ApiWorld world;
    const auto refusal = [&](std::string_view body) {
        const auto answer = world.send(put(path_of_4711, body)).summary();
        CHECK(world.send(put("/links/by-external-id/unknown", body)).summary() == answer);
        return answer;
    };
    world.send(put(path_of_4711, plain_link));
    CHECK(refusal("{}") == "403 InvalidFormat link: RequiredField destination");
    CHECK(refusal(R"({"title":"T"})") == "403 InvalidFormat link: RequiredField destination");
    CHECK(refusal(R"({"destination":"javascript:x","favourite":7})") ==
          "403 InvalidFormat link: InvalidFormat favourite, InvalidFormat destination");
    CHECK(refusal(R"({"destination":"https://example.com/","externalId":"other"})") ==
          "403 InvalidFormat link: InvalidFormat externalId");
    CHECK(refusal("[]") == "400 InvalidFormat request");
    CHECK(refusal("{") == "400 InvalidFormat request");
    CHECK(links_of(world) == "1");

    constexpr std::string_view paused =
        R"({"destination":"https://example.com/new","active":false,"externalId":null})";
    CHECK(world.send(put(path_of_4711, paused)).at("status") == "active");
    CHECK(world.send(put("/links/by-external-id/new", paused)).at("status") == "active");
    CHECK(world.send(get(path_of_4711)).at("externalId") == "4711");
    CHECK(world.send(put(path_of_4711, R"({"destination":"https://example.com/","type":"rotator"})"))
              .summary() == "403 WrongLinkType link");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the external id of a path is percent-decoded, and may be any text", "[external ids]") {
    ApiWorld world;
    for (const auto& [segment, external_id] : {std::pair{"a%2Fb%20c", "a/b c"},
                                               {"d+e", "d+e"},
                                               {"%252F", "%2F"},
                                               {"count", "count"},
                                               {"rules", "rules"},
                                               {"Count", "Count"},
                                               {"%C3%A4", "\xc3\xa4"},
                                               {"%3Fa%3D1", "?a=1"}}) {
        INFO(segment);
        const auto path = fmt::format("/links/by-external-id/{}", segment);
        CHECK(world.send(put(path, plain_link)).at("externalId") == external_id);
        CHECK(world.send(get(path)).at("externalId") == external_id);
        CHECK(world.send(del(path)).at("externalId") == external_id);
        CHECK(world.send(get(path)).at("id") == external_id); // what was not found
    }
    for (const auto* segment : {"%00", "a%0Ab", "%FF", "%7F"})
        CHECK(world.send(put(fmt::format("/links/by-external-id/{}", segment), plain_link)).summary() ==
              "403 InvalidFormat link: InvalidFormat externalId");
    const auto long_path = "/links/by-external-id/" + std::string(256, 'a');
    CHECK(world.send(put(long_path, plain_link)).summary() ==
          "403 InvalidFormat link: InvalidLength externalId");
    CHECK(world.send(get(long_path)).summary() == "404 NotFound link");
    CHECK(links_of(world) == "0");
}

TEST_CASE("paths by an external id are no links' own", "[external ids]") {
    ApiWorld world;
    CHECK(world.send(get("/links/by-external-id")).summary() == "404 NotFound endpoint");
    CHECK(world.send(post("/links/by-external-id", plain_link)).summary() == "404 NotFound endpoint");
    CHECK(world.send(put("/links/by-external-id/", plain_link)).summary() == "404 NotFound endpoint");
    CHECK(world.send(post(path_of_4711, plain_link)).summary() == "405 MethodNotAllowed request");
    CHECK(world.send(post(path_of_4711, plain_link)).header("Allow") == "GET, HEAD, PUT, DELETE, OPTIONS");
    CHECK(world.send(head(path_of_4711)).status == 404);
    CHECK(links_of(world) == "0");
}

TEST_CASE("a link that is deleted by its external id gives that up", "[external ids]") {
    ApiWorld world;
    const auto first = world.send(put(path_of_4711, plain_link)).at("id");
    const auto gone = world.send(del(path_of_4711));
    CHECK(gone.at("id") == first);
    CHECK(gone.at("status") == "deleted");
    CHECK(gone.at("externalId") == "4711");
    for (const auto& call : {get(path_of_4711), del(path_of_4711)})
        CHECK(world.send(call).summary() == "404 NotFound link");
    const auto second = world.send(put(path_of_4711, plain_link)).at("id");
    CHECK(second != first);
    const auto deleted = world.send(get("/links/" + first + "/history")).at("0.id");
    const auto restore = [&] {
        return world.send(post("/links/" + first + "/restore", fmt::format(R"({{"event":"{}"}})", deleted)));
    };
    CHECK(restore().summary() == "403 InvalidFormat link: AlreadyExists externalId");
    CHECK(world.send(post("/links/" + second, R"({"externalId":null})")).status == 200);
    CHECK(restore().at("externalId") == "4711");
    CHECK(world.send(get(path_of_4711)).at("id") == first);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("external ids are each workspace's own", "[external ids][threat-15]") {
    ApiWorld world;
    const auto outsider = world.outsider();
    const auto ours = world.send(put(path_of_4711, plain_link)).at("id");
    for (const auto& call : {get(path_of_4711), del(path_of_4711)})
        CHECK(world.send(Call(call).as(outsider.key)).summary() == "404 NotFound link");
    const auto theirs = world.send(put(path_of_4711, plain_link).as(outsider.key));
    CHECK(theirs.status == 200);
    CHECK(theirs.at("id") != ours);
    CHECK(world.send(get(path_of_4711)).at("id") == ours);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a guest makes links by external ids, and changes its own only", "[external ids]") {
    ApiWorld world;
    const auto guest = world.colleague(Role::guest);
    const auto as_guest = [&](Call call) {
        return world.send(std::move(call).as(guest.key).with("Workspace", world.workspace_id()));
    };
    world.send(put(path_of_4711, plain_link));
    CHECK(as_guest(get(path_of_4711)).status == 200);
    CHECK(as_guest(put(path_of_4711, plain_link)).summary() == "403 Forbidden link");
    CHECK(as_guest(put(path_of_4711, "{")).summary() == "403 Forbidden link"); // before the body
    CHECK(as_guest(del(path_of_4711)).summary() == "403 Forbidden link");
    constexpr std::string_view own = "/links/by-external-id/own";
    CHECK(as_guest(put(own, plain_link)).status == 200);
    CHECK(as_guest(put(own, R"({"destination":"https://example.com/b"})")).status == 200);
    CHECK(as_guest(del(own)).status == 200);
}

TEST_CASE("a PUT by an external id is one call of its account in events and limits", "[external ids]") {
    ApiWorld world;
    set_plan(world, {.links = Change<std::int64_t>::set(1)});
    const auto made = world.send(put(path_of_4711, plain_link)).at("id");
    CHECK(world.send(put("/links/by-external-id/4712", plain_link)).summary() == "403 LimitReached link");
    world.clock.advance_seconds(1);
    CHECK(world.send(put(path_of_4711, R"({"destination":"https://example.com/b"})")).status == 200);
    world.clock.advance_seconds(1);
    CHECK(world.send(post("/links/" + made, R"({"externalId":"4713"})")).status == 200);
    const auto history = world.send(get("/links/" + made + "/history?orderDir=asc"));
    CHECK(history.column("type") == "link.created link.updated link.updated");
    CHECK(history.at("0.by.call") == "putLinkByExternalId");
    CHECK(history.at("1.by.call") == "putLinkByExternalId");
    CHECK(history.at("1.changes") ==
          R"([{"field":"destination","before":"https://example.com/","after":"https://example.com/b"}])");
    CHECK(history.at("2.changes") == R"([{"field":"externalId","before":"4711","after":"4713"}])");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a PUT by an external id may be repeated and has conditions", "[external ids]") {
    ApiWorld world;
    const auto absent = world.send(put(path_of_4711, plain_link).with("If-Match", "*"));
    CHECK(absent.summary() == "412 PreconditionFailed request");
    CHECK(links_of(world) == "0");

    const auto keyed = [] { return put(path_of_4711, plain_link).with("Idempotency-Key", "k"); };
    const auto made = world.send(keyed());
    CHECK(made.status == 200);
    CHECK(made.header("ETag") == world.send(get(path_of_4711)).header("ETag"));
    CHECK(world.send(get(path_of_4711).with("If-None-Match", made.header("ETag"))).status == 304);
    CHECK(world.send(del(path_of_4711).with("If-Match", "\"x\"")).summary() ==
          "412 PreconditionFailed request");
    const auto changed = world.send(put(path_of_4711, R"({"destination":"https://example.com/b"})")
                                        .with("If-Match", made.header("ETag")));
    CHECK(changed.at("destination") == "https://example.com/b");
    CHECK(world.send(put(path_of_4711, plain_link).with("If-Match", made.header("ETag"))).summary() ==
          "412 PreconditionFailed request");
    const auto again = world.send(keyed());
    CHECK(again.header("Idempotent-Replayed") == "true");
    CHECK(again.body == made.body);
    CHECK(world.send(get(path_of_4711)).at("destination") == "https://example.com/b");
}

TEST_CASE("links made together may have external ids, each its own", "[external ids]") {
    ApiWorld world;
    const auto made = world.send(put("/links", R"([{"destination":"https://example.com/","externalId":"a"},
                                                   {"destination":"https://example.com/","externalId":"b"}])"));
    CHECK(made.column("externalId") == "a b");
    CHECK(world
              .send(put("/links", R"([{"destination":"https://example.com/","externalId":"c"},
                                       {"destination":"https://example.com/","externalId":"a"},
                                       {"destination":"https://example.com/","externalId":"c"}])"))
              .summary() ==
          "403 InvalidFormat link: AlreadyExists [1].externalId, AlreadyExists [2].externalId");
    CHECK(links_of(world) == "2");
}

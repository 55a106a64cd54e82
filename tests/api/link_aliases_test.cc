// One link on several addresses, over the API (wire "Link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a link shows its other slashtags, and null takes them away", "[links]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/","slashtag":"sale","aliases":["Summer","fair"]})");
    CHECK(link.at("aliases") == R"(["Summer","fair"])");
    CHECK(link.at("shortUrl") == "go.example.com/sale");
    const auto path = "/links/" + link.at("id");
    CHECK(world.send(post(path, link.body)).body == link.body);
    CHECK(world.send(post(path, R"({"aliases":["fair"]})")).at("aliases") == R"(["fair"])");
    CHECK(world.send(post(path, R"({"aliases":null})")).at("aliases") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link is found by the address of another slashtag", "[links]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/","slashtag":"sale","aliases":["summer"]})");
    CHECK(world.send(get("/links/search?term=https://go.example.com/summer")).at("0.id") == link.at("id"));
}

TEST_CASE("eleven other slashtags are too many, and a bad one is named by its place", "[links]") {
    ApiWorld world;
    CHECK(world
              .send(post("/links", R"({"destination":"https://example.com/","aliases":
                                       ["a1","a2","a3","a4","a5","a6","a7","a8","a9","b1","b2"]})"))
              .summary() == "403 InvalidFormat link: OutOfRange aliases");
    CHECK(
        world.send(post("/links", R"({"destination":"https://example.com/","aliases":["fine","not fine"]})"))
            .summary() == "403 InvalidFormat link: PatternMismatch aliases[1]");
    CHECK(world.send(get("/links/count")).at("count") == "0");
}

TEST_CASE("a link that is put back has its slashtags again, unless somebody has one of them", "[links]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/","slashtag":"sale","aliases":["summer"]})");
    const auto path = "/links/" + link.at("id");
    world.clock.advance_seconds(1);
    REQUIRE(world.send(del(path)).status == 200);
    const auto event = R"({"event":")" + world.send(get(path + "/history")).at("0.id") + R"("})";
    const auto other = world.link(R"({"destination":"https://example.com/","slashtag":"summer"})");
    CHECK(world.send(post(path + "/restore", event)).summary() ==
          "403 InvalidFormat link: AlreadyExists aliases[0]");
    REQUIRE(world.send(del("/links/" + other.at("id"))).status == 200);
    CHECK(world.send(post(path + "/restore", event)).at("aliases") == R"(["summer"])");
    CHECK(world.inconsistency().empty());
}

// Links that not everybody gets to: passwords and numbers of clicks over the API (wire "Link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a link's password is said to be there and never shown", "[links]") {
    ApiWorld world;
    const auto link =
        world.link(R"({"destination":"https://example.com/","slashtag":"sale","password":"open sesame"})");
    CHECK(link.at("passwordSetAt") == "2027-01-15T08:00:00.000Z");
    CHECK(link.at("password") == "(absent)");
    CHECK(link.body.find("sesame") == std::string::npos);
    CHECK(link.body.find("argon2") == std::string::npos);
    const auto path = "/links/" + link.at("id");
    world.clock.advance_seconds(60);
    CHECK(world.send(post(path, R"({"title":"A"})")).at("passwordSetAt") == "2027-01-15T08:00:00.000Z");
    CHECK(world.send(post(path, R"({"password":"another one"})")).at("passwordSetAt") ==
          "2027-01-15T08:01:00.000Z");
    const auto history = world.send(get(path + "/history"));
    CHECK(history.body.find("passwordSetAt") != std::string::npos);
    CHECK(history.body.find("another one") == std::string::npos);
    CHECK(history.body.find("argon2") == std::string::npos);
    CHECK(world.send(post(path, R"({"password":null})")).at("passwordSetAt") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link says how many clicks it is for and how many are left", "[links]") {
    ApiWorld world;
    const auto link = world.link(R"({"destination":"https://example.com/","slashtag":"sale","maxClicks":3})");
    CHECK(link.at("maxClicks") == "3");
    CHECK(link.at("clicksLeft") == "3");
    const auto path = "/links/" + link.at("id");
    CHECK(world.send(post(path, R"({"maxClicks":1000000000})")).at("clicksLeft") == "1000000000");
    const auto without = world.send(post(path, R"({"maxClicks":null})"));
    CHECK(without.at("maxClicks") == "(absent)");
    CHECK(without.at("clicksLeft") == "(absent)");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a bad password and a bad number of clicks are named together, and change nothing", "[links]") {
    ApiWorld world;
    CHECK(world
              .send(post("/links",
                         R"({"destination":"https://example.com/","password":"12345","maxClicks":0})"))
              .summary() == "403 InvalidFormat link: OutOfRange maxClicks, InvalidFormat password");
    CHECK(world.send(get("/links/count")).at("count") == "0");
    const auto link = world.link(R"({"destination":"https://example.com/","slashtag":"sale"})");
    const auto path = "/links/" + link.at("id");
    CHECK(world.send(post(path, R"({"password":"12345"})")).summary() ==
          "403 InvalidFormat link: InvalidFormat password");
    CHECK(world.send(post(path, R"({"maxClicks":1000000001})")).summary() ==
          "403 InvalidFormat link: OutOfRange maxClicks");
    CHECK(world.send(get(path)).body == link.body);
}

TEST_CASE("a link that is put back has the password and the bound that it had", "[links]") {
    ApiWorld world;
    const auto link = world.link(
        R"({"destination":"https://example.com/","slashtag":"sale","password":"open sesame","maxClicks":7})");
    const auto path = "/links/" + link.at("id");
    world.clock.advance_seconds(60);
    REQUIRE(world.send(post(path, R"({"password":null,"maxClicks":null})")).status == 200);
    const auto event = world.send(get(path + "/history")).at("0.id");
    const auto restored = world.send(post(path + "/restore", R"({"event":")" + event + R"("})"));
    CHECK(restored.at("passwordSetAt") == "2027-01-15T08:00:00.000Z");
    CHECK(restored.at("maxClicks") == "7");
    CHECK(world.inconsistency().empty());
}

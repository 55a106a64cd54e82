// Scripts over the wire (wire "Parts of a link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string make(ApiWorld& world, const std::string& name) {
    const auto answer = world.send(post("/scripts", fmt::format(R"({{"name":"{}","value":"x"}})", name)));
    REQUIRE(answer.status == 200);
    return answer.at("id");
}

} // namespace

TEST_CASE("a script is answered as the interface shows it, its text as it was given", "[scripts]") {
    ApiWorld world;
    const auto made =
        world.send(post("/scripts", R"({"name":"Pixel","value":"<script>a('\"')</script>\n"})"));
    const auto id = made.at("id");
    CHECK(made.body ==
          R"({"id":")" + id +
              R"(","name":"Pixel","value":"<script>a('\"')</script>\n","uri":"",)"
              R"("createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:00.000Z"})");
    CHECK(world.send(get("/scripts/" + id)).body == made.body);
    world.clock.advance_seconds(1);
    const auto changed =
        world.send(post("/scripts/" + id, R"({"value":null,"uri":"https://example.com/x.js"})"));
    CHECK(changed.body ==
          R"({"id":")" + id +
              R"(","name":"Pixel","value":"","uri":"https://example.com/x.js",)"
              R"("createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:01.000Z"})");
    CHECK(world.send(post("/scripts/" + id, changed.body)).at("uri") == "https://example.com/x.js");
    CHECK(world.send(post("/scripts/" + id, R"({"uri":null})")).summary() ==
          "403 InvalidFormat script: RequiredField value");
    CHECK(world.send(del("/scripts/" + id)).at("name") == "Pixel");
    CHECK(world.send(get("/scripts/" + id)).summary() == "404 NotFound script");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("creating a script refuses every problem at once", "[scripts]") {
    struct Scenario {
        std::string_view name;
        std::string body;
        std::string_view summary;
    };
    const auto value_of = [](std::size_t bytes) {
        return fmt::format(R"({{"name":"a","value":"{}"}})", std::string(bytes, 'x'));
    };
    const Scenario scenarios[] = {
        {"nothing given", "{}", "403 InvalidFormat script: RequiredField name, RequiredField value"},
        {"no text and no address", R"({"name":"a","value":"","uri":""})",
         "403 InvalidFormat script: RequiredField value"},
        {"a dangerous address", R"({"name":"a","uri":"javascript:alert`1`"})",
         "403 InvalidFormat script: InvalidFormat uri"},
        {"an address alone", R"({"name":"a","uri":"https://example.com/x.js"})", "200"},
        {"a long name", fmt::format(R"({{"name":"{}","value":"x"}})", std::string(256, 'n')),
         "403 InvalidFormat script: InvalidLength name"},
        {"a name of 255 characters", fmt::format(R"({{"name":"{}","value":"x"}})", std::string(255, 'n')),
         "200"},
        {"65,536 characters", value_of(65'536), "200"},
        {"65,537 characters", value_of(65'537), "403 InvalidFormat script: InvalidLength value"},
    };
    ApiWorld world;
    for (const auto& [name, body, summary] : scenarios) {
        INFO(name);
        CHECK(world.send(post("/scripts", body)).summary() == summary);
    }
}

TEST_CASE("scripts are listed and counted with the parameters of every list", "[scripts]") {
    ApiWorld world;
    std::vector<std::string> ids;
    for (const auto* name : {"beta", "Alpha", "gamma"}) {
        world.clock.advance_seconds(1);
        ids.push_back(make(world, name));
    }
    CHECK(world.send(get("/scripts")).column("name") == "gamma beta Alpha");
    CHECK(world.send(get("/scripts?orderBy=createdAt&orderDir=asc")).column("name") == "beta Alpha gamma");
    CHECK(world.send(get("/scripts?term=PH")).column("name") == "Alpha");
    CHECK(world.send(get("/scripts?limit=1&last=" + ids[2])).column("name") == "beta");
    CHECK(world.send(get("/scripts?orderBy=value")).summary() ==
          "403 InvalidFormat script: InvalidFormat orderBy");
    CHECK(world.send(get("/scripts/count")).body == R"({"count":3})");
    CHECK(world.send(get("/scripts/count?term=PH")).body == R"({"count":1})");
}

TEST_CASE("a script of another workspace is not found by anything", "[scripts]") {
    ApiWorld world;
    const auto id = make(world, "mine");
    const auto link = world.link_id("x");
    const auto outsider = world.outsider();
    for (const auto& call :
         {get("/scripts/" + id), post("/scripts/" + id, R"({"name":"b"})"), del("/scripts/" + id)})
        CHECK(world.send(Call(call).as(outsider.key)).summary() == "404 NotFound script");
    const auto theirs = world.send(post("/scripts", R"({"name":"a","value":"x"})").as(outsider.key)).at("id");
    CHECK(world.send(post("/links/" + link + "/scripts/" + theirs)).summary() == "404 NotFound script");
    CHECK(world.send(del("/links/" + link + "/scripts/" + theirs)).summary() == "404 NotFound script");
    CHECK(world.send(get("/links/" + link + "/scripts?last=" + theirs)).summary() ==
          "403 InvalidFormat script: InvalidFormat last");
}

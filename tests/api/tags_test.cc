// Tags over the wire (interface 4.3, wire "Parts of a link").
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Answer make(ApiWorld& world, const std::string& name) {
    auto answer = world.send(post("/tags", fmt::format(R"({{"name":"{}","color":"#FF8800"}})", name)));
    REQUIRE(answer.status == 200);
    return answer;
}

std::string text_of(std::size_t characters) {
    std::string out;
    for (std::size_t i = 0; i < characters; ++i)
        out += "\xc3\xa4"; // one character of two bytes
    return out;
}

} // namespace

TEST_CASE("a tag is answered as the interface shows it", "[tags]") {
    ApiWorld world;
    const auto made = make(world, "Summer");
    const auto id = made.at("id");
    CHECK(made.body ==
          R"({"id":")" + id +
              R"(","name":"Summer","color":"ff8800","active":true,"clicks":0,"sessions":0,)"
              R"("createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:00.000Z"})");
    CHECK(world.send(get("/tags/" + id)).body == made.body);
    world.clock.advance_seconds(1);
    const auto changed = world.send(post("/tags/" + id, R"({"name":"Winter"})"));
    CHECK(changed.body ==
          R"({"id":")" + id +
              R"(","name":"Winter","color":"ff8800","active":true,"clicks":0,"sessions":0,)"
              R"("createdAt":"2027-01-15T08:00:00.000Z","updatedAt":"2027-01-15T08:00:01.000Z"})");
    CHECK(world.send(post("/tags/" + id, R"({"color":"00AA00","name":""})")).at("color") == "00aa00");
    const auto removed = world.send(del("/tags/" + id));
    CHECK(removed.at("name") == "Winter");
    CHECK(world.send(get("/tags/" + id)).summary() == "404 NotFound tag");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("creating and changing a tag refuse every problem at once", "[tags]") {
    struct Scenario {
        std::string_view name;
        std::string body;
        std::string_view summary;
    };
    const Scenario scenarios[] = {
        {"nothing given", "{}", "403 InvalidFormat tag: RequiredField name"},
        {"empty texts", R"({"name":"","color":""})", "403 InvalidFormat tag: RequiredField name"},
        {"no colour", R"({"name":"a","color":"red"})", "403 InvalidFormat tag: PatternMismatch color"},
        {"five digits", R"({"name":"a","color":"#12345"})", "403 InvalidFormat tag: PatternMismatch color"},
        {"seven digits", R"({"name":"a","color":"1234567"})", "403 InvalidFormat tag: PatternMismatch color"},
        {"a taken name in other case and no colour", R"({"name":"TAKEN","color":"x"})",
         "403 InvalidFormat tag: PatternMismatch color, AlreadyExists name"},
        {"255 characters", fmt::format(R"({{"name":"{}","color":"123456"}})", text_of(255)), "200"},
        {"256 characters", fmt::format(R"({{"name":"{}","color":"123456"}})", text_of(256)),
         "403 InvalidFormat tag: InvalidLength name"},
        {"read-only keys are ignored", R"({"id":"x","clicks":5,"active":false,"name":"b","color":"123456"})",
         "200"},
        {"no object", "[]", "400 InvalidFormat request"},
    };
    ApiWorld world;
    make(world, "taken");
    for (const auto& [name, body, summary] : scenarios) {
        INFO(name);
        CHECK(world.send(post("/tags", body)).summary() == summary);
    }
    const auto id = make(world, "other").at("id");
    CHECK(world.send(post("/tags/" + id, R"({"name":"Taken","color":"zz"})")).summary() ==
          "403 InvalidFormat tag: PatternMismatch color, AlreadyExists name");
    CHECK(world.send(post("/tags/" + id, R"({"name":"OTHER"})")).summary() == "200");
    CHECK(world.send(post("/tags/" + id, "{}")).summary() == "200");
    CHECK(world.send(get("/tags?term=b")).at("0.active") == "true");
}

TEST_CASE("tags are listed and counted with the parameters of every list", "[tags]") {
    ApiWorld world;
    std::vector<std::string> ids;
    for (const auto* name : {"beta", "Alpha", "gamma"}) {
        world.clock.advance_seconds(1);
        ids.push_back(make(world, name).at("id"));
    }
    struct Scenario {
        std::string query, expected;
    };
    const Scenario scenarios[] = {
        {"", "gamma beta Alpha"},
        {"?orderDir=asc", "Alpha beta gamma"},
        {"?orderBy=createdAt&orderDir=asc", "beta Alpha gamma"},
        {"?orderBy=&limit=&last=&term=&status.active=", "gamma beta Alpha"},
        {"?limit=2", "gamma beta"},
        {"?limit=1000", "gamma beta Alpha"},
        {"?limit=1&offset=1", "beta"},
        {"?last=" + ids[0], "Alpha"},
        {"?last=" + ids[1], ""},
        {"?term=ALPH", "Alpha"},
        {"?status.active=true", "gamma beta Alpha"},
        {"?status[active]=false", ""},
    };
    for (const auto& [query, expected] : scenarios) {
        INFO(query);
        CHECK(world.send(get("/tags" + query)).column("name") == expected);
    }
    CHECK(world.send(get("/tags?limit=0")).summary() == "403 InvalidFormat tag: OutOfRange limit");
    CHECK(world.send(get("/tags?limit=x&orderBy=color&last=1")).summary() ==
          "403 InvalidFormat tag: InvalidFormat limit, InvalidFormat orderBy, InvalidFormat last");
    CHECK(world.send(get("/tags/count")).body == R"({"count":3})");
    CHECK(world.send(get("/tags/count?term=a")).body == R"({"count":3})");
    CHECK(world.send(get("/tags/count?term=mm&status.active=true")).body == R"({"count":1})");
    CHECK(world.send(get("/tags/count?status.active=false")).body == R"({"count":0})");
    CHECK(world.send(get("/tags/count?status.active=maybe")).summary() ==
          "403 InvalidFormat tag: InvalidFormat status.active");
}

TEST_CASE("a tag of another workspace is not found by anything", "[tags]") {
    ApiWorld world;
    const auto id = make(world, "mine").at("id");
    const auto link = world.link_id("x");
    const auto outsider = world.outsider();
    CHECK(world.send(get("/tags/" + id).as(outsider.key)).summary() == "404 NotFound tag");
    CHECK(world.send(get("/tags/" + id).as(outsider.key)).at("id") == id);
    CHECK(world.send(post("/tags/" + id, R"({"name":"b"})").as(outsider.key)).summary() ==
          "404 NotFound tag");
    CHECK(world.send(del("/tags/" + id).as(outsider.key)).summary() == "404 NotFound tag");
    CHECK(world.send(get("/tags").as(outsider.key)).body == "[]");
    CHECK(world.send(get("/tags?last=" + id).as(outsider.key)).summary() ==
          "403 InvalidFormat tag: InvalidFormat last");
    const auto theirs =
        world.send(post("/tags", R"({"name":"theirs","color":"123456"})").as(outsider.key)).at("id");
    CHECK(world.send(post("/links/" + link + "/tags/" + theirs)).summary() == "404 NotFound tag");
    CHECK(world.send(del("/links/" + link + "/tags/" + theirs)).summary() == "404 NotFound tag");
    CHECK(world.send(post("/links", R"({"destination":"https://example.com/","tags":[")" + theirs + R"("]})"))
              .summary() == "403 InvalidFormat link: NotFound tags[0]");
    CHECK(world.send(get("/links?tag.id=" + theirs)).body == "[]");
    CHECK(world.send(get("/tags/not-an-id")).summary() == "404 NotFound tag");
}

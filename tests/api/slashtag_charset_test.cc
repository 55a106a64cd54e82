// Slashtags of all scripts over the API, on a domain that allows them.
#include "tests/api/api_world.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a domain of all scripts has links with such slashtags, and slashes in them", "[domains]") {
    ApiWorld world;
    const auto domain = world.send(post("/domains", R"({"fullName":"mine.example"})"));
    const auto id = domain.at("id");
    world.txt_records[domain.at("verification.name")] = {domain.at("verification.value")};
    REQUIRE(world.send(post("/domains/" + id + "/verify")).at("verified") == "true");
    const auto set = [&](std::string_view json) { return world.send(patch("/domains/" + id, json)); };
    CHECK(set(R"({"slashtag":{"charset":"latin"}})").summary() ==
          "403 InvalidFormat domain: InvalidFormat slashtag.charset");
    CHECK(set(R"({"slashtag":{"charset":"unicode"}})").at("slashtag.charset") == "unicode");
    const auto make = [&](std::string_view slashtag) {
        return world.send(
            post("/links",
                 fmt::format(R"({{"destination":"https://example.com/","domainId":"{}","slashtag":"{}"}})",
                             id, slashtag)));
    };
    const auto link = make("Frühling/日本");
    REQUIRE(link.status == 200);
    CHECK(link.at("slashtag") == "Frühling/日本");
    CHECK(link.at("shortUrl") == "mine.example/Fr%C3%BChling/%E6%97%A5%E6%9C%AC");
    CHECK(world.send(get("/links/" + link.at("id"))).body == link.body);
    CHECK(make("FRÜHLING/日本").summary() == "403 InvalidFormat link: AlreadyExists slashtag");
    CHECK(make("v1/links").summary() == "403 InvalidFormat link: InvalidFormat slashtag");
    for (const auto* slashtag : {"a//b", "/a", "a/..", "a b", "€"})
        CHECK(make(slashtag).summary() == "403 InvalidFormat link: PatternMismatch slashtag");
    const auto found = world.send(get("/links/search?term=mine.example/fr%C3%BChling/%E6%97%A5%E6%9C%AC"));
    CHECK(std::string(found.json.at(0).at("id").as_string()) == link.at("id"));
    CHECK(set(R"({"slashtag":{"charset":"ascii"}})").summary() ==
          "403 InvalidFormat domain: InvalidFormat slashtag.charset");
    CHECK(world.inconsistency().empty());
}

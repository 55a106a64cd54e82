#include "core/ops/slashtags.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string generate(World& world) {
    const auto made = world.write([&](Context& ctx) -> Result<std::string> {
        return generate_slashtag(ctx, TRY(find_domain(ctx, world.installed.domain.id)));
    });
    REQUIRE(made.has_value());
    return *made;
}

// Makes the domain believe that it has so many links.
void pretend_links(World& world, std::int64_t links) {
    const auto tally = schema().links.per_domain.prefix() + data::key(world.installed.domain.id);
    REQUIRE(world.engine->transact([&](data::Txn& txn) { return txn.add(tally, links); }).has_value());
}

} // namespace

TEST_CASE("a generated slashtag is as short as keeps collisions below 1 in 1,000", "[slashtags]") {
    World world;
    CHECK(generate(world).size() == 5);
    pretend_links(world, 28'629); // 31^5 / 1000, rounded down
    CHECK(generate(world).size() == 5);
    pretend_links(world, 1);
    CHECK(generate(world).size() == 6);
    pretend_links(world, 1'000'000);
    CHECK(generate(world).size() == 7);
}

TEST_CASE("generated slashtags are unguessable and spread over the whole alphabet",
          "[slashtags][threat-37]") {
    World world;
    std::set<std::string> seen;
    std::map<char, int> letters;
    for (int i = 0; i < 2000; ++i) {
        const auto slashtag = generate(world);
        seen.insert(slashtag);
        for (const char c : slashtag)
            ++letters[c];
    }
    CHECK(seen.size() >= 1998);
    CHECK(letters.size() == 31);
    for (const auto& [letter, times] : letters) {
        INFO(letter);
        CHECK(times > 200); // 322 expected, standard deviation 18
        CHECK(times < 445);
    }
}

TEST_CASE("a generated slashtag has no blocked word", "[slashtags][threat-37]") {
    World world;
    for (int i = 0; i < 20'000; ++i) {
        const auto slashtag = generate(world);
        for (const char* word : {"fuck", "ass", "sex", "cunt", "kkk"})
            REQUIRE(slashtag.find(word) == std::string::npos);
    }
}

TEST_CASE("a domain without room for another slashtag says so", "[slashtags]") {
    World world;
    const auto tiny = world.domain("t.example.com", {.length_min = 1, .length_max = 1});
    int made = 0;
    Result<LinkDetails> last;
    for (int i = 0; i < 200; ++i) {
        last = world.create({.destination = "https://example.com/", .domain = {.id = tiny.id}});
        if (!last.has_value())
            break;
        ++made;
    }
    CHECK(made >= 20);
    CHECK(made <= 31);
    REQUIRE_FALSE(last.has_value());
    CHECK(last.error().code == "LimitReached");
}

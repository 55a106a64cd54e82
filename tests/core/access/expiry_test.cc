#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const std::string somewhere = "https://example.com/a";

} // namespace

TEST_CASE("a link that expires before those that were known before it does so in time", "[expiry]") {
    World world;
    REQUIRE(world.create({.destination = somewhere, .slashtag = "late", .ttl_seconds = 3600}).has_value());
    CHECK(*world.count({}) == 1);
    REQUIRE(world.create({.destination = somewhere, .slashtag = "soon", .ttl_seconds = 60}).has_value());
    world.clock.advance_seconds(60);
    CHECK(*world.count({}) == 1);
    world.clock.advance_seconds(3600 - 60);
    CHECK(*world.count({}) == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link whose expiry is brought forward expires in time", "[expiry]") {
    World world;
    const auto never = world.create({.destination = somewhere, .slashtag = "never"});
    const auto late = world.create({.destination = somewhere, .slashtag = "late", .ttl_seconds = 3600});
    CHECK(*world.count({}) == 2);
    for (const auto& made : {never, late}) {
        const auto soon = world.clock.time.plus_seconds(100);
        REQUIRE(world.update(made->link.id, {.expires_at = Change<Timestamp>::set(soon)}).has_value());
        CHECK(*world.count({.active = false}) == (made->link.id == never->link.id ? 0 : 1));
        world.clock.advance_seconds(100);
    }
    CHECK(*world.count({}) == 0);
    CHECK(*world.count({.active = false}) == 2);
}

TEST_CASE("links that are many and due at once all expire", "[expiry]") {
    World world;
    constexpr int many = 1100; // more than two batches
    for (int i = 0; i < many; ++i)
        REQUIRE(world.create({.destination = somewhere, .ttl_seconds = 60}).has_value());
    world.clock.advance_seconds(59);
    CHECK(*world.count({}) == many);
    world.clock.advance_seconds(1);
    CHECK(*world.count({}) == 0);
    CHECK(*world.count({.active = false}) == many);
    CHECK(world.inconsistency().empty());
}

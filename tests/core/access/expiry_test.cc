#include "core/schema/schema.h"
#include "core/schema/target.h"
#include "tests/support/must.h"
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

TEST_CASE("a link that has expired stays so, for the API and for visitors, when the clock is set back",
          "[expiry]") {
    World world;
    const auto made =
        must(world.create({.destination = somewhere, .slashtag = "sale", .ttl_seconds = 60})).link;
    // As the redirector looks at it.
    const auto is_open = [&] {
        return must(world.engine->read([&](data::View& view) -> Result<bool> {
            std::vector<data::Entry> entries;
            const auto link = TRY(schema().links.find(view, made.id.view())).value();
            schema().links.short_url.append_entries(link, entries);
            const auto stored = TRY(view.get(*entries.front().space, entries.front().key)).value();
            const auto target = redirect::TargetView::decode(stored).value();
            return !target.expires_at || *target.expires_at > world.clock.time;
        }));
    };
    CHECK(is_open());
    world.clock.advance_seconds(60);
    CHECK_FALSE(is_open());
    CHECK(*world.count({}) == 0);
    world.clock.advance_seconds(-3600);
    CHECK_FALSE(is_open());
    CHECK(*world.count({}) == 0);
    CHECK(*world.count({.active = false}) == 1);

    const auto later = world.clock.time.plus_seconds(100);
    REQUIRE(world.update(made.id, {.expires_at = Change<Timestamp>::set(later)}).has_value());
    CHECK(is_open());
    CHECK(*world.count({}) == 1);
    CHECK(world.inconsistency().empty());
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

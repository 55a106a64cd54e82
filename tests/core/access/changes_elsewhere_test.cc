// That the keys which another server wrote say what the redirect path has to forget.
#include "core/access/changes_elsewhere.h"

#include "tests/support/must.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// As if another server had written all that is in the space.
Changes all_changed(World& world, const data::Space& space) {
    Changes changes;
    must(world.engine->read([&](data::View& view) {
        return view.scan(space, {}, data::Order::forward, [&](data::BytesView key, data::BytesView) {
            note_change(changes, space.number, key);
            return true;
        });
    }));
    return changes;
}

} // namespace

TEST_CASE("a written redirect names its short address", "[servers]") {
    World world;
    must(world.create({.destination = "https://example.com/", .slashtag = "Sale"}));
    const auto changes = all_changed(world, space::redirects);
    REQUIRE(changes.addresses.size() == 1);
    CHECK(changes.addresses[0].domain == world.installed.domain.id);
    CHECK(changes.addresses[0].slashtag_key == world.listener.seen.back().addresses.at(0).slashtag_key);
    CHECK(changes.domains.empty());
    CHECK(changes.workspaces.empty());
}

TEST_CASE("a written domain and a written workspace are named once each, whatever entries they have",
          "[servers]") {
    World world;
    const auto domains = all_changed(world, space::domains);
    CHECK(domains.domains == std::vector{world.installed.domain.id});
    CHECK(domains.addresses.empty());
    const auto workspaces = all_changed(world, space::workspaces);
    CHECK(workspaces.workspaces == std::vector{world.installed.account.default_workspace});
    CHECK(workspaces.domains.empty());
}

TEST_CASE("a key that says nothing to the redirect path is passed over", "[servers]") {
    Changes changes;
    note_change(changes, space::redirects.number, "short");
    note_change(changes, space::domains.number, "");
    note_change(changes, space::links.number, std::string(40, 'x'));
    CHECK(changes.addresses.empty());
    CHECK(changes.domains.empty());
    CHECK(changes.workspaces.empty());
}

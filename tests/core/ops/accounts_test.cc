#include "core/base/secret.h"
#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a new account has a default workspace that it owns, with the default domain", "[accounts]") {
    World world;
    const auto made = world.stranger("ann");
    const auto seen =
        world.service.run(made.caller, {}, {.role = Role::owner}, [&](Context& ctx) -> Result<bool> {
            CHECK(ctx.workspace.is_default);
            CHECK(ctx.workspace.owner == made.account.id);
            CHECK(ctx.workspace.type == WorkspaceType::classic);
            return find_domain(ctx, world.installed.domain.id).has_value();
        });
    CHECK(seen == true);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("usernames are unique, ignoring case", "[accounts]") {
    World world;
    world.stranger("Ann");
    const auto again =
        world.operate([](SystemContext& system) { return create_account(system, {.username = "aNN"}); });
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().fields.at(0).code == "AlreadyExists");
    CHECK(world.engine->read([](data::View& view) { return find_account(view, "ANN"); })->username == "Ann");
    const auto nameless = world.operate([](SystemContext& system) { return create_account(system, {}); });
    CHECK(nameless.error().fields.at(0).code == "RequiredField");
}

TEST_CASE("a key has 256 bits, is stored as its hash, and works until it is revoked",
          "[accounts][threat-17]") {
    World world;
    const auto& issued = world.installed.key;
    CHECK(issued.key.size() == 64);
    CHECK(issued.key.find_first_not_of("0123456789abcdef") == std::string::npos);
    CHECK(issued.row.hash == sha256(issued.key));
    CHECK(issued.row.hint == issued.key.substr(0, 6));
    CHECK(world.service.authenticate(issued.key)->account == world.installed.account.id);
    for (const auto& wrong : {std::string(), issued.key + "0", issued.key.substr(1), " " + issued.key,
                              std::string(64, '0'), std::string(100'000, 'x')})
        CHECK(world.service.authenticate(wrong).error().kind == ErrorKind::unauthenticated);
    REQUIRE(world.operate([&](SystemContext& system) { return revoke_key(system, issued.row.id.hex()); })
                .has_value());
    CHECK(world.service.authenticate(issued.key).error().kind == ErrorKind::unauthenticated);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an installation is made once", "[accounts][threat-20]") {
    World world;
    const auto again =
        world.operate([](SystemContext& system) { return install(system, "other.example.com"); });
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().code == "Conflict");
}

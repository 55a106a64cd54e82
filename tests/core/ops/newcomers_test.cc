#include "core/ops/newcomers.h"

#include "core/access/invitations.h"
#include "tests/support/must.h"
#include "tests/support/people.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// The token of an invite into the world's workspace, as it is mailed or handed over.
std::string invited(World& world, std::string email, Role role = Role::user) {
    const auto invite = make_invite(world, std::move(email), role).details.invite;
    return must(world.operate([&](SystemContext& system) -> Result<std::string> {
        const auto row = TRY(schema().invites.find(system.txn, invite.id.view())).value();
        auto renewed = row;
        auto token = renew_token(system.tools.random, renewed);
        TRY(schema().invites.update(system.txn, row, renewed));
        return token;
    }));
}

Result<OpenedSession> join(World& world, std::string token, std::string username) {
    return world.operate([&](SystemContext& system) {
        return join_by_invite(system,
                              {.token = std::move(token),
                               .username = std::move(username),
                               .full_name = {},
                               .password_hash = "H"},
                              "");
    });
}

std::string refusal(World& world, std::string token, std::string username = "ann") {
    const auto joined = join(world, std::move(token), std::move(username));
    return joined.has_value() ? "200" : joined.error().code;
}

} // namespace

TEST_CASE("who is invited and has no account gets one, with a place, an address and a session",
          "[newcomers]") {
    World world;
    world.settings.sends_mail = true;
    const auto token = invited(world, "ann@example.com");
    const auto session = must(join(world, token, "ann"));
    CHECK(session.row.way == SignInWay::invite);
    const auto account = must(world.engine->read([](data::View& view) { return find_account(view, "ann"); }));
    CHECK(account.email == "ann@example.com");
    CHECK(account.full_name == "ann");
    const auto caller = must(world.service.authenticate_session(session.token));
    CHECK(caller.account == account.id);
    const auto home = world.installed.account.default_workspace;
    CHECK(must(world.service.run(caller, home.hex(), {},
                                 [](Context& ctx) -> Result<Role> { return ctx.role; })) == Role::user);
    CHECK(refusal(world, token, "ann2") == "NotFound");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a token that was handed over proves no address", "[newcomers][threat-18]") {
    World world;
    must(join(world, invited(world, "boss@example.com"), "ann"));
    const auto account = must(world.engine->read([](data::View& view) { return find_account(view, "ann"); }));
    CHECK(account.email.empty());
    world.settings.invites_by_token = false;
    CHECK(refusal(world, invited(world, "bob@example.com"), "bob") == "NotFound");
}

TEST_CASE("nobody joins by a token that is over, for somebody else, or with a name that is taken",
          "[newcomers][threat-18]") {
    World world;
    world.settings.sends_mail = true;
    person(world, "bob", "Bob@example.com");
    CHECK(refusal(world, invited(world, "bob@example.com")) == "AccountExists");
    CHECK(refusal(world, "") == "NotFound");
    const auto token = invited(world, "ann@example.com");
    const auto taken = join(world, token, "ADMIN");
    CHECK(taken.error().fields.at(0).property == "username");
    CHECK(refusal(world, token, "") == "InvalidFormat");
    world.clock.advance_seconds(30LL * 24 * 3600);
    CHECK(refusal(world, token) == "NotFound");
    CHECK_FALSE(must(world.engine->read(
        [](data::View& view) -> Result<bool> { return find_account(view, "ann").has_value(); })));
    CHECK(world.inconsistency().empty());
}

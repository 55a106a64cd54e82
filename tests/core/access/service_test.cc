#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string code_of(const Result<bool>& result) { return result.has_value() ? "none" : result.error().code; }

Result<bool> nothing(Context&) { return true; }

void set_role(World& world, Role role) {
    REQUIRE(world
                .operate([&](SystemContext& system) -> Result<void> {
                    const Member was{.workspace = world.installed.account.default_workspace,
                                     .account = world.installed.account.id};
                    const auto stored = TRY(schema().members.find(system.txn, Member::primary_of(was)));
                    auto now = *stored;
                    now.role = role;
                    return schema().members.update(system.txn, *stored, now);
                })
                .has_value());
}

void set_workspace(World& world, const std::function<void(Workspace&)>& edit) {
    REQUIRE(world
                .operate([&](SystemContext& system) -> Result<void> {
                    const auto stored = TRY(schema().workspaces.find(
                        system.txn, world.installed.account.default_workspace.view()));
                    auto now = *stored;
                    edit(now);
                    return schema().workspaces.update(system.txn, *stored, now);
                })
                .has_value());
}

} // namespace

TEST_CASE("a caller without a workspace named is in its default workspace", "[service]") {
    World world;
    const auto named = world.installed.account.default_workspace;
    const auto seen = world.read([](Context& ctx) -> Result<WorkspaceId> { return ctx.workspace.id; });
    CHECK(*seen == named);
    CHECK(world.service.run(world.caller, named.hex(), {}, nothing).has_value());
}

TEST_CASE("a workspace that is absent, foreign, trashed or misspelt is not found by its id", "[service]") {
    World world;
    const auto other = world.stranger("other");
    for (const auto& id :
         {std::string("nonsense"), WorkspaceId().hex(), other.account.default_workspace.hex()}) {
        const auto result = world.service.run(world.caller, id, {}, nothing);
        REQUIRE_FALSE(result.has_value());
        CHECK(result.error().kind == ErrorKind::not_found);
        CHECK(result.error().source == "workspace");
        CHECK(result.error().id == id);
    }
    set_workspace(world, [](Workspace& w) { w.trashed = true; });
    CHECK(code_of(world.read(nothing)) == "NotFound");
}

TEST_CASE("a guard is applied in the order of the wire: role, revoked, type", "[service]") {
    World world;
    const Guard guard{.role = Role::user, .types = WorkspaceTypes::classic};
    CHECK(code_of(world.read(nothing, guard)) == "none");
    set_workspace(world, [](Workspace& w) { w.type = WorkspaceType::gallery; });
    CHECK(code_of(world.read(nothing, guard)) == "WrongWorkspaceType");
    set_workspace(world, [](Workspace& w) { w.revoked = true; });
    CHECK(code_of(world.write(nothing, guard)) == "RevokedWorkspace");
    set_role(world, Role::guest);
    CHECK(code_of(world.write(nothing, guard)) == "Forbidden");
    CHECK(code_of(world.read(nothing)) == "none");
}

TEST_CASE("a revoked workspace is read, and written only under a guard that says so", "[service]") {
    World world;
    set_workspace(world, [](Workspace& w) { w.revoked = true; });
    CHECK(code_of(world.read(nothing)) == "none");
    CHECK(code_of(world.write(nothing)) == "RevokedWorkspace");
    CHECK(code_of(world.write(nothing, {.while_revoked = true})) == "none");
    // In the account's scope there is none.
    CHECK(code_of(world.write(nothing, {.scope = Scope::account})) == "none");
}

TEST_CASE("a guarded link must be live and its domain in force", "[service]") {
    World world;
    const auto made = world.create({.destination = "https://example.com/"});
    REQUIRE(made.has_value());
    const Guard guard{.link = LinkState::live, .domain = DomainState::in_force};
    const auto look = [&](const Guard& with) {
        return code_of(world.read(
            [&](Context& ctx) -> Result<bool> {
                TRY(find_link(ctx, made->link.id.hex()));
                return true;
            },
            with));
    };
    CHECK(look(guard) == "none");
    REQUIRE(world
                .operate([&](SystemContext& system) -> Result<Domain> {
                    return change_domain(system, TRY(find_any_domain(system.txn, "go.example.com")),
                                         {.revoked = Change<bool>::set(true)});
                })
                .has_value());
    CHECK(look(guard) == "RevokedDomain");
    CHECK(look({}) == "none");
    REQUIRE(world.remove(made->link.id).has_value());
    CHECK(look(guard) == "DeletedLink");
    CHECK(look({}) == "NotFound");
}

TEST_CASE("work that fails leaves nothing behind", "[service]") {
    World world;
    const auto result = world.write([](Context& ctx) -> Result<bool> {
        TRY(create_link(ctx, {.destination = "https://example.com/", .slashtag = "a"}));
        return conflict("on purpose");
    });
    CHECK_FALSE(result.has_value());
    CHECK(world.count({}) == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a guard may hide a workspace from members whose role is too low", "[service]") {
    World world;
    set_role(world, Role::admin);
    CHECK(code_of(world.read(nothing, {.role = Role::owner})) == "Forbidden");
    const auto hidden = world.read(nothing, {.role = Role::owner, .too_low = TooLow::not_found});
    REQUIRE_FALSE(hidden.has_value());
    CHECK(hidden.error().kind == ErrorKind::not_found);
    CHECK(hidden.error().id == world.installed.account.default_workspace.hex());
    CHECK(code_of(world.read(nothing, {.role = Role::admin, .too_low = TooLow::not_found})) == "none");
}

TEST_CASE("a guard of the account's scope enters no workspace, whatever is named", "[service]") {
    World world;
    set_workspace(world, [](Workspace& w) { w.trashed = true; });
    const Guard guard{.scope = Scope::account, .role = Role::owner};
    CHECK(code_of(world.read(nothing, guard)) == "none");
    CHECK(world.service.run(world.caller, "nonsense", guard, nothing).has_value());
    const auto where =
        world.read([](Context& ctx) -> Result<WorkspaceId> { return ctx.workspace.id; }, guard);
    CHECK(where->empty());
}

#include "tests/support/people.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

// The world's workspace with an admin, who acts, and a plain user.
struct Office : World {
    WorkspaceId here = installed.account.default_workspace;
    Stranger admin = person(*this, "ann", "ann@example.com");
    Stranger user = person(*this, "bob", "bob@example.com");
    Office() {
        settings.adds_strangers = true; // unless a test is about that
        add_member(*this, here, admin.account.id, Role::admin);
        clock.advance_seconds(1);
        add_member(*this, here, user.account.id, Role::user);
    }

    Result<SetTeammate> give(const Caller& as, AccountId who, Role role) {
        return write_as(*this, as, here,
                        [&](Context& ctx) -> Result<SetTeammate> {
                            return set_teammate(ctx, TRY(find_person(ctx, who.hex())), role);
                        },
                        {.role = Role::admin});
    }
    // Where nobody is invited.
    Result<Teammate> set(const Caller& as, AccountId who, Role role) {
        auto given = TRY(give(as, who, role));
        return Teammate{.account = given.account, .member = given.member.value()};
    }
    Result<void> remove(const Caller& as, AccountId who) {
        return write_as(*this, as, here,
                        [&](Context& ctx) -> Result<void> {
                            return remove_teammate(ctx, TRY(find_teammate(ctx, who.hex())));
                        },
                        {.role = Role::admin});
    }
    std::string names(const TeammateFilter& filter, const PageRequest& page) {
        std::string out;
        for (const auto& teammate :
             must(read([&](Context& ctx) { return list_teammates(ctx, filter, page); })))
            out += (out.empty() ? "" : " ") + teammate.account.username;
        return out;
    }
    std::int64_t count(std::string term) {
        return must(read([&](Context& ctx) { return count_teammates(ctx, {.term = term}); }));
    }
};

} // namespace

TEST_CASE("people of a workspace are listed by the time they came or by name", "[teammates]") {
    Office world;
    CHECK(world.names({}, {}) == "bob ann admin");
    CHECK(world.names({}, {.direction = Direction::ascending}) == "admin ann bob");
    CHECK(world.names({}, {.order_by = "fullName", .direction = Direction::ascending}) == "admin ann bob");
    CHECK(world.names({}, {.order_by = "fullName"}) == "bob ann admin");
    CHECK(world.names({}, {.limit = 2}) == "bob ann");
    CHECK(world.names({}, {.limit = 2, .offset = 1}) == "ann admin");
    CHECK(world.names({}, {.last = world.admin.account.id.hex()}) == "admin");
    CHECK(world.names({}, {.last = world.installed.account.id.hex()}).empty());
    CHECK(code_of(world.read([](Context& ctx) { return list_teammates(ctx, {}, {.order_by = "email"}); })) ==
          "InvalidFormat");
}

TEST_CASE("people are searched by name, username and address, ignoring case", "[teammates]") {
    Office world;
    CHECK(world.names({.term = "BOB"}, {}) == "bob");
    CHECK(world.names({.term = "Ann@"}, {}) == "ann");
    CHECK(world.names({.term = "example.com"}, {}) == "bob ann");
    CHECK(world.names({.term = "nobody"}, {}).empty());
    CHECK(world.count("") == 3);
    CHECK(world.count("EXAMPLE") == 2);
}

TEST_CASE("a cursor stays good for a day after its teammate was removed", "[teammates]") {
    Office world;
    must(world.remove(world.caller, world.admin.account.id));
    CHECK(world.names({}, {.last = world.admin.account.id.hex()}) == "admin");
    world.clock.advance_seconds(24 * 3600);
    const auto page = PageRequest{.last = world.admin.account.id.hex()};
    CHECK(code_of(world.read([&](Context& ctx) { return list_teammates(ctx, {}, page); })) ==
          "InvalidFormat");
    const auto stranger = PageRequest{.last = world.stranger("zoe").account.id.hex()};
    CHECK(code_of(world.read([&](Context& ctx) { return list_teammates(ctx, {}, stranger); })) ==
          "InvalidFormat");
}

TEST_CASE("an admin adds people and gives roles up to its own", "[teammates]") {
    Office world;
    const auto& admin = world.admin.caller;
    const auto newcomer = person(world, "cat");
    const auto added = must(world.set(admin, newcomer.account.id, Role::guest));
    CHECK(added.account.username == "cat");
    CHECK(added.member.role == Role::guest);
    CHECK(added.member.created_at == world.clock.now());
    world.clock.advance_seconds(5);
    const auto raised = must(world.set(admin, newcomer.account.id, Role::admin));
    CHECK(raised.member.role == Role::admin);
    CHECK(raised.member.created_at == added.member.created_at);
    CHECK(code_of(world.set(admin, newcomer.account.id, Role::owner)) == "Forbidden");
    CHECK(code_of(world.set(world.caller, newcomer.account.id, Role::owner)) == "InvalidFormat");
    CHECK(code_of(world.set(world.user.caller, newcomer.account.id, Role::viewer)) == "Forbidden");
    CHECK(must(world.set(admin, world.admin.account.id, Role::viewer)).member.role == Role::viewer);
    CHECK(code_of(world.set(admin, world.user.account.id, Role::viewer)) == "Forbidden");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("whoever is added is invited, unless both work together elsewhere already", "[teammates]") {
    Office world;
    world.settings.adds_strangers = false;
    const auto& admin = world.admin.caller;
    const auto cat = person(world, "cat", "cat@example.com");
    const auto given = must(world.give(admin, cat.account.id, Role::guest));
    CHECK_FALSE(given.member);
    REQUIRE(given.invite);
    CHECK(given.invite->invitee == cat.account.id);
    CHECK(given.invite->email.empty()); // not the sender's to know
    CHECK(given.invite->role == Role::guest);
    CHECK_FALSE(role_in(world, world.here, cat.account.id));
    const auto again = must(world.give(admin, cat.account.id, Role::user)); // in place of the other
    CHECK(count_of(world, InviteStatus::pending) == 1);
    CHECK(code_of(accept_with(world, world.user.caller, again.invite->id.hex())) == "NotFound");
    must(accept_with(world, cat.caller, again.invite->id.hex()));
    CHECK(role_in(world, world.here, cat.account.id) == Role::user);

    // A workspace that both work in; not one that is trashed.
    const auto dan = person(world, "dan");
    const auto room = must(try_workspace(world, {.name = "room"}, admin));
    add_member(world, room.id, dan.account.id, Role::viewer);
    set_state(world, room.id, {.trashed = Change<bool>::set(true)});
    CHECK(must(world.give(admin, dan.account.id, Role::viewer)).invite.has_value());
    set_state(world, room.id, {.trashed = Change<bool>::set(false)});
    CHECK(must(world.give(admin, dan.account.id, Role::viewer)).member.has_value());
    // A change of roles needs nobody's word.
    CHECK(must(world.give(admin, world.user.account.id, Role::admin)).member->role == Role::admin);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("who is invited by being added counts for the day, and for the plan", "[teammates]") {
    Office world;
    world.settings.adds_strangers = false;
    set_plan(world,
             {.teammates = Change<std::int64_t>::set(3), .invites_per_day = Change<std::int64_t>::set(1)});
    must(world.give(world.caller, person(world, "cat").account.id, Role::viewer));
    CHECK(code_of(world.give(world.caller, person(world, "dan").account.id, Role::viewer)) == "LimitReached");
}

TEST_CASE("nobody takes the owner's role or place", "[teammates][threat-18]") {
    Office world;
    const auto owner = world.installed.account.id;
    CHECK(code_of(world.set(world.admin.caller, owner, Role::admin)) == "Forbidden");
    CHECK(code_of(world.remove(world.admin.caller, owner)) == "Forbidden");
    CHECK(code_of(world.set(world.caller, owner, Role::admin)) == "InvalidFormat"); // no role would do
    CHECK(code_of(world.remove(world.caller, owner)) == "InvalidFormat");
    CHECK(role_in(world, world.here, owner) == Role::owner);
}

TEST_CASE("a removed teammate has no access at once, and what it made stays", "[teammates]") {
    Office world;
    const auto link = must(write_as(world, world.user.caller, world.here, [](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/", .slashtag = "bobs"});
    }));
    must(world.remove(world.admin.caller, world.user.account.id));
    CHECK(code_of(write_as(world, world.user.caller, world.here, [](Context& ctx) {
              return create_link(ctx, {.destination = "https://example.com/"});
          })) == "NotFound");
    CHECK(code_of(world.remove(world.admin.caller, world.user.account.id)) == "NotFound");
    CHECK(must(world.read([&](Context& ctx) { return find_link(ctx, link.link.id); })).slashtag == "bobs");
    CHECK(world.count("") == 2);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a plan's number of teammates bounds who is added, not whose role changes", "[teammates]") {
    Office world;
    set_plan(world, {.teammates = Change<std::int64_t>::set(3)});
    must(world.set(world.caller, person(world, "cat").account.id, Role::viewer));
    const auto fourth = person(world, "dan");
    CHECK(code_of(world.set(world.admin.caller, fourth.account.id, Role::viewer)) == "LimitReached");
    must(world.set(world.caller, world.user.account.id, Role::admin));
    must(world.remove(world.caller, world.user.account.id));
    must(world.set(world.caller, fourth.account.id, Role::viewer));
    CHECK(world.inconsistency().empty());
}

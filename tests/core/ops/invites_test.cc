#include "tests/support/people.h"

#include "core/base/secret.h"
#include "core/ops/teammates.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::int64_t day = 24 * 3600;

std::vector<std::string> addresses(int first, int count) {
    std::vector<std::string> out;
    for (int i = 0; i < count; ++i)
        out.push_back(fmt::format("p{}@example.com", first + i));
    return out;
}

std::string fields_of(const Result<std::vector<SentInvite>>& result) {
    std::string out;
    if (!result.has_value())
        for (const auto& field : result.error().fields)
            out += fmt::format("{}{} {}", out.empty() ? "" : ", ", field.code, field.property);
    return out;
}

Invite stored(World& world, InviteId id) {
    return must(world.engine->read([&](data::View& view) { return find_any_invite(view, id.hex()); }));
}

} // namespace

TEST_CASE("an invite is accepted once, with the token that only its receiver was given", "[invites]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    const auto ann = person(world, "ann", "Ann@Example.com");
    const auto sent = make_invite(world, "ann@example.com", Role::admin);
    const auto token = token_of(sent.address);
    CHECK(sent.address == "/v1/invites/" + token + "/accept");
    CHECK(token.size() == 64);
    CHECK(stored(world, sent.details.invite.id).token_hash == sha256(token));

    const auto accepted = must(accept_as(world, ann, sent));
    CHECK(accepted.workspace.id == here);
    CHECK(accepted.details.invite.status(world.clock.now()) == InviteStatus::accepted);
    CHECK(accepted.details.invite.accepted_by == ann.account.id);
    CHECK(role_in(world, here, ann.account.id) == Role::admin);
    CHECK(code_of(accept_as(world, ann, sent)) == "NotFound");
    CHECK(stored(world, sent.details.invite.id).token_hash.empty());
    CHECK(emails(world, InviteStatus::accepted) == "ann@example.com");
    CHECK(count_of(world, InviteStatus::accepted) == 1);
    CHECK(count_of(world, InviteStatus::pending) == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an invite is for its address; an account without one may show the token alone", "[invites]") {
    World world;
    const auto sent = make_invite(world, "ann@example.com");
    CHECK(code_of(accept_as(world, person(world, "bob", "bob@example.com"), sent)) == "InvalidFormat");
    CHECK(code_of(accept_with(world, world.caller, "")) == "NotFound");
    CHECK(code_of(accept_with(world, world.caller, std::string(64, '0'))) == "NotFound");
    CHECK(code_of(accept_as(world, person(world, "cat"), sent)) == "none");
}

TEST_CASE("an invite is good for 30 days", "[invites]") {
    World world;
    const auto ann = person(world, "ann");
    const auto sent = make_invite(world, "ann@example.com");
    CHECK(sent.details.invite.expires_at().ms == sent.details.invite.created_at.ms + 30 * day * 1000);
    world.clock.time = {sent.details.invite.created_at.ms + 30 * day * 1000 - 1};
    CHECK(emails(world, InviteStatus::pending) == "ann@example.com");
    CHECK(count_of(world, InviteStatus::pending) == 1);
    CHECK(count_of(world, InviteStatus::expired) == 0);
    world.clock.time.ms += 1;
    CHECK(emails(world, InviteStatus::pending).empty());
    CHECK(emails(world, InviteStatus::expired) == "ann@example.com");
    CHECK(count_of(world, InviteStatus::pending) == 0);
    CHECK(count_of(world, InviteStatus::expired) == 1);
    CHECK(code_of(accept_as(world, ann, sent)) == "NotFound");
    must(accept_as(world, ann, make_invite(world, "ann@example.com")));
    CHECK(count_of(world, InviteStatus::expired) == 0);
}

TEST_CASE("inviting somebody again replaces the open invite", "[invites]") {
    World world;
    const auto first = make_invite(world, "Ann@example.com", Role::viewer);
    world.clock.advance_seconds(60);
    const auto second = make_invite(world, "ann@EXAMPLE.com", Role::guest);
    CHECK(emails(world, InviteStatus::pending) == "ann@EXAMPLE.com");
    const auto ann = person(world, "ann");
    CHECK(code_of(accept_as(world, ann, first)) == "NotFound");
    must(accept_as(world, ann, second));
    CHECK(role_in(world, world.installed.account.default_workspace, ann.account.id) == Role::guest);
    const auto page = PageRequest{.last = first.details.invite.id.hex()}; // a cursor outlives its item
    CHECK(must(world.read([&](Context& ctx) {
              return list_invites(ctx, InviteStatus::pending, page);
          })).empty());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("one call invites several, the same address once, all or none", "[invites]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    add_member(world, here, person(world, "ann", "ann@example.com").account.id, Role::viewer);
    const auto broken = try_invites(
        world,
        {.emails = {"ok@example.com", "ANN@example.com", "nobody", "a@b.co\r\nBcc: x@y.co"}, .message = {}});
    CHECK(fields_of(broken) == "AlreadyExists emails[1], InvalidFormat emails[2], InvalidFormat emails[3]");
    CHECK(count_of(world, InviteStatus::pending) == 0);
    CHECK(fields_of(try_invites(world, {.emails = {}, .message = {}})) == "RequiredField emails");

    const auto sent = must(
        try_invites(world, {.emails = {"b@example.com", "B@example.com", " c@example.com "}, .message = {}}));
    REQUIRE(sent.size() == 2);
    CHECK(emails(world, InviteStatus::pending) == "c@example.com b@example.com");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("nobody invites for a role above their own", "[invites][threat-18]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    const auto admin = person(world, "ann");
    add_member(world, here, admin.account.id, Role::admin);
    const auto invite = [&](Role role) {
        return code_of(write_as(world, admin.caller, here,
                                [&](Context& ctx) {
                                    return create_invites(
                                        ctx, {.emails = {"x@example.com"}, .role = role, .message = {}});
                                },
                                {.role = Role::admin}));
    };
    CHECK(invite(Role::admin) == "none");
    CHECK(invite(Role::owner) == "Forbidden");
}

TEST_CASE("accepting never lowers a role", "[invites]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    const auto ann = person(world, "ann");
    const auto sent = make_invite(world, "ann@example.com", Role::guest);
    add_member(world, here, ann.account.id, Role::admin);
    must(accept_as(world, ann, sent));
    CHECK(role_in(world, here, ann.account.id) == Role::admin);
    must(accept_with(world, world.caller, token_of(make_invite(world, "own@example.com").address)));
    CHECK(role_in(world, here, world.installed.account.id) == Role::owner);
}

TEST_CASE("an invite of somebody who could not send it any more is not good, whatever they become later",
          "[invites]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    const auto admin = person(world, "ann");
    add_member(world, here, admin.account.id, Role::admin);
    const auto send = [&] {
        return must(write_as(world, admin.caller, here, [](Context& ctx) {
            return create_invites(ctx, {.emails = {"x@example.com"}, .message = {}});
        }));
    };
    const auto set_role = [&](Role role) {
        must(write_in(world, here, [&](Context& ctx) { return set_teammate(ctx, admin.account, role); }));
    };
    const auto guest = person(world, "guest");
    const auto first = send();
    set_role(Role::user);
    CHECK(code_of(accept_as(world, guest, first.front())) == "NotFound");
    set_role(Role::admin);
    CHECK(code_of(accept_as(world, guest, first.front())) == "NotFound");

    const auto second = send();
    must(write_in(world, here, [&](Context& ctx) -> Result<void> {
        return remove_teammate(ctx, TRY(find_teammate(ctx, admin.account.id.hex())));
    }));
    CHECK(code_of(accept_as(world, guest, second.front())) == "NotFound");
    world.settings.adds_strangers = true;
    set_role(Role::admin); // comes again
    CHECK(code_of(accept_as(world, guest, second.front())) == "NotFound");
    set_role(Role::admin); // no other role than before
    const auto third = send();
    set_role(Role::admin);
    CHECK(code_of(accept_as(world, guest, third.front())) == "none");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("where tokens are not enough, only the account of the address accepts", "[invites]") {
    World world;
    world.settings.invites_by_token = false;
    const auto sent = make_invite(world, "ann@example.com");
    CHECK(code_of(accept_as(world, person(world, "cat"), sent)) == "InvalidFormat");
    CHECK(code_of(accept_as(world, person(world, "bob", "bob@example.com"), sent)) == "InvalidFormat");
    CHECK(code_of(accept_as(world, person(world, "ann", "ANN@example.com"), sent)) == "none");
}

TEST_CASE("an account finds the invites for its address and for itself, and accepts them by their ids",
          "[invites]") {
    World world;
    const auto here = world.installed.account.default_workspace;
    const auto ann = person(world, "ann", "Ann@Example.com"), bob = person(world, "bob");
    const auto received = [&](const Stranger& who) {
        std::string out;
        for (const auto& [details, workspace] :
             must(world.service.run(who.caller, {}, account_read, list_received_invites)))
            out += (out.empty() ? "" : " ") + details.invite.id.hex() +
                   (workspace.id == here ? "" : "elsewhere");
        return out;
    };
    const auto mailed = make_invite(world, "ann@example.com", Role::viewer).details.invite.id.hex();
    const auto given = must(write_in(world, here, [&](Context& ctx) {
                           return invite_account(ctx, bob.account, Role::user);
                       })).id.hex();
    CHECK(received(ann) == mailed);
    CHECK(received(bob) == given);
    CHECK(code_of(accept_with(world, bob.caller, mailed)) == "NotFound");
    CHECK(code_of(accept_with(world, ann.caller, given)) == "NotFound");
    must(accept_with(world, ann.caller, mailed));
    must(accept_with(world, bob.caller, given));
    CHECK(role_in(world, here, bob.account.id) == Role::user);
    CHECK(received(ann).empty());
    CHECK(received(bob).empty());
    CHECK(code_of(accept_with(world, bob.caller, given)) == "NotFound");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a workspace that is revoked, trashed or deleted takes nobody in", "[invites]") {
    World world;
    const auto room = make_workspace(world, "room");
    const auto guest = person(world, "guest");
    const auto sent = must(invite_into(world, room.id, {.emails = {"x@example.com"}, .message = {}})).front();
    set_state(world, room.id, {.revoked = Change<bool>::set(true)});
    CHECK(code_of(accept_as(world, guest, sent)) == "RevokedWorkspace");
    set_state(world, room.id, {.revoked = Change<bool>::set(false), .trashed = Change<bool>::set(true)});
    CHECK(code_of(accept_as(world, guest, sent)) == "NotFound");
    set_state(world, room.id, {.trashed = Change<bool>::set(false)});
    must(remove_in(world, room.id, Removal::deleted));
    CHECK(code_of(accept_as(world, guest, sent)) == "NotFound");
    run_all_jobs(world);
    CHECK_FALSE(
        world.engine
            ->read([&](data::View& view) { return find_any_invite(view, sent.details.invite.id.hex()); })
            .has_value());
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the owner sends 100 invites a day over all workspaces, counted by address", "[invites]") {
    World world;
    const auto room = make_workspace(world, "room");
    CHECK(code_of(try_invites(world, {.emails = addresses(0, 101), .message = {}})) == "LimitReached");
    must(try_invites(world, {.emails = addresses(0, 60), .message = {}}));
    CHECK(code_of(invite_into(world, room.id, {.emails = addresses(100, 41), .message = {}})) ==
          "LimitReached");
    must(invite_into(world, room.id, {.emails = addresses(100, 40), .message = {}}));
    CHECK(code_of(try_invites(world, {.emails = {"one@example.com"}, .message = {}})) == "LimitReached");
    CHECK(code_of(try_invites(world, {.emails = {"p0@example.com"}, .message = {}})) == "LimitReached");
    const auto first =
        must(world.read([](Context& ctx) { return list_invites(ctx, InviteStatus::pending, {.limit = 1}); }));
    must(world.write([&](Context& ctx) { return withdraw_invite(ctx, first.front().invite); }));
    CHECK(code_of(try_invites(world, {.emails = {"one@example.com"}, .message = {}})) == "LimitReached");

    const auto ann = person(world, "ann"); // an admin's count for the owner as well, its own do not
    add_member(world, room.id, ann.account.id, Role::admin);
    const auto as_ann = [&](WorkspaceId workspace) {
        return code_of(write_as(world, ann.caller, workspace, [](Context& ctx) {
            return create_invites(ctx, {.emails = {"two@example.com"}, .message = {}});
        }));
    };
    CHECK(as_ann(room.id) == "LimitReached");
    CHECK(as_ann(ann.account.default_workspace) == "none");

    world.clock.advance_seconds(day);
    must(try_invites(world, {.emails = addresses(200, 100), .message = {}}));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a plan may say how many invites a day", "[invites]") {
    World world;
    set_plan(world, {.invites_per_day = Change<std::int64_t>::set(2)});
    must(try_invites(world, {.emails = addresses(0, 2), .message = {}}));
    CHECK(code_of(try_invites(world, {.emails = addresses(2, 1), .message = {}})) == "LimitReached");
}

TEST_CASE("a plan's number of teammates bounds who accepts", "[invites]") {
    World world;
    set_plan(world, {.teammates = Change<std::int64_t>::set(1)});
    const auto first = make_invite(world, "a@example.com"), second = make_invite(world, "b@example.com");
    must(accept_as(world, person(world, "ann"), first));
    const auto bob = person(world, "bob");
    CHECK(code_of(accept_as(world, bob, second)) == "LimitReached");
    CHECK(code_of(try_invites(world, {.emails = {"c@example.com"}, .message = {}})) == "LimitReached");
    CHECK(count_of(world, InviteStatus::pending) == 1);
    CHECK_FALSE(role_in(world, world.installed.account.default_workspace, bob.account.id));
}

TEST_CASE("ownership moves to whoever accepts the offer, together with what it costs", "[invites]") {
    World world;
    const auto room = make_workspace(world, "room");
    must(link_in(world, room.id, "one"));
    const auto ann = person(world, "ann", "ann@example.com");
    add_member(world, room.id, ann.account.id, Role::user);
    const auto offer = [&](std::vector<std::string> to) {
        return invite_into(world, room.id, {.emails = std::move(to), .role = Role::owner, .message = {}});
    };
    CHECK(fields_of(offer({"ann@example.com", "x@example.com"})) == "OutOfRange emails");
    CHECK(
        fields_of(try_invites(world, {.emails = {"ann@example.com"}, .role = Role::owner, .message = {}})) ==
        "InvalidFormat role"); // a default workspace
    const auto sent = must(offer({"ann@example.com"})).front();
    const auto other = must(offer({"x@example.com"})).front();
    const auto accepted = must(accept_as(world, ann, sent));
    CHECK(accepted.workspace.owner == ann.account.id);
    CHECK(role_in(world, room.id, ann.account.id) == Role::owner);
    CHECK(role_in(world, room.id, world.installed.account.id) == Role::admin);
    // Who offered is the owner no more.
    CHECK(code_of(accept_as(world, person(world, "cat"), other)) == "NotFound");

    const auto used = [&](const Caller& caller) {
        const auto account = must(world.service.run(caller, {}, account_read, describe_account));
        return fmt::format("{} {} {}", account.workspaces.used, account.links.used, account.teammates.used);
    };
    CHECK(used(ann.caller) == "2 1 1");
    CHECK(used(world.caller) == "1 0 0");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("who takes a workspace over needs a plan with room for it", "[invites]") {
    World world;
    const auto ann = person(world, "ann");
    const auto room = must(try_workspace(world, {.name = "room"}, ann.caller));
    must(world.operate(
        [&](SystemContext& system) { return share_domain(system, world.installed.domain.id, room.id); }));
    must(write_as(world, ann.caller, room.id,
                  [](Context& ctx) { return create_link(ctx, {.destination = "https://example.com/"}); }));
    const auto offer = [&] {
        return must(write_as(world, ann.caller, room.id,
                             [](Context& ctx) {
                                 return create_invites(
                                     ctx, {.emails = {"me@example.com"}, .role = Role::owner, .message = {}});
                             }))
            .front();
    };
    const auto take = [&] { return code_of(accept_with(world, world.caller, token_of(offer().address))); };
    const auto allow = [&](const PlanChange& change) {
        must(world.operate([&](SystemContext& system) -> Result<Plan> {
            return change_plan(system, TRY(find_plan(system.txn, "test")), change);
        }));
    };
    set_plan(world, {.workspaces = Change<std::int64_t>::set(1)});
    CHECK(take() == "LimitReached");
    allow({.links = Change<std::int64_t>::set(0), .workspaces = Change<std::int64_t>::set(2)});
    CHECK(take() == "LimitReached");
    allow({.links = Change<std::int64_t>::set(1), .teammates = Change<std::int64_t>::set(0)});
    CHECK(take() == "LimitReached"); // the owner before stays
    CHECK(role_in(world, room.id, ann.account.id) == Role::owner);
    allow({.teammates = Change<std::int64_t>::set(1)});
    CHECK(take() == "none");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a withdrawn invite is gone; an accepted one cannot be withdrawn", "[invites]") {
    World world;
    const auto withdraw = [&](InviteId id) {
        return code_of(world.write([&](Context& ctx) -> Result<InviteDetails> {
            return withdraw_invite(ctx, TRY(find_invite(ctx, id.hex())));
        }));
    };
    const auto sent = make_invite(world, "a@example.com"), kept = make_invite(world, "b@example.com");
    CHECK(withdraw(sent.details.invite.id) == "none");
    CHECK(withdraw(sent.details.invite.id) == "NotFound");
    const auto ann = person(world, "ann");
    CHECK(code_of(accept_as(world, ann, sent)) == "NotFound");
    must(accept_as(world, ann, kept));
    CHECK(withdraw(kept.details.invite.id) == "Conflict");
    CHECK(code_of(write_as(world, ann.caller, ann.account.default_workspace, [&](Context& ctx) {
              return find_invite(ctx, kept.details.invite.id.hex());
          })) == "NotFound"); // of another workspace
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the operator gives out a new address, and those before are worth nothing", "[invites]") {
    World world;
    const auto sent = make_invite(world, "a@example.com");
    const auto issue = [&] {
        return world.operate([&](SystemContext& system) -> Result<std::string> {
            return issue_acceptance_address(system,
                                            TRY(find_any_invite(system.txn, sent.details.invite.id.hex())));
        });
    };
    const auto fresh = must(issue());
    const auto ann = person(world, "ann");
    CHECK(code_of(accept_as(world, ann, sent)) == "NotFound");
    must(accept_with(world, ann.caller, token_of(fresh)));
    CHECK(code_of(issue()) == "Conflict");
}

TEST_CASE("invites are listed by creation, page by page", "[invites]") {
    World world;
    for (const auto* email : {"a@example.com", "b@example.com", "c@example.com"})
        make_invite(world, email);
    const auto page = [&](const PageRequest& request) {
        std::string out;
        for (const auto& details : must(
                 world.read([&](Context& ctx) { return list_invites(ctx, InviteStatus::pending, request); })))
            out += details.invite.email.substr(0, 1);
        return out;
    };
    CHECK(page({}) == "cba");
    CHECK(page({.order_by = "createdAt", .direction = Direction::ascending}) == "abc");
    CHECK(page({.limit = 1, .offset = 1}) == "b");
    const auto first = must(world.read([](Context& ctx) {
                           return list_invites(ctx, InviteStatus::pending, {.limit = 1});
                       })).front();
    CHECK(page({.last = first.invite.id.hex()}) == "ba");
    CHECK(code_of(world.read([](Context& ctx) {
              return list_invites(ctx, InviteStatus::pending, {.order_by = "email"});
          })) == "InvalidFormat");
    CHECK(code_of(world.read([](Context& ctx) {
              return list_invites(ctx, InviteStatus::pending, {.last = "x"});
          })) == "InvalidFormat");
}

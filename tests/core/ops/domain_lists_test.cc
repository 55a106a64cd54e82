#include "core/schema/click_totals.h"
#include "tests/support/domains.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

// Four domains besides go.example.com, a second apart: pending, on, off and banned.
struct Listed : World {
    Seat me{*this};
    Domain pending, on, off, banned;

    Listed() {
        pending = add("pending.example");
        on = must(me.prove(add("on.example")));
        off = must(me.set(must(me.prove(add("off.example"))).id, {.active = Change<bool>::set(false)}));
        banned = must(me.prove(add("banned.example")));
        must(operate([&](SystemContext& system) -> Result<Domain> {
            return change_domain(system, TRY(find_any_domain(system.txn, "banned.example")),
                                 {.revoked = Change<bool>::set(true)});
        }));
        clock.advance_seconds(1);
        must(me.set(pending.id, {.redirect_type = Change<std::uint32_t>::set(301)}));
    }
    Domain add(std::string_view name) {
        clock.advance_seconds(1);
        return must(me.add(name));
    }
    void check(const DomainFilter& filter, const std::string& names, std::int64_t count) {
        CHECK(me.list(filter, {.order_by = "fullName"}) == names);
        CHECK(me.count(filter) == count);
    }
};

} // namespace

TEST_CASE("lists of domains filter by each flag, by type, status and term", "[domains]") {
    Listed world;
    world.check({}, "pending.example on.example off.example go.example.com banned.example", 5);
    world.check({.active = true}, "on.example go.example.com", 2);
    world.check({.active = false}, "pending.example off.example banned.example", 3);
    world.check({.verified = true}, "on.example off.example go.example.com banned.example", 4);
    world.check({.verified = false}, "pending.example", 1);
    world.check({.type = DomainType::service}, "go.example.com", 1);
    world.check({.type = DomainType::user}, "pending.example on.example off.example banned.example", 4);
    world.check({.status = DomainStatus::active}, "on.example go.example.com", 2);
    world.check({.status = DomainStatus::pending}, "pending.example", 1);
    world.check({.status = DomainStatus::inactive}, "off.example", 1);
    world.check({.status = DomainStatus::revoked}, "banned.example", 1);
    world.check({.term = "D.EX"}, "banned.example", 1);
    world.check({.verified = true, .type = DomainType::service, .status = DomainStatus::inactive}, "", 0);
}

TEST_CASE("lists of domains come in three orders, by page and behind a cursor", "[domains]") {
    Listed world;
    const auto list = [&](const PageRequest& page) { return world.me.list({}, page); };
    CHECK(list({}) == "banned.example off.example on.example pending.example go.example.com");
    CHECK(list({.order_by = "createdAt", .direction = Direction::ascending}) ==
          "go.example.com pending.example on.example off.example banned.example");
    CHECK(list({.limit = 2, .order_by = "updatedAt"}) == "pending.example banned.example");
    CHECK(list({.order_by = "fullName", .direction = Direction::ascending}) ==
          "banned.example go.example.com off.example on.example pending.example");
    CHECK(list({.limit = 2, .offset = 1}) == "off.example on.example");
    CHECK(list({.limit = 2, .last = world.on.id.hex()}) == "pending.example go.example.com");
    CHECK(list({.limit = 2, .offset = 1, .last = world.on.id.hex()}) == "go.example.com");
    CHECK(list({.last = world.installed.domain.id.hex()}).empty());
    CHECK(list({.offset = 5}).empty());
    const auto refused = world.me.read([](Context& ctx) {
        return list_domains(ctx, {}, {.order_by = "clicks", .last = std::string(32, '0')});
    });
    CHECK(refusal_of(refused) == "InvalidFormat domain: InvalidFormat orderBy, InvalidFormat last");
}

TEST_CASE("a cursor stays valid for a day when its domain is unshared or removed", "[domains]") {
    Listed world;
    must(world.me.unshare(world.on.id));
    CHECK(world.me.list({}, {.last = world.on.id.hex()}) == "pending.example go.example.com");
    must(world.me.remove(world.off.id));
    CHECK(world.me.list({}, {.last = world.off.id.hex()}) == "pending.example go.example.com");
    CHECK(world.me.list({}, {.direction = Direction::ascending, .last = world.off.id.hex()}) ==
          "banned.example");
    world.clock.advance_seconds(24 * 3600);
    const auto later =
        world.me.read([&](Context& ctx) { return list_domains(ctx, {}, {.last = world.off.id.hex()}); });
    CHECK(refusal_of(later) == "InvalidFormat domain: InvalidFormat last");
}

TEST_CASE("a cursor of a domain that the caller does not see is refused", "[domains]") {
    Listed world;
    const Seat stranger(world, world.stranger("stranger").caller);
    for (const auto& id : {world.on.id.hex(), std::string("x")}) {
        const auto refused = stranger.read([&](Context& ctx) { return list_domains(ctx, {}, {.last = id}); });
        CHECK(refusal_of(refused) == "InvalidFormat domain: InvalidFormat last");
    }
}

TEST_CASE("what could be shared are one's own domains and the installation's in one's workspaces",
          "[domains]") {
    Listed world;
    const auto other = world.stranger("other");
    const auto second = make_workspace(world, "second");
    add_member(world, second.id, other.account.id, Role::admin);
    world.domain("service.example");
    const DomainFilter shareable{.scope = DomainScope::shareable};
    const Seat there(world, world.caller, second.id.hex()), guest(world, other.caller, second.id.hex());
    const PageRequest by_name{.order_by = "fullName", .direction = Direction::ascending};
    CHECK(there.list(shareable, by_name) ==
          "banned.example off.example on.example pending.example service.example");
    CHECK(there.count(shareable) == 5);
    CHECK(there.list(shareable, {.limit = 2,
                                 .order_by = "fullName",
                                 .direction = Direction::ascending,
                                 .last = world.on.id.hex()}) == "pending.example service.example");
    CHECK(world.me.list(shareable).empty());
    CHECK(guest.list(shareable).empty());
    must(there.share(world.on.id));
    CHECK(there.count(shareable) == 4);
    CHECK(there.list() == "on.example go.example.com");
}

TEST_CASE("a domain shows the clicks of the workspace, not those of others who share it", "[domains]") {
    Listed world;
    const auto second = make_workspace(world, "second");
    const Seat there(world, world.caller, second.id.hex());
    const auto domain = world.installed.domain.id;
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        TRY(txn.add(domain_clicks_tally(domain, world.installed.account.default_workspace), 3));
        return txn.add(domain_clicks_tally(domain, second.id), 4);
    }));
    const auto clicks = [&](const Seat& seat) {
        return must(seat.read([](Context& ctx) { return list_domains(ctx, {}, {.limit = 1, .last = {}}); }))
            .front()
            .clicks;
    };
    CHECK(clicks(there) == 4);
    CHECK(must(world.me.read(
                   [&](Context& ctx) { return list_domains(ctx, {.type = DomainType::service}, {}); }))
              .front()
              .clicks == 3);
    CHECK(must(world.engine->read([&](data::View& view) { return clicks_of_domain(view, domain); })) == 7);
}

TEST_CASE("the domains of a workspace are counted in its own numbers", "[domains]") {
    Listed world;
    const auto domains = [&] {
        return must(
            world.me.read([](Context& ctx) { return describe_workspace(ctx, ctx.workspace, ctx.role); }));
    };
    CHECK(domains().domains == 5);
    CHECK(domains().domains_used == 4);
    must(world.me.unshare(world.on.id));
    CHECK(domains().domains == 4);
    CHECK(domains().domains_used == 4);
    must(world.me.remove(world.off.id));
    CHECK(domains().domains == 3);
    CHECK(domains().domains_used == 3);
}

TEST_CASE("a link may name its domain, and an unverified one says why it is of no use", "[domains]") {
    Listed world;
    const auto named = [&](const char* name) {
        return refusal_of(
            world.create({.destination = "https://example.com/", .domain = {.full_name = name}}));
    };
    CHECK(named("ON.example") == "none");
    CHECK(named("pending.example") == "InvalidFormat link: NotVerified domain");
    CHECK(named("banned.example") == "RevokedDomain domain");
    CHECK(named("nowhere.example") == "NotFound domain");
    // Somebody else proves the name; the workspace still has its own registration, which is as useless.
    const Seat other(world, world.stranger("other").caller);
    must(other.prove(must(other.add("pending.example"))));
    CHECK(named("pending.example") == "InvalidFormat link: NotVerified domain");
}

#include "core/ops/domain_workspaces.h"
#include "tests/support/domains.h"

#include <thread>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("a registered domain is the account's, unverified, and shared with the workspace", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("Bücher.Example."));
    CHECK(domain.full_name == "xn--bcher-kva.example");
    CHECK(domain.type == DomainType::user);
    CHECK(domain.owner == world.installed.account.id);
    CHECK_FALSE(domain.verified);
    CHECK(me.list() == "xn--bcher-kva.example go.example.com");
    CHECK(refusal_of(me.link(domain.id)) == "InvalidFormat link: NotVerified domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the record to set is under a label of its own and names this registration", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("go.mine.example:8443"));
    const auto record = verification_record(domain);
    CHECK(record.name == "_slashpost.go.mine.example");
    CHECK(record.value == "slashpost-verification=" + domain.id.hex());
}

TEST_CASE("only names that a TXT record can prove are registered", "[domains]") {
    World world;
    const Seat me(world);
    for (const char* wrong :
         {"a b", "http://a.example", "-a.example", "a..example", "192.0.2.1", "0x7f.1", "192.0.2.1:8080",
          "[::1]", "[::1]:8080", "_slashpost.a.example", "a.example/x"}) {
        INFO(wrong);
        CHECK(refusal_of(me.add(wrong)) == "InvalidFormat domain: InvalidFormat fullName");
    }
    const auto label = std::string(59, 'a') + ".";
    const auto longest = label + label + label + label + "ab"; // 242 characters, 253 with "_slashpost."
    CHECK(refusal_of(me.add(longest + "c")) == "InvalidFormat domain: InvalidLength fullName");
    CHECK(refusal_of(me.add(longest)) == "none");
    CHECK(refusal_of(me.add("intranet")) == "none");
}

TEST_CASE("a domain is verified by its own record and by no other", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example")), other = must(me.add("other.example"));
    const auto value = verification_record(domain).value;
    const std::string not_found = "InvalidFormat domain: NotFound verification";
    CHECK(refusal_of(me.verify(domain.id, {})) == not_found);
    CHECK(refusal_of(me.verify(domain.id, {"v=spf1 -all", verification_record(other).value})) == not_found);
    CHECK(refusal_of(me.verify(domain.id, {value + "0"})) == not_found);
    CHECK(refusal_of(me.verify(domain.id, {"x" + value})) == not_found);
    world.clock.advance_seconds(1);
    const auto verified = must(me.verify(domain.id, {"v=spf1 -all", " " + value + " "}));
    CHECK(verified.verified);
    CHECK(verified.updated_at == world.clock.time);
    CHECK(world.listener.seen.back().domains == std::vector{domain.id});
    CHECK(refusal_of(me.link(domain.id)) == "none");
    world.clock.advance_seconds(1);
    CHECK(must(me.verify(domain.id, {})).updated_at == verified.updated_at);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a registration that proves nothing keeps nobody from the name", "[domains]") {
    World world;
    const Seat owner(world), squatter(world, world.stranger("squatter").caller);
    const auto squatted = must(squatter.add("mine.example"));
    const auto mine = must(owner.add("mine.example"));
    // What the owner sets in its DNS proves the owner's registration only.
    CHECK(refusal_of(squatter.verify(squatted.id, {verification_record(mine).value})) ==
          "InvalidFormat domain: NotFound verification");
    must(owner.prove(mine));
    CHECK(refusal_of(owner.link(mine.id)) == "none");
    CHECK(refusal_of(squatter.prove(squatted)) == "InvalidFormat domain: AlreadyExists fullName");
    CHECK(refusal_of(squatter.link(squatted.id)) == "InvalidFormat link: NotVerified domain");
    const auto late = Seat(world, world.stranger("late").caller).add("MINE.example");
    CHECK(refusal_of(late) == "InvalidFormat domain: AlreadyExists fullName");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("of two accounts that prove a name at the same time one has it", "[domains]") {
    World world;
    const auto other = world.stranger("other").caller;
    for (int round = 0; round < 20; ++round) {
        const auto name = "race" + std::to_string(round) + ".example";
        const Seat a(world), b(world, other);
        const auto first = must(a.add(name)), second = must(b.add(name));
        std::string outcome_a, outcome_b;
        {
            const std::jthread thread([&] { outcome_a = refusal_of(a.prove(first)); });
            outcome_b = refusal_of(b.prove(second));
        }
        const std::string taken = "InvalidFormat domain: AlreadyExists fullName";
        CHECK(((outcome_a == "none" && outcome_b == taken) || (outcome_a == taken && outcome_b == "none")));
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an account registers a name once, and again after it was removed", "[domains]") {
    World world;
    const Seat me(world);
    const auto first = must(me.add("mine.example"));
    CHECK(refusal_of(me.add("mine.example")) == "InvalidFormat domain: AlreadyExists fullName");
    must(me.prove(first));
    must(me.remove(first.id));
    const auto again = must(me.add("mine.example"));
    CHECK(again.id != first.id);
    CHECK_FALSE(again.verified);
    CHECK(refusal_of(me.verify(again.id, {verification_record(first).value})) ==
          "InvalidFormat domain: NotFound verification");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("registered domains count for the plan of the workspace's owner", "[domains]") {
    World world;
    set_plan(world, {.domains = Change<std::int64_t>::set(2)});
    const auto admin = world.stranger("admin2");
    add_member(world, world.installed.account.default_workspace, admin.account.id, Role::admin);
    const Seat me(world), theirs(world, admin.caller, world.installed.account.default_workspace.hex());
    const auto first = must(me.add("one.example"));
    CHECK(must(theirs.add("two.example")).owner == world.installed.account.id);
    CHECK(refusal_of(theirs.add("three.example")) == "LimitReached domain");
    const auto used = [&] {
        return must(world.service.run(world.caller, {}, account_read, describe_account)).domains.used;
    };
    CHECK(used() == 2);
    must(me.remove(first.id));
    CHECK(used() == 1);
    CHECK(refusal_of(theirs.add("three.example")) == "none");
    CHECK(used() == 2);
    CHECK(refusal_of(Seat(world, admin.caller).add("own.example")) == "none"); // of a plan of its own
}

TEST_CASE("who may set and remove a domain: its owner, and admins of the workspace it was registered in",
          "[domains]") {
    World world;
    const auto other = world.stranger("other");
    const auto main = world.installed.account.default_workspace;
    add_member(world, main, other.account.id, Role::admin);
    const Seat me(world), admin(world, other.caller, main.hex()), elsewhere(world, other.caller);
    const DomainChange off{.active = Change<bool>::set(false)};

    const auto mine = must(me.add("mine.example"));
    CHECK(refusal_of(admin.set(mine.id, off)) == "none");
    CHECK(refusal_of(elsewhere.set(mine.id, off)) == "NotFound domain");
    must(me.unshare(mine.id));
    CHECK(refusal_of(admin.set(mine.id, off)) == "NotFound domain");
    CHECK(refusal_of(me.set(mine.id, off)) == "none"); // not shared with any workspace, but its own

    const auto second = make_workspace(world, "second");
    add_member(world, second.id, other.account.id, Role::admin);
    must(Seat(world, world.caller, second.id.hex()).share(mine.id)); // who shares it makes links, no more
    CHECK(refusal_of(Seat(world, other.caller, second.id.hex()).set(mine.id, off)) ==
          "InvalidFormat domain: NotShared domain");

    const auto theirs = must(elsewhere.add("theirs.example"));
    must(admin.share(theirs.id)); // its owner brings it into a workspace of somebody else
    CHECK(refusal_of(me.set(theirs.id, off)) == "InvalidFormat domain: NotShared domain");
    CHECK(refusal_of(me.remove(theirs.id)) == "InvalidFormat domain: NotShared domain");
    CHECK(refusal_of(admin.set(theirs.id, off)) == "none");
    CHECK(refusal_of(me.set(world.installed.domain.id, off)) ==
          "InvalidFormat domain: NotShared domain"); // the installation's
    CHECK(refusal_of(me.set(DomainId(), off)) == "NotFound domain");
}

TEST_CASE("who may share a domain: its owner; one of the installation whoever has it elsewhere",
          "[domains]") {
    World world;
    const auto other = world.stranger("other");
    const auto main = world.installed.account.default_workspace;
    add_member(world, main, other.account.id, Role::admin);
    const auto second = make_workspace(world, "second");
    add_member(world, second.id, other.account.id, Role::admin);
    const Seat me(world), mine2(world, world.caller, second.id.hex()),
        admin2(world, other.caller, second.id.hex()), theirs(world, other.caller);

    const auto domain = must(me.add("mine.example"));
    CHECK(refusal_of(admin2.share(domain.id)) == "NotFound domain"); // though an admin where it is shared
    CHECK(refusal_of(theirs.share(domain.id)) == "NotFound domain");
    must(mine2.share(domain.id));
    CHECK(refusal_of(admin2.share(domain.id)) == "none"); // it is so already
    CHECK(mine2.list() == "mine.example go.example.com");

    const auto service = world.domain("service.example"); // the operator shared it with the main workspace
    CHECK(refusal_of(theirs.share(service.id)) == "NotFound domain");
    must(mine2.share(service.id));
    must(me.unshare(service.id));
    must(mine2.unshare(service.id));
    CHECK(refusal_of(mine2.share(service.id)) == "none"); // what was given back may be taken again
    CHECK(refusal_of(theirs.share(service.id)) == "NotFound domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an extended workspace takes domains of accounts, none of the installation", "[domains]") {
    World world;
    const auto extended = make_workspace(world, "extended", WorkspaceType::extended);
    const Seat me(world), there(world, world.caller, extended.id.hex());
    CHECK(there.list().empty());
    CHECK(refusal_of(there.share(world.installed.domain.id)) == "WrongWorkspaceType workspace");
    CHECK(refusal_of(there.share(must(me.add("mine.example")).id)) == "none");
    CHECK(refusal_of(there.add("direct.example")) == "none");
    CHECK(there.list({}, {.order_by = "fullName"}) == "mine.example direct.example");
    CHECK(refusal_of(world.operate([&](SystemContext& system) {
              return share_domain(system, world.installed.domain.id, extended.id);
          })) == "WrongWorkspaceType workspace");
}

TEST_CASE("a revoked domain can be read, but not verified, changed, shared or removed", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(world.operate([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, domain.id.hex())),
                             {.revoked = Change<bool>::set(true)});
    }));
    const auto attempt = [&](Result<Domain> (*door)(Context&, std::string_view)) {
        return refusal_of(me.write([&](Context& ctx) { return door(ctx, domain.id.hex()); },
                                   {.domain = DomainState::in_force}));
    };
    CHECK(attempt(find_managed_domain) == "RevokedDomain domain");
    CHECK(attempt(find_shareable_domain) == "RevokedDomain domain");
    CHECK(refusal_of(me.read([&](Context& ctx) { return find_seen_domain(ctx, domain.id.hex()); })) ==
          "none");
    CHECK(refusal_of(me.link(domain.id)) == "RevokedDomain domain");
}

TEST_CASE("a domain goes when no active link is left, and expired ones go with it", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto active = must(me.link(domain.id, "a")).link;
    const auto dying = must(me.write([&](Context& ctx) {
                           return create_link(ctx, {.destination = "https://example.com/",
                                                    .domain = {.id = domain.id, .full_name = {}},
                                                    .slashtag = "b",
                                                    .ttl_seconds = 60});
                       })).link;
    CHECK(refusal_of(me.remove(domain.id)) == "Conflict domain");
    must(world.update(active.id, {.active = Change<bool>::set(false)}));
    must(world.update(dying.id, {.active = Change<bool>::set(false)}));
    CHECK(refusal_of(me.remove(domain.id)) == "Conflict domain"); // paused ones may go on some day
    must(world.update(dying.id, {.active = Change<bool>::set(true)}));
    must(world.remove(active.id));
    CHECK(refusal_of(me.remove(domain.id)) == "Conflict domain");
    world.clock.advance_seconds(60);
    must(me.remove(domain.id));
    CHECK(refusal_of(me.read([&](Context& ctx) { return find_seen_domain(ctx, domain.id.hex()); })) ==
          "NotFound domain");
    CHECK(refusal_of(me.read([&](Context& ctx) { return find_link(ctx, dying.id); })) == "NotFound link");
    CHECK(me.list() == "go.example.com");
    const auto kept = must(world.engine->read(
        [&](data::View& view) { return schema().links.kept.count(view, dying.workspace); }));
    CHECK(kept == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a domain with more expired links than one transaction takes is kept", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto expiring = [&] {
        return must(me.write([&](Context& ctx) {
                   return create_link(ctx, {.destination = "https://example.com/",
                                            .domain = {.id = domain.id, .full_name = {}},
                                            .ttl_seconds = 60});
               }))
            .link.id;
    };
    for (int i = 0; i < 500; ++i)
        expiring();
    const auto last = expiring();
    world.clock.advance_seconds(60);
    CHECK(refusal_of(me.remove(domain.id)) == "Conflict domain");
    must(world.remove(last));
    CHECK(refusal_of(me.remove(domain.id)) == "none");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a link that comes while its domain is removed is refused, or keeps the domain", "[domains]") {
    World world;
    const Seat me(world);
    for (int round = 0; round < 100; ++round) {
        const auto domain = must(me.add("race" + std::to_string(round) + ".example"));
        must(me.prove(domain));
        std::string made;
        {
            const std::jthread thread([&] { made = refusal_of(me.link(domain.id)); });
            for (int i = 0; i < round % 10; ++i)
                std::this_thread::yield();
            const auto removed = refusal_of(me.remove(domain.id));
            CHECK((removed == "none" || removed == "Conflict domain"));
        }
        const bool there =
            me.read([&](Context& ctx) { return find_seen_domain(ctx, domain.id.hex()); }).has_value();
        CHECK(made == (there ? "none" : "NotFound domain"));
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what a link found empty is not removed when the link's commit came between", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    int attempts = 0;
    const auto removed = me.write([&](Context& ctx) -> Result<Domain> {
        const auto found = TRY(find_managed_domain(ctx, domain.id.hex()));
        if (++attempts == 1) // after this transaction's moment, so that its count cannot see it
            must(me.link(domain.id));
        return delete_domain(ctx, found);
    });
    CHECK(attempts == 2);
    CHECK(refusal_of(removed) == "Conflict domain");
}

TEST_CASE("settings may not lead back to the domain, and unchanged ones are not read again", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    const auto address = [](const char* text) { return Change<std::string>::set(text); };
    CHECK(refusal_of(me.set(domain.id, {.custom_homepage = address("https://MINE.example/"),
                                        .not_found_url = address("http://mine.example:80/lost")})) ==
          "InvalidFormat domain: InvalidFormat customHomepage, InvalidFormat notFoundUrl");
    for (const char* wrong :
         {"javascript:alert(1)", "JAVASCRIPT:alert(1)", "data:text/html,x", "//evil.example",
          "file:///etc/passwd", "vbscript:x", "https://user@evil.example/",
          "https://x.example/\r\nSet-Cookie: a=b", "mailto:a@b.example"}) {
        INFO(wrong);
        CHECK_FALSE(me.set(domain.id, {.not_found_url = address(wrong)}).has_value());
    }
    const auto set = must(me.set(domain.id, {.custom_homepage = address("https://example.com/home")}));
    CHECK(set.custom_homepage == "https://example.com/home");
    CHECK(must(me.set(domain.id, {.custom_homepage = address("https://example.com/home")})).custom_homepage ==
          "https://example.com/home");
}

TEST_CASE("a domain's case rule can change as long as it has no links", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto sensitive = [](bool value) {
        return DomainChange{.slashtag_case_sensitive = Change<bool>::set(value)};
    };
    CHECK(must(me.set(domain.id, sensitive(true))).slashtag.case_sensitive);
    must(me.link(domain.id, "Sale"));
    must(me.link(domain.id, "sale"));
    CHECK(refusal_of(me.set(domain.id, sensitive(false))) ==
          "InvalidFormat domain: InvalidFormat slashtag.caseSensitive");
    CHECK(refusal_of(me.set(domain.id, sensitive(true))) == "none");
}

TEST_CASE("a domain allows more characters at any time, and fewer as long as it has no links", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    using enum SlashtagCharset;
    const auto charset = [](SlashtagCharset value) {
        return DomainChange{.slashtag_charset = Change<SlashtagCharset>::set(value)};
    };
    CHECK(domain.slashtag.charset == ascii);
    CHECK(must(me.set(domain.id, charset(unicode))).slashtag.charset == unicode);
    CHECK(must(me.set(domain.id, charset(ascii))).slashtag.charset == ascii);
    must(me.link(domain.id, "sale"));
    CHECK(must(me.set(domain.id, charset(unicode))).slashtag.charset == unicode);
    CHECK(refusal_of(me.set(domain.id, charset(ascii))) ==
          "InvalidFormat domain: InvalidFormat slashtag.charset");
    CHECK(refusal_of(me.set(domain.id, charset(unicode))) == "none");
}

TEST_CASE("who may give a domain back from a workspace may share it there again", "[domains]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto admin = world.stranger("admin2");
    const auto home = world.installed.account.default_workspace;
    add_member(world, home, admin.account.id, Role::admin);
    const Seat colleague(world, admin.caller, home.hex());
    for (const auto& id : {domain.id, world.installed.domain.id}) { // the account's, and the installation's
        must(colleague.unshare(id));
        CHECK(refusal_of(colleague.link(id)) == "NotFound domain");
        CHECK(refusal_of(colleague.share(id)) == "none");
        CHECK(refusal_of(colleague.link(id)) == "none");
    }
    // Also when it is taken away from the workspace that the caller is in.
    must(colleague.write([&](Context& ctx) -> Result<DomainWorkspace> {
        const auto managed = TRY(find_managed_domain(ctx, domain.id.hex()));
        return take_domain_from(ctx, managed, TRY(find_domain_workspace(ctx, managed, home.hex())),
                                LinksLeft::keep);
    }));
    CHECK(refusal_of(colleague.share(domain.id)) == "none");
    // Elsewhere nobody has ever shared it.
    CHECK(refusal_of(Seat(world, admin.caller).share(domain.id)) == "NotFound domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what was taken away from a workspace does not come back by its admins", "[domains]") {
    World world;
    const auto other = world.stranger("other");
    const Seat me(world), tenant(world, other.caller);
    const auto domain = must(me.add("mine.example"));
    must(me.prove(domain));
    const auto there = other.account.default_workspace;
    must(world.operate([&](SystemContext& system) { return share_domain(system, domain.id, there); }));
    must(tenant.unshare(domain.id));
    must(tenant.share(domain.id));
    const auto take_away = [&] {
        return me.write([&](Context& ctx) -> Result<DomainWorkspace> {
            const auto managed = TRY(find_managed_domain(ctx, domain.id.hex()));
            return take_domain_from(ctx, managed, TRY(find_domain_workspace(ctx, managed, there.hex())),
                                    LinksLeft::keep);
        });
    };
    must(take_away());
    CHECK(refusal_of(tenant.share(domain.id)) == "NotFound domain");
    // The same when the tenant had given it back before, and left links there.
    must(world.operate([&](SystemContext& system) { return share_domain(system, domain.id, there); }));
    must(tenant.link(domain.id, "left"));
    must(tenant.unshare(domain.id));
    must(take_away());
    CHECK(refusal_of(tenant.share(domain.id)) == "NotFound domain");
    CHECK(world.inconsistency().empty());
}

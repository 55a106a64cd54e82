// A domain belongs to its owner: who has anything on it, taking it away, and what becomes of the links there.
#include "core/ops/domain_workspaces.h"

#include "core/redirect/directory.h"
#include "tests/support/domains.h"
#include "tests/support/labels.h"

#include <fmt/format.h>

using namespace slashpost;
using namespace slashpost::test;

namespace {

// A domain of "owner", who is an admin in the workspace of "tenant" and shares it there, until they are
// removed.
struct SharedWorld : World {
    Stranger owner_person = stranger("owner"), tenant_person = stranger("tenant");
    WorkspaceId there = tenant_person.account.default_workspace;
    Seat owner{*this, owner_person.caller}, tenant{*this, tenant_person.caller};
    Domain domain = must(owner.add("mine.example"));
    SharedWorld() {
        must(owner.prove(domain));
        add_member(*this, there, owner_person.account.id, Role::admin);
        must(Seat(*this, owner_person.caller, there.hex()).share(domain.id));
        must(engine->transact([&](data::Txn& txn) -> Result<void> {
            const auto primary = Member::primary_of({.workspace = there, .account = owner_person.account.id});
            return schema().members.remove(txn, TRY(schema().members.find(txn, primary)).value());
        }));
    }

    // "<workspace> shared 2" for each, in the order of sharing.
    std::string workspaces(const PageRequest& page = {.direction = Direction::ascending}) {
        std::string out;
        for (const auto& one : must(owner.read([&](Context& ctx) {
                 return list_domain_workspaces(ctx, must(find_managed_domain(ctx, domain.id.hex())), page);
             })))
            out += fmt::format("{}{} {} {}", out.empty() ? "" : ", ",
                               one.workspace.id == there ? "tenant" : "owner",
                               one.share.in_force() ? "shared" : "left", one.links);
        return out;
    }
    Result<DomainWorkspace> take_away(LinksLeft links, const Seat& by) {
        return by.write([&](Context& ctx) -> Result<DomainWorkspace> {
            const auto managed = TRY(find_managed_domain(ctx, domain.id.hex()));
            return take_domain_from(ctx, managed, TRY(find_domain_workspace(ctx, managed, there.hex())),
                                    links);
        });
    }
    std::string opened(LinkId id, Guard guard) {
        return refusal_of(tenant.write([&](Context& ctx) { return find_link(ctx, id); }, guard));
    }
};

} // namespace

TEST_CASE("the owner of a domain sees every workspace that it is shared with, and its links by count",
          "[domains]") {
    SharedWorld world;
    must(world.tenant.link(world.domain.id, "a"));
    world.clock.advance_seconds(1);
    must(world.tenant.link(world.domain.id, "b"));
    must(world.owner.link(world.domain.id, "c"));
    CHECK(world.workspaces() == "owner shared 1, tenant shared 2");
    CHECK(world.workspaces({.limit = 1}) == "tenant shared 2");
    CHECK(world.workspaces({.last = world.there.hex()}) == "owner shared 1");
    const auto shown = must(world.owner.read(
        [&](Context& ctx) { return find_domain_workspace(ctx, world.domain, world.there.hex()); }));
    CHECK_FALSE(shown.named); // the owner works there no more
    CHECK(shown.owner.username == "tenant");
    CHECK(must(world.owner.read([&](Context& ctx) { return count_domain_workspaces(ctx, world.domain); })) ==
          2);
    CHECK(refusal_of(world.owner.read([&](Context& ctx) {
              return list_domain_workspaces(ctx, world.domain, {.order_by = "name", .last = "x"});
          })) == "InvalidFormat workspace: InvalidFormat orderBy, InvalidFormat last");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the owner takes a domain away from anywhere; a link that is left can be deleted, nothing else",
          "[domains]") {
    SharedWorld world;
    const auto link = must(world.tenant.link(world.domain.id, "a")).link;
    must(world.tenant.link(world.domain.id, "b"));
    CHECK(refusal_of(world.take_away(LinksLeft::keep, world.tenant)) ==
          "InvalidFormat domain: NotShared domain");
    const auto taken = must(world.take_away(LinksLeft::keep, world.owner));
    CHECK_FALSE(taken.share.in_force());
    CHECK(taken.links == 2);
    CHECK(world.workspaces() == "owner shared 0, tenant left 2");

    CHECK(refusal_of(world.tenant.link(world.domain.id)) == "NotFound domain");
    CHECK(world.opened(link.id, {.link = LinkState::live}) == "InvalidFormat link: NotShared domain");
    CHECK(world.opened(link.id, {.kind = LinkKind::any}) == "InvalidFormat link: NotShared domain");
    CHECK(refusal_of(world.tenant.read([&](Context& ctx) { return find_link(ctx, link.id); })) == "none");
    const auto update = [&](const LinkChange& change) {
        return refusal_of(world.tenant.write(
            [&](Context& ctx) -> Result<LinkDetails> {
                return update_link(ctx, TRY(find_link(ctx, link.id)), change);
            },
            {.link = LinkState::live}));
    };
    CHECK(update({.destination = Change<std::string>::set("https://evil.example/")}) ==
          "InvalidFormat link: NotShared domain");
    CHECK(update({.slashtag = Change<std::string>::set("login")}) == "InvalidFormat link: NotShared domain");
    const auto deleted = world.tenant.write(
        [&](Context& ctx) -> Result<LinkDetails> { return delete_link(ctx, TRY(find_link(ctx, link.id))); },
        {.link = LinkState::live, .place = LinkDomain::any_domain});
    CHECK(refusal_of(deleted) == "none");
    CHECK(world.workspaces() == "owner shared 0, tenant left 1");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a workspace that gives a domain back keeps no hold on its links either", "[domains]") {
    SharedWorld world;
    const auto link = must(world.tenant.link(world.domain.id, "a")).link;
    must(world.tenant.unshare(world.domain.id));
    CHECK(world.opened(link.id, {.link = LinkState::live}) == "InvalidFormat link: NotShared domain");
    CHECK(world.workspaces() == "owner shared 0, tenant left 1");
    must(world.take_away(LinksLeft::retire, world.owner)); // what was left may go later
    CHECK(world.workspaces() == "owner shared 0");
    run_jobs(world);
    CHECK(refusal_of(world.tenant.write([&](Context& ctx) { return find_link(ctx, link.id); },
                                        {.link = LinkState::live, .place = LinkDomain::any_domain})) ==
          "DeletedLink link");
    CHECK(refusal_of(world.take_away(LinksLeft::retire, world.owner)) == "NotFound workspace");
    must(world.owner.remove(world.domain.id));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("retired links are deleted for visitors and callers at once, and their rows in batches",
          "[domains]") {
    constexpr int links = 450; // of which a batch deletes 200
    SharedWorld world;
    redirect::Directory directory;
    must(directory.load(*world.engine));
    for (int i = 0; i < links; ++i)
        must(world.tenant.link(world.domain.id, fmt::format("t{}", i)));
    const auto link = must(world.tenant.link(world.domain.id, "last")).link;
    const auto elsewhere = must(world.tenant.link(world.installed.domain.id, "else")).link;
    const auto own = must(world.owner.link(world.domain.id, "own")).link;
    must(world.take_away(LinksLeft::retire, world.owner));

    CHECK(world.listener.seen.back().workspaces == std::vector{world.there});
    must(directory.refresh(*world.engine, {}, std::vector{world.there}));
    const auto* const facts = directory.now().unusual(world.there);
    REQUIRE(facts);
    CHECK(facts->is_closed(world.domain.id));
    CHECK_FALSE(facts->is_closed(world.installed.domain.id));
    CHECK(refusal_of(world.tenant.read([&](Context& ctx) { return find_link(ctx, link.id); })) ==
          "NotFound link");
    CHECK(world.opened(link.id, {.link = LinkState::live, .place = LinkDomain::any_domain}) ==
          "DeletedLink link");
    CHECK(world.workspaces() == "owner shared 1");
    CHECK(refusal_of(world.operate([&](SystemContext& system) {
              return share_domain(system, world.domain.id, world.there);
          })) == "Conflict domain");

    CHECK(run_jobs(world) == 3);
    must(directory.refresh(*world.engine, {}, std::vector{world.there}));
    CHECK(directory.now().unusual(world.there) == nullptr);
    CHECK(refusal_of(world.tenant.read([&](Context& ctx) { return find_link(ctx, elsewhere.id); })) ==
          "none");
    CHECK(refusal_of(world.owner.read([&](Context& ctx) { return find_link(ctx, own.id); })) == "none");
    CHECK(must(world.engine->read([&](data::View& view) {
              return schema().links.per_workspace.count(view, world.there, true, world.domain.id);
          })) == 0);
    must(world.operate(
        [&](SystemContext& system) { return share_domain(system, world.domain.id, world.there); }));
    CHECK(world.workspaces() == "owner shared 1, tenant shared 0");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("no quarantine keeps the owner of a domain from an address that a tenant gave up", "[domains]") {
    SharedWorld world;
    must(world.tenant.link(world.domain.id, "sale"));
    must(world.take_away(LinksLeft::retire, world.owner));
    run_jobs(world);
    CHECK(refusal_of(world.owner.link(world.domain.id, "sale")) == "none");
}

TEST_CASE("an address is free for the owner as soon as a tenant's links are taken away", "[domains]") {
    SharedWorld world;
    const auto theirs = must(world.tenant.link(world.domain.id, "sale")).link;
    must(world.take_away(LinksLeft::retire, world.owner));
    CHECK(refusal_of(world.owner.link(world.domain.id, "sale")) == "none"); // before the job is done
    run_jobs(world);
    const auto rows = must(world.engine->read([&](data::View& view) -> Result<std::pair<Link, Link>> {
        const auto& links = schema().links;
        return std::pair(*TRY(links.find(view, theirs.id.view())),
                         *TRY(links.find_by(links.short_url, view, world.domain.id, std::string("sale"))));
    }));
    CHECK(rows.first.status == LinkStatus::deleted);
    CHECK(rows.second.workspace == world.owner_person.account.default_workspace);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("where others use a domain, too, scripts take a feature of the plan", "[domains]") {
    SharedWorld world;
    const auto without = [&](const Stranger& who) {
        must(world.operate([&](SystemContext& system) -> Result<void> {
            const auto account = TRY(find_account(system.txn, who.account.id.hex()));
            auto changed = account;
            changed.revoked_features = {"links.scripts.shared"};
            return schema().accounts.update(system.txn, account, changed);
        }));
    };
    const auto script_of = [](const Seat& seat) {
        return must(seat.write([&](Context& ctx) {
                   return create_script(ctx, {.name = "s", .value = "<script></script>", .uri = {}});
               }))
            .id;
    };
    const auto script = script_of(world.tenant);
    const auto with_script = [&](DomainId domain) {
        return world.tenant.write([&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/",
                                     .domain = {.id = domain, .full_name = {}},
                                     .scripts = {script}});
        });
    };
    CHECK(refusal_of(with_script(world.domain.id)) == "none");
    without(world.tenant_person);
    const std::string missing = "FeatureNotIncluded links.scripts.shared";
    CHECK(refusal_of(with_script(world.domain.id)) == missing);           // of another account
    CHECK(refusal_of(with_script(world.installed.domain.id)) == missing); // everybody's
    const auto plain = must(world.tenant.link(world.domain.id)).link;
    CHECK(refusal_of(world.tenant.write(
              [&](Context& ctx) -> Result<LinkDetails> {
                  return update_link(ctx, TRY(find_link(ctx, plain.id)),
                                     {.scripts = Change<std::vector<ScriptId>>::set({script})});
              },
              {.link = LinkState::live})) == missing);
    CHECK(refusal_of(world.tenant.write(
              [&](Context& ctx) -> Result<void> {
                  return attach_script(ctx, TRY(find_link(ctx, plain.id)),
                                       TRY(find_script(ctx, script.hex())));
              },
              {.link = LinkState::live})) == missing);

    const auto own = must(world.tenant.add("own.example")); // nobody else's
    must(world.tenant.prove(own));
    const auto link = must(with_script(own.id)).link;
    CHECK(refusal_of(world.tenant.write(
              [&](Context& ctx) -> Result<LinkDetails> {
                  return update_link(ctx, TRY(find_link(ctx, link.id)),
                                     {.domain = {.id = world.domain.id, .full_name = {}}});
              },
              {.link = LinkState::live})) == missing);
    // The owner of a domain that it shares needs it as well.
    without(world.owner_person);
    const auto owners = script_of(world.owner);
    const auto by_owner = [&] {
        return refusal_of(world.owner.write([&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/",
                                     .domain = {.id = world.domain.id, .full_name = {}},
                                     .scripts = {owners}});
        }));
    };
    CHECK(by_owner() == missing);
    must(world.take_away(LinksLeft::keep, world.owner));
    CHECK(by_owner() == "none");
}

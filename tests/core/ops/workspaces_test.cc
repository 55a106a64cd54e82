// Workspaces: made, changed, trashed, deleted, left (interface 2.2, 3.2, 3.5 and 4.5).
#include "tests/support/workspaces.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

Result<bool> nothing(Context&) { return true; }

Workspace stored(World& world, WorkspaceId id) {
    return must(world.engine->read([&](data::View& view) -> Result<Workspace> {
        return TRY(schema().workspaces.find(view, id.view())).value();
    }));
}

std::string names_of(World& world, const WorkspaceFilter& filter = {}, const PageRequest& page = {}) {
    const auto listed = must(world.service.run(
        world.caller, {}, account_read, [&](Context& ctx) { return list_workspaces(ctx, filter, page); }));
    std::string out;
    for (const auto& details : listed)
        out += (out.empty() ? "" : " ") + details.workspace.name;
    return out;
}

Result<ConversionTracking> track(World& world, bool enabled, std::optional<std::int64_t> days = {}) {
    return world.write([&](Context& ctx) {
        return set_conversion_tracking(ctx, {.enabled = enabled, .attribution_window_days = days});
    });
}

} // namespace

TEST_CASE("a new workspace shares no domain, not even the default one", "[workspaces]") {
    World world;
    for (const auto type : {WorkspaceType::classic, WorkspaceType::gallery, WorkspaceType::extended}) {
        const auto made = must(try_workspace(world, {.name = "abc", .type = type}, world.caller));
        CHECK(made.type == type);
        CHECK(made.owner == world.installed.account.id);
        CHECK_FALSE(made.is_default);
        CHECK(code_of(link_in(world, made.id, "")) == "NotFound");
    }
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an avatar is an http or https address", "[workspaces]") {
    World world;
    const auto with = [&](std::string avatar) {
        return try_workspace(world, {.name = "abc", .avatar_url = std::move(avatar)}, world.caller);
    };
    CHECK(must(with("https://example.com/a b.png")).avatar_url == "https://example.com/a%20b.png");
    for (const auto* bad : {"javascript:alert(1)", "data:image/png;base64,AA==", "nope", "//example.com/a"}) {
        const auto refused = with(bad);
        REQUIRE(code_of(refused) == "InvalidFormat");
        CHECK(refused.error().fields.at(0).property == "avatarUrl");
    }
}

TEST_CASE("a change of a workspace names only what changes, and clears what it clears", "[workspaces]") {
    World world;
    const auto made = must(try_workspace(
        world,
        {.name = "abc", .notes = "def", .avatar_url = "https://example.com/a", .default_ttl_seconds = 60},
        world.caller));
    const auto change = [&](const WorkspaceChange& what) {
        return must(write_in(world, made.id, [&](Context& ctx) { return update_workspace(ctx, what); }));
    };
    world.clock.advance_seconds(1);
    const auto renamed = change({.name = Change<std::string>::set("xyz")});
    CHECK(renamed.name == "xyz");
    CHECK(renamed.notes == "def");
    CHECK(renamed.avatar_url == "https://example.com/a");
    CHECK(renamed.default_ttl_seconds == 60);
    CHECK(renamed.updated_at == world.clock.now());
    CHECK(renamed.created_at == made.created_at);
    const auto bare = change({.notes = Change<std::string>::clear(),
                              .avatar_url = Change<std::string>::clear(),
                              .default_ttl_seconds = Change<std::int64_t>::clear()});
    CHECK(bare.notes.empty());
    CHECK(bare.avatar_url.empty());
    CHECK_FALSE(bare.default_ttl_seconds);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("new links take the workspace's time to live until it is removed", "[workspaces]") {
    World world;
    const auto made = must(try_workspace(world, {.name = "abc", .default_ttl_seconds = 60}, world.caller));
    must(world.operate(
        [&](SystemContext& system) { return share_domain(system, world.installed.domain.id, made.id); }));
    CHECK(must(link_in(world, made.id, "a")).link.expires_at == world.clock.now().plus_seconds(60));
    must(write_in(world, made.id, [](Context& ctx) { return remove_default_ttl(ctx); }));
    CHECK_FALSE(must(link_in(world, made.id, "b")).link.expires_at);
    must(write_in(world, made.id, [](Context& ctx) { return remove_default_ttl(ctx); }));
}

TEST_CASE("a deleted workspace is gone at once and its links follow in batches", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    for (int i = 0; i < 201; ++i)
        must(link_in(world, made.id, "s" + std::to_string(i)));
    const auto expired = must(link_in(world, made.id, "old")).link;
    must(world.operate([&](SystemContext& system) -> Result<void> {
        auto now = expired;
        now.status = LinkStatus::expired;
        return schema().links.update(system.txn, expired, now);
    }));
    must(remove_in(world, made.id, Removal::deleted));
    CHECK(world.listener.seen.back().workspaces == std::vector<WorkspaceId>{made.id});
    CHECK(stored(world, made.id).hidden());
    CHECK(code_of(read_in(world, made.id, nothing)) == "NotFound");
    CHECK(names_of(world) == "Main workspace");
    CHECK(world.inconsistency().empty());

    const auto kept = [&] {
        return must(
            world.engine->read([&](data::View& view) { return schema().links.kept.count(view, made.id); }));
    };
    JobRunner runner(world.service);
    REQUIRE(must(runner.run_batch()));
    CHECK(kept() == 2);
    CHECK(world.listener.seen.back().addresses.size() == 200);
    run_all_jobs(world);
    CHECK(kept() == 0);
    CHECK(world.inconsistency().empty());

    // Other owners wait for the quarantine, as with every deleted link.
    const auto other = world.stranger("other");
    const auto take_as = [&](const Caller& who, const char* slashtag) {
        return code_of(world.service.run(who, {}, {.access = Access::write}, [&](Context& ctx) {
            return create_link(ctx, {.destination = "https://example.com/", .slashtag = slashtag});
        }));
    };
    CHECK(take_as(other.caller, "s1") == "InvalidFormat");
    CHECK(take_as(world.caller, "s1") == "none");
    CHECK(take_as(other.caller, "old") == "InvalidFormat");
    world.clock.advance_seconds(30LL * 24 * 3600);
    CHECK(take_as(other.caller, "old") == "none");
}

TEST_CASE("what a deleted workspace held is free for its owner at once, and for nobody else",
          "[workspaces]") {
    World world;
    const auto other = world.stranger("other");
    const auto made = make_workspace(world, "abc");
    const auto link = must(link_in(world, made.id, "sale")).link;
    must(link_in(world, made.id, "fair"));
    must(remove_in(world, made.id, Removal::deleted));

    const auto taken = world.service.run(other.caller, {}, {.access = Access::write}, [](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/", .slashtag = "sale"});
    });
    REQUIRE_FALSE(taken.has_value());
    CHECK(taken.error().fields.front().code == "AlreadyExists");
    CHECK(taken.error().fields.front().message ==
          "was given up by somebody else and is in quarantine until 2027-02-14T08:00:00.000Z");

    const auto again = must(world.create({.destination = "https://example.com/", .slashtag = "sale"})).link;
    const auto moved = must(world.update(again.id, {.slashtag = Change<std::string>::set("fair")})).link;
    run_all_jobs(world); // finds nothing of theirs to take away
    const auto rows = must(world.engine->read([&](data::View& view) -> Result<std::pair<Link, Link>> {
        const auto& links = schema().links;
        return std::pair(*TRY(links.find(view, link.id.view())), *TRY(links.find(view, moved.id.view())));
    }));
    CHECK(rows.first.status == LinkStatus::deleted);
    CHECK(rows.second.status == LinkStatus::active);
    CHECK(rows.second.slashtag == "fair");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a trashed workspace keeps its slashtags, as it may come back", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    must(link_in(world, made.id, "sale"));
    must(remove_in(world, made.id, Removal::trashed));
    const auto taken = world.create({.destination = "https://example.com/", .slashtag = "sale"});
    REQUIRE_FALSE(taken.has_value());
    CHECK(taken.error().fields.front().message == "is already in use");
}

TEST_CASE("what one workspace gave up another one of the same owner takes at once", "[workspaces]") {
    World world;
    const auto second = make_workspace(world, "abc");
    const auto link = must(world.create({.destination = "https://example.com/", .slashtag = "sale"})).link;
    must(world.remove(link.id));
    CHECK(code_of(link_in(world, second.id, "sale")) == "none");
    const auto moved = must(world.create({.destination = "https://example.com/", .slashtag = "old"})).link;
    must(world.update(moved.id, {.slashtag = Change<std::string>::set("new")}));
    CHECK(code_of(link_in(world, second.id, "old")) == "none");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a purge that was cut off goes on", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    for (int i = 0; i < 450; ++i)
        must(link_in(world, made.id, ""));
    must(remove_in(world, made.id, Removal::deleted));
    REQUIRE(must(JobRunner(world.service).run_batch()));
    REQUIRE(must(JobRunner(world.service).run_batch())); // as after a restart
    run_all_jobs(world);
    const auto counts = must(world.engine->read([&](data::View& view) -> Result<std::int64_t> {
        return TRY(schema().links.kept.count(view, made.id)) +
               TRY(schema().domain_shares.per_workspace.count(view, made.id));
    }));
    CHECK(counts == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the default workspace can be neither deleted nor trashed by its owner", "[workspaces]") {
    World world;
    const auto main = world.installed.account.default_workspace;
    for (const auto how : {Removal::deleted, Removal::trashed})
        CHECK(code_of(remove_in(world, main, how)) == "CouldNotDeleteDefaultWorkspace");
    CHECK(code_of(world.read(nothing)) == "none");
}

TEST_CASE("an extended workspace can be deleted only without links", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc", WorkspaceType::extended);
    const auto domain = must(world.operate([&](SystemContext& system) -> Result<Domain> {
        auto added = TRY(add_domain(system, {.full_name = "own.example",
                                             .type = DomainType::user,
                                             .owner = world.installed.account.id,
                                             .verified = true,
                                             .slashtag = {}}));
        TRY(share_domain(system, added.id, made.id));
        return added;
    }));
    const auto link = must(write_in(world, made.id, [&](Context& ctx) {
        return create_link(
            ctx, {.destination = "https://example.com/", .domain = {.id = domain.id, .full_name = {}}});
    }));
    CHECK(code_of(remove_in(world, made.id, Removal::deleted)) == "CouldNotDeleteExtendedWorkspace");
    must(write_in(world, made.id, [&](Context& ctx) -> Result<LinkDetails> {
        return delete_link(ctx, TRY(find_link(ctx, link.link.id)));
    }));
    CHECK(code_of(remove_in(world, made.id, Removal::deleted)) == "none");
}

TEST_CASE("a trashed workspace is hidden until the operator takes it back, with its links", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    must(link_in(world, made.id, "a"));
    must(remove_in(world, made.id, Removal::trashed));
    CHECK(world.listener.seen.back().workspaces == std::vector<WorkspaceId>{made.id});
    CHECK(code_of(read_in(world, made.id, nothing)) == "NotFound");
    CHECK(names_of(world) == "Main workspace");
    CHECK(run_all_jobs(world) == 0);
    set_state(world, made.id, {.trashed = Change<bool>::set(false)});
    CHECK(world.listener.seen.back().workspaces == std::vector<WorkspaceId>{made.id});
    CHECK(names_of(world) == "abc Main workspace");
    CHECK(must(read_in(world, made.id, [](Context& ctx) { return count_links(ctx, {}); })) == 1);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("whoever leaves a workspace is in it no more, and the owner cannot leave", "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    const auto other = world.stranger("other");
    add_member(world, made.id, other.account.id, Role::admin);
    const auto leave = [](Context& ctx) { return leave_workspace(ctx); };
    const auto as_other = [&](auto work) {
        return world.service.run(other.caller, made.id.hex(), {.access = Access::write}, work);
    };
    CHECK(code_of(as_other(leave)) == "none");
    CHECK(code_of(as_other(nothing)) == "NotFound");
    CHECK(code_of(write_in(world, made.id, leave)) == "Forbidden");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a default conversion tracking is disabled and has no window", "[workspaces]") {
    World world;
    const auto seen =
        must(world.read([](Context& ctx) -> Result<ConversionTracking> { return conversion_tracking(ctx); }));
    CHECK_FALSE(seen.enabled);
    CHECK_FALSE(seen.attribution_window_days);
}

TEST_CASE("conversion tracking moves between its states as the interface says", "[workspaces]") {
    World world;
    const auto off = must(track(world, false)); // never had a window: null
    CHECK_FALSE(off.enabled);
    CHECK_FALSE(off.attribution_window_days);
    CHECK(must(track(world, true)).attribution_window_days == 30);
    CHECK(must(track(world, true, 90)).attribution_window_days == 90);
    const auto kept = must(track(world, false)); // the stored value
    CHECK_FALSE(kept.enabled);
    CHECK(kept.attribution_window_days == 90);
    CHECK(must(track(world, false, 7)).attribution_window_days == 7); // the body's value
    CHECK(must(track(world, true)).attribution_window_days == 30);    // 30 when omitted
    CHECK(must(track(world, true, 1)).enabled);
}

TEST_CASE("workspaces are listed in each order, filtered and page by page", "[workspaces]") {
    World world; // "Main workspace"
    const auto make = [&](const char* name, WorkspaceType type) {
        world.clock.advance_seconds(1);
        return make_workspace(world, name, type);
    };
    const auto b = make("beta", WorkspaceType::gallery);
    make("Alpha", WorkspaceType::classic);
    make("gamma", WorkspaceType::extended);
    world.clock.advance_seconds(1);
    set_state(world, b.id, {.revoked = Change<bool>::set(true)});
    const auto asc = Direction::ascending;
    CHECK(names_of(world) == "gamma Alpha beta Main workspace");
    CHECK(names_of(world, {}, {.order_by = "createdAt", .direction = asc}) ==
          "Main workspace beta Alpha gamma");
    CHECK(names_of(world, {}, {.order_by = "name", .direction = asc}) == "Alpha beta gamma Main workspace");
    CHECK(names_of(world, {}, {.order_by = "name"}) == "Main workspace gamma beta Alpha");
    CHECK(names_of(world, {}, {.order_by = "updatedAt"}) == "beta gamma Alpha Main workspace");
    CHECK(names_of(world, {.term = "ALPH"}) == "Alpha");
    CHECK(names_of(world, {.type = WorkspaceType::extended}) == "gamma");
    CHECK(names_of(world, {.revoked = true}) == "beta");
    CHECK(names_of(world, {.revoked = false}) == "gamma Alpha Main workspace");
    CHECK(names_of(world, {}, {.limit = 2}) == "gamma Alpha");
    CHECK(names_of(world, {}, {.limit = 2, .offset = 1}) == "Alpha beta");
    CHECK(names_of(world, {}, {.offset = 4}).empty());
    CHECK(names_of(world, {}, {.order_by = "name", .direction = asc, .last = b.id.hex()}) ==
          "gamma Main workspace");
    CHECK(names_of(world, {}, {.last = world.installed.account.default_workspace.hex()}).empty());
}

TEST_CASE("a cursor outlives its workspace, and names none of somebody else", "[workspaces]") {
    World world;
    world.clock.advance_seconds(1);
    const auto b = make_workspace(world, "beta");
    world.clock.advance_seconds(1);
    make_workspace(world, "gamma");
    must(remove_in(world, b.id, Removal::deleted));
    run_all_jobs(world);
    CHECK(names_of(world, {}, {.last = b.id.hex()}) == "Main workspace");
    const auto other = world.stranger("other");
    const auto with = [&](const std::string& last) {
        return world.service.run(world.caller, {}, account_read,
                                 [&](Context& ctx) { return list_workspaces(ctx, {}, {.last = last}); });
    };
    for (const auto& bad :
         {std::string("nope"), other.account.default_workspace.hex(), WorkspaceId().hex()}) {
        const auto refused = with(bad);
        REQUIRE(code_of(refused) == "InvalidFormat");
        CHECK(refused.error().fields.at(0).property == "last");
    }
    add_member(world, other.account.default_workspace, world.caller.account, Role::viewer);
    CHECK(code_of(with(other.account.default_workspace.hex())) == "none");
    must(world.service.run(world.caller, other.account.default_workspace.hex(), {.access = Access::write},
                           [](Context& ctx) { return leave_workspace(ctx); }));
    CHECK(code_of(with(other.account.default_workspace.hex())) == "none");
    world.clock.advance_seconds(24 * 3600);
    CHECK(code_of(with(other.account.default_workspace.hex())) == "InvalidFormat");
}

TEST_CASE("the operator finds a workspace by its id or its owner's name, but no deleted one",
          "[workspaces]") {
    World world;
    const auto made = make_workspace(world, "abc");
    const auto find = [&](const std::string& name) {
        return world.engine->read([&](data::View& view) { return find_any_workspace(view, name); });
    };
    CHECK(must(find(made.id.hex())).name == "abc");
    CHECK(must(find("ADMIN")).id == world.installed.account.default_workspace);
    CHECK(code_of(find("nobody")) == "NotFound");
    must(remove_in(world, made.id, Removal::deleted));
    CHECK(code_of(find(made.id.hex())) == "NotFound");
}

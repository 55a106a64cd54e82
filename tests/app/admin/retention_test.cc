// What is erased for its age, as the operator says, and what is forgotten of a link on demand.
#include "core/work/retention.h"

#include "app/admin/verify_rollups.h"
#include "core/schema/click_orders.h"
#include "core/schema/imports.h"
#include "core/schema/recent_links.h"
#include "core/work/close_hours.h"
#include "core/work/jobs.h"
#include "core/work/reset_statistics.h"
#include "tests/app/admin/run_command.h"
#include "tests/support/rollups.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr std::int64_t day_ms = 24LL * 3600 * 1000;

std::size_t rows(World& world, const Subject& subject, Grain grain) {
    std::size_t count = 0;
    must(world.engine->read([&](data::View& view) {
        return view.scan(space::rollups, data::Range::of_prefix(data::key(data::Raw{subject.prefix}, grain)),
                         data::Order::forward, [&](data::BytesView, data::BytesView) {
                             ++count;
                             return true;
                         });
    }));
    return count;
}

// A click as it is when its hour has settled.
void click(World& world, const Link& link, Timestamp at) {
    must(world.operate([&](SystemContext& system) -> Result<void> {
        data::Counts one;
        one.add("c", 1);
        TRY(add_to_rollups(system.txn, Subject::of(link.id), at, one));
        TRY(add_to_rollups(system.txn, Subject::of(link.workspace), at, one));
        TRY(system.txn.add(workspace_clicks_tally(link.workspace), 1));
        return add_settled_clicks(system.txn, link.workspace, link.id, {.clicks = 1, .last_click_at = at});
    }));
}

// One of this hour.
void click_now(World& world, const Link& link) {
    must(world.operate([&](SystemContext& system) -> Result<void> {
        data::Counts one;
        one.add("c", 1);
        one.add("n", 1);
        RecentLinks recent;
        recent.add({.hour = bucket_of(Grain::hour, system.now),
                    .workspace = link.workspace,
                    .link = link.id,
                    .last = system.now,
                    .counts = one.encode()});
        return recent.write(system.txn, TRY(settled_hours(system.txn)));
    }));
}

LinkFigures figures_of(World& world, const Link& link) {
    return must(world.engine->read(
        [&](data::View& view) { return RollupReader(view).link(link.id, link.workspace); }));
}

std::string first_finding(World& world) {
    const auto found = must(
        world.engine->read([&](data::View& view) { return admin::verify_rollups(view, world.clock.now()); }));
    return found.sentences.empty() ? world.inconsistency() : found.sentences.front();
}

Link made(World& world, const std::string& slashtag) {
    return must(world.create({.destination = "https://example.com/", .slashtag = slashtag})).link;
}

template <class Step>
void run_all(World& world, Step step) {
    while (must(world.operate(step))) {
    }
}

} // namespace

TEST_CASE("hours and days of statistics are kept as long as the operator says, totals for ever",
          "[retention]") {
    World world;
    world.settings.hours_kept_days = 2;
    world.settings.days_kept_days = 30;
    const auto link = made(world, "sale");
    const auto subject = Subject::of(link.id);
    for (const int age : {0, 2, 3, 30, 31})
        click(world, link, {world.clock.now().ms - age * day_ms});
    run_all(world, prune_statistics);
    CHECK(rows(world, subject, Grain::hour) == 2);
    CHECK(rows(world, subject, Grain::day) == 4);
    CHECK(rows(world, subject, Grain::all) == 1);
    CHECK(figures_of(world, link).totals.clicks == 5);
    CHECK(first_finding(world).empty()); // although days lack what is in all
    const auto kept = must(world.engine->read(kept_since));
    CHECK(to_iso(kept.hours) == "2027-01-13T00:00:00.000Z");
    CHECK(to_iso(kept.days) == "2026-12-16T00:00:00.000Z");
}

TEST_CASE("no hour of statistics outlives its day", "[retention]") {
    World world;
    world.settings.days_kept_days = 10;
    const auto link = made(world, "sale");
    click(world, link, {world.clock.now().ms - 11 * day_ms});
    run_all(world, prune_statistics);
    CHECK(rows(world, Subject::of(link.id), Grain::day) == 0);
    CHECK(rows(world, Subject::of(link.id), Grain::hour) == 0);
}

TEST_CASE("deleted links are erased with what was counted of them after as many days as the operator says",
          "[retention]") {
    World world;
    const auto old = made(world, "old"), young = made(world, "young"), live = made(world, "live");
    for (const auto& link : {old, young, live})
        click(world, link, world.clock.now());
    must(world.remove(old.id));
    world.clock.advance_seconds(30 * 24 * 3600);
    must(world.remove(young.id));
    world.clock.advance_seconds(1);
    const auto row = [&](const Link& link) {
        return must(
            world.engine->read([&](data::View& view) { return schema().links.find(view, link.id.view()); }));
    };
    run_all(world, prune_deleted_links);
    CHECK(row(old)); // nobody has said so

    world.settings.deleted_links_kept_days = 30;
    run_all(world, prune_deleted_links);
    CHECK_FALSE(row(old));
    CHECK(row(young));
    CHECK(row(live));
    CHECK(rows(world, Subject::of(old.id), Grain::all) == 0);
    CHECK(rows(world, Subject::of(old.id), Grain::hour) == 0);
    CHECK(figures_of(world, old).totals == ClickTotals());
    CHECK(figures_of(world, live).totals.clicks == 1);
    CHECK(first_finding(world).empty());
    CHECK(must(world.operate(prune_deleted_links)) == false); // not again today
}

TEST_CASE("a link whose statistics are reset shows none at once, and older days follow", "[retention]") {
    World world;
    const auto link = made(world, "sale"), other = made(world, "other");
    for (const int age : {0, 1, 2, 40, 400})
        click(world, link, {world.clock.now().ms - age * day_ms});
    click(world, other, world.clock.now());
    click_now(world, link);
    click_now(world, other);
    must(world.operate([&](SystemContext& system) { return reset_statistics(system, link); }));
    CHECK(figures_of(world, link).totals == ClickTotals());
    CHECK(rows(world, Subject::of(link.id), Grain::all) == 0);
    CHECK(rows(world, Subject::of(link.id), Grain::day) == 3);
    CHECK(figures_of(world, other).totals.clicks == 2);

    click_now(world, link); // before the job had its turn
    JobRunner runner(world.service);
    while (must(runner.run_batch())) {
    }
    CHECK(rows(world, Subject::of(link.id), Grain::day) == 0);
    CHECK(rows(world, Subject::of(link.id), Grain::hour) == 0);
    CHECK(figures_of(world, link).totals.clicks == 1);
    world.clock.advance_seconds(2 * 3600);
    run_all(world, close_hours);
    CHECK(figures_of(world, link).totals.clicks == 1);
    CHECK(figures_of(world, other).totals.clicks == 2);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("the tool resets the statistics of the link that an address or an id names", "[retention]") {
    StockedWorld world;
    const auto named = [&](const std::string& name) {
        return run(world, {"link", "reset-statistics", name});
    };
    const auto& link = world.first_link;
    click(world, link, world.clock.now());
    CHECK(named("https://go.example.com/" + link.slashtag + "?x=1").code == 0);
    CHECK(figures_of(world, link).totals == ClickTotals());
    CHECK(named("go.example.com/not-there").code == 1);
}

TEST_CASE("clicks that links forget stay with their workspace and domain, and verify agrees", "[retention]") {
    StockedWorld world;
    const auto imported = made(world, "moved"), erased = made(world, "erased");
    must(world.operate([&](SystemContext& system) -> Result<void> {
        EarlierClicks earlier;
        TRY(earlier.count(system.txn, imported, 1234));
        TRY(earlier.count(system.txn, erased, 10));
        TRY(system.txn.add(workspace_clicks_tally(imported.workspace), 1));
        TRY(system.txn.add(domain_clicks_tally(imported.domain, imported.workspace), 1));
        data::Counts one;
        one.add("c", 1);
        TRY(add_to_rollups(system.txn, Subject::of(imported.workspace), system.now, one));
        TRY(add_to_rollups(system.txn, Subject::of(imported.domain, imported.workspace), system.now, one));
        return earlier.write(system.txn);
    }));
    click_now(world, imported);
    const auto in_workspace = [&] {
        return must(world.engine->read(
                        [&](data::View& view) { return clicks_of_workspace(view, imported.workspace); }))
            .clicks;
    };
    const auto check_verified = [&] {
        const auto verified = run(world, {"verify"});
        CHECK(verified.code == 0);
        CHECK_THAT(verified.output, Catch::Contains("all good"));
    };
    REQUIRE(in_workspace() == 5 + 1234 + 10 + 1);
    check_verified();

    REQUIRE(run(world, {"link", "reset-statistics", imported.id.hex()}).code == 0);
    CHECK(figures_of(world, imported).totals == ClickTotals());
    CHECK(in_workspace() == 1250);
    check_verified(); // while older days are still to be erased
    JobRunner runner(world.service);
    while (must(runner.run_batch())) {
    }
    CHECK(rows(world, Subject::of(imported.id), Grain::day) == 0);
    check_verified();

    world.settings.deleted_links_kept_days = 1;
    must(world.remove(erased.id));
    world.clock.advance_seconds(2 * 24 * 3600);
    run_all(world, prune_deleted_links);
    CHECK(in_workspace() == 1250);
    check_verified();
}

// Jobs: bounded batches, in turn, and none of them lost by a failure or by kill -9.
#include "core/schema/click_totals.h"
#include "core/schema/recent_rollups.h"
#include "core/work/backlog.h"
#include "core/work/close_hours.h"
#include "core/work/retention.h"
#include "storage/open.h"
#include "tests/support/child_process.h"
#include "tests/support/labels.h"
#include "tests/support/temp_folder.h"
#include "tests/support/workspaces.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <iostream>

using namespace slashpost;
using namespace slashpost::test;

namespace {

constexpr int links_per_batch = 200;

std::unique_ptr<data::Engine> open_rocksdb(const std::string& folder) {
    return must(storage::open("rocksdb:" + folder, space::all, {.durability = data::Durability::relaxed}));
}

void make_links(World& world, int count, const NewLink& in) {
    for (int i = 0; i < count; ++i) {
        auto link = in;
        link.destination = "https://example.com/";
        must(world.create(std::move(link)));
    }
}

// How many links still have it in their rows.
std::int64_t carrying(data::Engine& engine, TagId tag) {
    std::int64_t count = 0;
    must(engine.read([&](data::View& view) {
        return schema().links.each(view, [&](const Link& link) -> Result<bool> {
            count += std::ranges::count(link.tags, tag);
            return true;
        });
    }));
    return count;
}

std::uint64_t waiting(data::Engine& engine) {
    return must(engine.read([](data::View& view) { return count_backlog(view); })).jobs;
}

} // namespace

TEST_CASE("a job is done in batches of 200 links and its row goes with the last one", "[jobs]") {
    World world;
    const auto tag = make_tag(world, "a");
    make_links(world, links_per_batch + 1, {.tags = {tag.id}});
    erase(world, tag);
    CHECK(waiting(*world.engine) == 1);
    JobRunner runner(world.service);
    CHECK(must(runner.run_batch()));
    CHECK(carrying(*world.engine, tag.id) == 1);
    CHECK(waiting(*world.engine) == 1);
    CHECK(must(runner.run_batch()));
    CHECK(carrying(*world.engine, tag.id) == 0);
    CHECK(waiting(*world.engine) == 0);
    CHECK_FALSE(must(runner.run_batch()));
    CHECK(world.inconsistency().empty());
}

TEST_CASE("of what waits, ten thousand are counted and no more", "[jobs]") {
    World world;
    for (int i = 0; i < 11; ++i)
        must(world.operate([](SystemContext& system) -> Result<void> {
            for (int k = 0; k < 1000; ++k)
                TRY(enqueue_job(system.txn, {.id = system.tools.ids.next<JobId>(),
                                             .kind = JobKind::purge_domain,
                                             .workspace = {},
                                             .subject = {},
                                             .created_at = system.now,
                                             .unknown = {}}));
            return {};
        }));
    CHECK(waiting(*world.engine) == 10'000);
}

TEST_CASE("jobs take turns", "[jobs]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    make_links(world, links_per_batch + 1, {.tags = {a.id, b.id}});
    erase(world, a);
    erase(world, b);
    JobRunner runner(world.service);
    must(runner.run_batch());
    CHECK(carrying(*world.engine, a.id) == 1);
    CHECK(carrying(*world.engine, b.id) == links_per_batch + 1);
    must(runner.run_batch());
    CHECK(carrying(*world.engine, a.id) == 1);
    CHECK(carrying(*world.engine, b.id) == 1);
    CHECK(run_jobs(world) == 2);
    CHECK(carrying(*world.engine, a.id) + carrying(*world.engine, b.id) == 0);
}

TEST_CASE("a job that fails keeps no other waiting and stays", "[jobs]") {
    World world;
    must(world.operate([](SystemContext& system) {
        return enqueue_job(system.txn, {.id = system.tools.ids.next<JobId>(),
                                        .kind = static_cast<JobKind>(250),
                                        .workspace = {},
                                        .subject = {},
                                        .created_at = system.now,
                                        .unknown = {}});
    }));
    const auto tag = make_tag(world, "a");
    make_links(world, 1, {.tags = {tag.id}});
    erase(world, tag);
    JobRunner runner(world.service);
    CHECK_FALSE(runner.run_batch().has_value());
    CHECK(must(runner.run_batch()));
    CHECK(carrying(*world.engine, tag.id) == 0);
    CHECK(waiting(*world.engine) == 1);
    CHECK_FALSE(runner.run_batch().has_value());
}

TEST_CASE("a batch whose commit fails, or is in doubt, is done again", "[jobs]") {
    const auto inner = storage::make_memory_engine(space::all);
    auto wrapped = std::make_unique<WrappedEngine>(*inner);
    auto& engine = *wrapped;
    World world(std::move(wrapped));
    const auto tag = make_tag(world, "a");
    make_links(world, 3, {.tags = {tag.id}});
    erase(world, tag);
    JobRunner runner(world.service);
    using Fails = WrappedEngine::Fails;
    engine.fails = Fails::before_commit;
    CHECK_FALSE(runner.run_batch().has_value());
    CHECK(carrying(engine, tag.id) == 3);
    engine.fails = Fails::after_commit;
    CHECK_FALSE(runner.run_batch().has_value());
    engine.fails = Fails::and_runs_again;
    CHECK(run_jobs(world) == 0);
    engine.fails = Fails::never;
    CHECK(carrying(engine, tag.id) == 0);
    CHECK(waiting(engine) == 0);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("what a job is taking off a link can be attached to no link any more", "[jobs]") {
    World world;
    const auto tag = make_tag(world, "a");
    const auto link = make_link(world, "x");
    erase(world, tag);
    const auto attached = world.write([&](Context& ctx) -> Result<void> {
        return attach_tag(ctx, TRY(find_link(ctx, link.id)), TRY(find_tag(ctx, tag.id.hex())));
    });
    REQUIRE_FALSE(attached.has_value());
    CHECK(attached.error().source == "tag");
}

// Hidden: the child of the test below. Erases a tag and works on the job for ever, one batch at a time.
TEST_CASE("child erases a tag and is killed", "[.child]") {
    World world(open_rocksdb(child_folder()));
    const auto tag = make_tag(world, "a");
    make_links(world, 2 * links_per_batch + 1, {.tags = {tag.id}});
    erase(world, tag);
    JobRunner runner(world.service);
    must(runner.run_batch());
    std::cout << "half done\n" << std::flush;
    for (;;)
        ::pause();
}

TEST_CASE("a job goes on after kill -9", "[jobs][rocksdb]") {
    const TempFolder folder;
    {
        ChildProcess child("child erases a tag and is killed", folder.path().string());
        std::string said;
        while (said.find("half done") == said.npos) {
            const auto more = child.read();
            REQUIRE_FALSE(more.empty());
            said += more;
        }
        child.kill();
    }
    const auto engine = open_rocksdb(folder.path().string());
    FixedClock clock;
    RepeatableRandom random;
    IdSource ids{clock, random};
    const Settings settings;
    RecordedChanges listener;
    Service service(*engine, clock, Tools{ids, random, settings}, listener);
    CHECK(waiting(*engine) == 1);
    JobRunner runner(service);
    int batches = 0;
    while (must(runner.run_batch()))
        ++batches;
    CHECK(batches == 2);
    CHECK(waiting(*engine) == 0);
    must(engine->read([](data::View& view) {
        return schema().links.each(view, [](const Link& link) -> Result<bool> {
            CHECK(link.tags.empty());
            return true;
        });
    }));
    const auto findings = engine->read([](data::View& view) { return schema().links.check(view); });
    CHECK(must(findings).count == 0);
}

namespace {

template <class I>
I numbered(std::uint8_t number) {
    I id;
    id.bytes[15] = number;
    return id;
}

void count_click(World& world, const Subject& subject, Timestamp time) {
    must(world.engine->transact([&](data::Txn& txn) -> Result<void> {
        TRY(txn.put(space::last_clicks, last_click_key(subject), last_click_value(time)));
        data::Counts one;
        one.add("c", 1);
        return add_to_rollups(txn, subject, time, one);
    }));
}

// Rows of statistics under the prefix.
std::size_t figures(World& world, data::BytesView prefix) {
    std::size_t found = 0;
    must(world.engine->read([&](data::View& view) {
        return view.scan(space::rollups, data::Range::of_prefix(prefix), data::Order::forward,
                         [&](data::BytesView, data::BytesView) { return ++found > 0; });
    }));
    return found;
}

constexpr std::int64_t day_ms = 86'400'000;

} // namespace

TEST_CASE("a deleted tag's statistics go with it, in bounded batches", "[jobs]") {
    World world;
    const auto a = make_tag(world, "a"), b = make_tag(world, "b");
    for (int day = 0; day < 600; ++day)
        count_click(world, Subject::of(a.id), {day * day_ms});
    count_click(world, Subject::of(b.id), {0});
    erase(world, a);
    JobRunner runner(world.service);
    must(runner.run_batch());
    CHECK(figures(world, Subject::of(a.id).prefix) == 201); // of 1 + 600 + 600
    must(runner.run_batch());
    CHECK(figures(world, Subject::of(a.id).prefix) == 0);
    CHECK(figures(world, Subject::of(b.id).prefix) == 3);
    must(world.engine->read([&](data::View& view) -> Result<void> {
        CHECK_FALSE(TRY(last_click_of(view, Subject::of(a.id))));
        CHECK(TRY(last_click_of(view, Subject::of(b.id))) == Timestamp{0});
        return {};
    }));
    CHECK(waiting(*world.engine) == 0);
}

TEST_CASE("a deleted domain's statistics go with it", "[jobs]") {
    World world;
    const auto gone = world.domain("gone.example.com"), kept = world.domain("kept.example.com");
    const auto workspace = numbered<WorkspaceId>(1);
    for (const auto& domain : {gone, kept})
        count_click(world, Subject::of(domain.id, workspace), {day_ms});
    must(world.operate([&](SystemContext& system) { return remove_domain(system, gone); }));
    JobRunner runner(world.service);
    must(runner.run_batch());
    CHECK(figures(world, subjects_of(gone.id)) == 0);
    CHECK(figures(world, subjects_of(kept.id)) == 3);
    CHECK(waiting(*world.engine) == 0);
}

TEST_CASE("a deleted workspace's statistics go with it, in bounded batches", "[jobs]") {
    World world;
    const auto made = make_workspace(world, "abc");
    const auto first = must(link_in(world, made.id, "first")).link;
    const auto second = must(link_in(world, made.id, "second")).link;
    const auto domain = Subject::of(first.domain, made.id);
    for (int day = 0; day < 600; ++day)
        for (const auto& subject : {Subject::of(first.id), Subject::of(made.id), domain})
            count_click(world, subject, {day * day_ms});
    count_click(world, Subject::of(second.id), {0});
    const auto other = Subject::of(first.domain, world.installed.account.default_workspace);
    count_click(world, other, {0});
    must(remove_in(world, made.id, Removal::deleted));
    CHECK(run_all_jobs(world) > 4);
    CHECK(figures(world, {}) == 3);
    CHECK(figures(world, other.prefix) == 3);
    CHECK(world.inconsistency().empty());
}

TEST_CASE("an hour of statistics is settled a minute after its end", "[jobs]") {
    World world; // at 08:00:00
    const auto link = Subject::of(numbered<LinkId>(1));
    const auto hour = bucket_of(Grain::hour, world.clock.now());
    must(world.operate([&](SystemContext& system) -> Result<void> {
        data::Counts one;
        one.add("c", 1);
        return add_hour(system.txn, TRY(settled_hours(system.txn)), link, hour, one);
    }));
    const auto run_all = [&] {
        while (must(world.operate(close_hours))) {
        }
    };
    world.clock.advance_seconds(3600 + 59);
    run_all();
    CHECK(figures(world, link.prefix) == 0);
    world.clock.advance_seconds(1);
    run_all();
    CHECK(figures(world, link.prefix) == 3);
}

TEST_CASE("hours of statistics are erased after 90 days, once a day", "[jobs]") {
    World world;
    const auto today = bucket_of(Grain::day, world.clock.now());
    const auto link = Subject::of(numbered<LinkId>(1)), tag = Subject::of(numbered<TagId>(1));
    for (const auto& subject : {link, tag})
        for (const std::uint32_t age : {0U, 1U, 90U, 91U, 200U})
            count_click(world, subject, {std::int64_t{today - age} * day_ms});
    const auto prune = [&] { return must(world.operate(prune_statistics)); };
    CHECK(prune() == false);
    for (const auto& subject : {link, tag}) {
        CHECK(figures(world, subject.prefix + '\2') == 3);
        CHECK(figures(world, subject.prefix + '\1') == 5);
        CHECK(figures(world, subject.prefix + '\0') == 1);
    }
    world.clock.advance_seconds(24 * 3600);
    CHECK(prune() == false);
    CHECK(figures(world, link.prefix + '\2') == 2);
    count_click(world, link, {std::int64_t{today - 300} * day_ms}); // a clock was wrong
    CHECK(prune() == false);
    CHECK(figures(world, link.prefix + '\2') == 3); // not again today
    world.clock.advance_seconds(24 * 3600);
    prune();
    CHECK(figures(world, link.prefix + '\2') == 2);
}

TEST_CASE("old hours are erased in bounded batches", "[jobs]") {
    World world;
    for (std::uint8_t number = 0; number < 3; ++number)
        for (int day = 0; day < 500; ++day)
            count_click(world, Subject::of(numbered<LinkId>(number)), {day * day_ms});
    const auto hours = [&] {
        std::size_t left = 0;
        for (std::uint8_t number = 0; number < 3; ++number)
            left += figures(world, Subject::of(numbered<LinkId>(number)).prefix + '\2');
        return left;
    };
    CHECK(must(world.operate(prune_statistics)) == true);
    CHECK(hours() == 500);
    CHECK(must(world.operate(prune_statistics)) == false);
    CHECK(hours() == 0);
}

// The orders by clicks against sorting, with clicks that are settled and clicks of the hour that goes on.
#include "tests/core/redirect/redirect_world.h"
#include "tests/support/must.h"
#include "tests/support/world.h"
#include "tests/support/wrapped_engine.h"

#include "core/access/link_rows.h"
#include "core/clicks/click_fold.h"
#include "core/schema/click_orders.h"
#include "core/schema/recent_rollups.h"

#include <random>
#include <thread>

using namespace slashpost;
using namespace slashpost::test;
using Fails = WrappedEngine::Fails;

namespace {

constexpr std::array<std::string_view, 2> orders{"clicks", "lastClickAt"};

// What a link is ordered by.
std::pair<std::int64_t, LinkId> place(const LinkDetails& details, std::string_view order) {
    return {order == "clicks" ? details.clicks : details.last_click_at.value_or(Timestamp{}).ms,
            details.link.id};
}

std::vector<LinkId> ids_of(const std::vector<LinkDetails>& page) {
    std::vector<LinkId> ids;
    ids.reserve(page.size());
    for (const auto& details : page)
        ids.push_back(details.link.id);
    return ids;
}

// Every link that passes, from pages in the order of creation.
Result<std::vector<LinkDetails>> all_links(Context& ctx, const LinkFilter& filter) {
    std::vector<LinkDetails> all;
    for (;;) {
        auto page = TRY(list_links(
            ctx, filter, {.limit = page_limit_max, .last = all.empty() ? "" : all.back().link.id.hex()}));
        if (page.empty())
            return all;
        std::ranges::move(page, std::back_inserter(all));
    }
}

// The page that sorting gives. `last` is not among the links that pass when it was deleted.
std::vector<LinkId> sorted_page(std::vector<LinkDetails> all, const PageRequest& request,
                                const std::optional<LinkDetails>& last) {
    const bool forward = request.direction == Direction::ascending;
    const auto before = [&](const LinkDetails& a, const LinkDetails& b) {
        return forward ? place(a, request.order_by) < place(b, request.order_by)
                       : place(b, request.order_by) < place(a, request.order_by);
    };
    if (last)
        std::erase_if(all, [&](const LinkDetails& link) { return !before(*last, link); });
    std::ranges::sort(all, before);
    const auto begin = std::min<std::size_t>(request.offset, all.size());
    const auto end = std::min<std::size_t>(begin + request.limit, all.size());
    return ids_of(
        {all.begin() + static_cast<std::ptrdiff_t>(begin), all.begin() + static_cast<std::ptrdiff_t>(end)});
}

struct Fixture {
    World world;
    WrappedEngine engine{*world.engine};
    MemoryJournal journal;
    redirect::ClickFold click_fold{engine, journal, 10};

    Link make(NewLink in = {}) {
        in.destination = "https://example.com/";
        return must(world.create(std::move(in))).link;
    }
    void click(const Link& link, int times = 1, std::uint32_t lane = 0) {
        const auto record = redirect::encode_click(
            {.link = link.id, .workspace = link.workspace, .domain = link.domain, .time = world.clock.time});
        for (int i = 0; i < times; ++i)
            REQUIRE(journal.lane(lane).value()->append({record.data(), record.size()}));
    }
    Result<redirect::FoldReport> fold() { return click_fold.fold(); }

    template <class Work>
    auto read(Work&& work) {
        return world.service.run(world.caller, {}, {}, std::forward<Work>(work));
    }
    std::vector<LinkId> list(std::string order, Direction direction, const LinkFilter& filter = {}) {
        return ids_of(must(read([&](Context& ctx) {
            return list_links(ctx, filter, {.order_by = order, .direction = direction});
        })));
    }
    std::string findings() {
        const auto found =
            must(world.engine->read([](data::View& view) { return check_click_orders(view); }));
        return found.sentences.empty() ? "" : found.sentences.front();
    }
    // Compares a page with sorting, over one view.
    void compare(const LinkFilter& filter, const PageRequest& request) {
        must(read([&](Context& ctx) -> Result<void> {
            std::optional<LinkDetails> last;
            if (!request.last.empty())
                last = TRY(describe_link(
                    ctx, *TRY(schema().links.find(ctx.view(), LinkId::parse(request.last)->view()))));
            const auto page = TRY(list_links(ctx, filter, request));
            CHECK(ids_of(page) == sorted_page(TRY(all_links(ctx, filter)), request, last));
            return {};
        }));
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "a list by clicks follows the folds", "[ranking]") {
    const auto a = make(), b = make(), c = make();
    using Ids = std::vector<LinkId>;
    using enum Direction;
    CHECK(list("clicks", descending) == Ids{c.id, b.id, a.id});
    click(a, 2);
    click(b);
    must(fold());
    CHECK(list("clicks", descending) == Ids{a.id, b.id, c.id});
    CHECK(list("clicks", ascending) == Ids{c.id, b.id, a.id});
    world.clock.advance_seconds(3);
    click(b);
    must(fold());
    const auto d = make();
    CHECK(list("clicks", ascending) == Ids{c.id, d.id, a.id, b.id});
    CHECK(list("lastClickAt", descending) == Ids{b.id, a.id, d.id, c.id});
}

TEST_CASE_METHOD(Fixture, "a list by clicks says the same before and behind the end of an hour",
                 "[ranking]") {
    const auto a = make(), b = make(), c = make();
    using Ids = std::vector<LinkId>;
    using enum Direction;
    click(a, 2);
    click(b);
    must(fold());
    const Ids by_clicks{a.id, b.id, c.id};
    CHECK(list("clicks", descending) == by_clicks);
    must(close_all_hours(*world.engine));
    CHECK(list("clicks", descending) == by_clicks);
    CHECK(findings() == "");
    world.clock.advance_seconds(3600);
    click(b, 2); // three in all
    click(c);
    must(fold());
    CHECK(list("clicks", descending) == Ids{b.id, a.id, c.id});
    CHECK(list("lastClickAt", ascending) == Ids{a.id, b.id, c.id});
    must(close_all_hours(*world.engine));
    CHECK(list("clicks", descending) == Ids{b.id, a.id, c.id});
    CHECK(list("clicks", ascending) == Ids{c.id, a.id, b.id});
    CHECK(findings() == "");
}

TEST_CASE_METHOD(Fixture, "a check finds an order by clicks that is wrong", "[ranking]") {
    const auto link = make();
    CHECK(findings() == "");
    must(world.operate([&](SystemContext& system) {
        return system.txn.add(link_clicks_tally(link.workspace, link.id), 3);
    }));
    CHECK(findings() == "clicks: link " + link.id.hex() + " of workspace " + link.workspace.hex() +
                            " is in an order with the value 0");
    must(remake_click_orders(*world.engine, Remake::always));
    CHECK(findings() == "");
    must(world.operate([&](SystemContext& system) {
        return system.txn.put(
            space::click_orders,
            data::key(link.workspace, RankedBy::clicks, std::int64_t{3}, world.ids.next<LinkId>()), {});
    }));
    CHECK_THAT(findings(), Catch::Contains("with the value 3"));
    must(remake_click_orders(*world.engine, Remake::always));
    CHECK(findings() == "");
}

TEST_CASE_METHOD(Fixture, "a link that comes in with an old id is not missed", "[ranking]") {
    const LinkId early = world.ids.next<LinkId>(); // of a transaction that takes its time
    auto late = make();
    world.clock.advance_seconds(60);
    CHECK(list("clicks", Direction::ascending) == std::vector{late.id});
    late.id = early;
    late.slashtag = late.slashtag_key = "early";
    must(world.operate([&](SystemContext& system) { return insert_link(system, late); }));
    const auto both = list("clicks", Direction::ascending);
    REQUIRE(both.size() == 2);
    CHECK(both.front() == early);
    CHECK(list("clicks", Direction::ascending) == both);
}

TEST_CASE_METHOD(Fixture, "links that are wanted are found behind many that are not", "[ranking]") {
    std::vector<Link> links;
    links.reserve(700);
    for (int i = 0; i < 700; ++i)
        links.push_back(make());
    for (int i = 0; i < 700; ++i)
        click(links[static_cast<std::size_t>(i)], 1 + i % 3);
    must(fold());
    for (int i = 0; i < 698; ++i)
        must(world.remove(links[static_cast<std::size_t>(i)].id));
    using Ids = std::vector<LinkId>;
    CHECK(list("clicks", Direction::descending) == Ids{links[698].id, links[699].id});
    CHECK(list("clicks", Direction::ascending) == Ids{links[699].id, links[698].id});
    compare({.active = false}, {.limit = 100, .offset = 600, .order_by = "clicks"});
}

struct RandomFixture : Fixture {
    // Links are made, changed, clicked and deleted, folds fail, and after each round a page is compared.
    void go_on_for(int rounds);
};

void RandomFixture::go_on_for(int rounds) {
    std::mt19937 random(7);
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
    std::vector<Link> links;
    const auto some = [&]() -> const Link& { return links[below(links.size())]; };
    for (int round = 0; round < rounds; ++round) {
        for (auto count = below(6); count > 0 || links.empty(); count -= count > 0)
            links.push_back(make({.favourite = below(5) == 0}));
        if (below(4) == 0)
            (void)world.remove(some().id);
        if (below(4) == 0) // also gives expired ones a future, and others none
            (void)world.update(some().id, {.expires_at = Change<Timestamp>::set(world.clock.time.plus_seconds(
                                               static_cast<std::int64_t>(1 + below(20))))});
        for (auto count = below(12); count > 0; --count)
            click(some(), static_cast<int>(1 + below(4)), static_cast<std::uint32_t>(below(3)));
        world.clock.time.ms += static_cast<std::int64_t>(below(1500));
        if (below(2) == 0) {
            const auto fate = below(8);
            engine.fails = fate == 0   ? Fails::before_commit
                           : fate == 1 ? Fails::after_commit
                           : fate == 2 ? Fails::and_runs_again
                                       : Fails::never;
            const auto folded = click_fold.fold();
            CHECK((folded.has_value() || fate < 2));
            engine.fails = Fails::never;
        }
        if (below(20) == 0)
            must(close_all_hours(*world.engine));
        if (below(50) == 0)
            CHECK(findings() == "");
        PageRequest request{.limit = static_cast<std::uint32_t>(1 + below(30)),
                            .offset = static_cast<std::uint32_t>(below(3) == 0 ? below(40) : 0),
                            .order_by = std::string(orders.at(below(2))),
                            .direction = below(2) == 0 ? Direction::ascending : Direction::descending};
        if (below(2) == 0)
            request.last = some().id.hex();
        LinkFilter filter{.active = below(4) != 0};
        if (below(5) == 0)
            filter.favourite = below(2) == 0;
        CAPTURE(round);
        compare(filter, request);
    }
    CHECK(links.size() > 2 * static_cast<std::size_t>(rounds));
}

TEST_CASE_METHOD(RandomFixture, "pages by clicks are those of sorting, whatever happened",
                 "[ranking][long]") {
    go_on_for(120);
}

TEST_CASE_METHOD(RandomFixture, "pages by clicks are those of sorting, among many links",
                 "[ranking][long][volume]") {
    go_on_for(600);
}

TEST_CASE_METHOD(Fixture, "pages by clicks are exact while clicks are folded and links are made",
                 "[ranking]") {
    std::vector<Link> links;
    links.reserve(60);
    for (int i = 0; i < 60; ++i)
        links.push_back(make());
    world.clock.advance_seconds(10);
    std::atomic<bool> ends = false;
    std::atomic<int> wrong = 0;
    std::vector<std::jthread> readers;
    readers.reserve(2);
    for (const auto order : orders)
        readers.emplace_back([&, order] {
            while (!ends)
                for (const auto direction : {Direction::ascending, Direction::descending}) {
                    const auto right = read([&](Context& ctx) -> Result<bool> {
                        const PageRequest request{
                            .limit = 20, .order_by = std::string(order), .direction = direction};
                        return ids_of(TRY(list_links(ctx, {}, request))) ==
                               sorted_page(TRY(all_links(ctx, {})), request, {});
                    });
                    wrong += !right.has_value() || !*right;
                }
        });
    std::jthread writer([&] {
        for (int i = 0; i < 100 && !ends; ++i)
            wrong += !world.create({.destination = "https://example.com/"}).has_value();
    });
    std::mt19937 random(3);
    for (int round = 0; round < 150; ++round) {
        for (int i = 0; i < 5; ++i)
            click(links[random() % links.size()]);
        if (round % 10 == 0)
            engine.fails = Fails::after_commit;
        (void)fold();
        engine.fails = Fails::never;
    }
    ends = true;
    readers.clear();
    writer.join();
    CHECK(wrong == 0);
}

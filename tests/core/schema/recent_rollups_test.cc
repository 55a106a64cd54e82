// Hours that go on, and how they end.
#include "core/schema/click_totals.h"
#include "core/schema/recent_rollups.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"
#include "storage/memory/engine.h"
#include "tests/support/must.h"
#include "tests/support/wrapped_engine.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;
using data::Counts;

namespace {

constexpr std::uint32_t ten = 490'906, eleven = ten + 1, noon = ten + 2; // hours of 2026-01-01
constexpr std::uint32_t that_day = 20'454;

Subject link(std::uint64_t number) {
    LinkId id;
    for (std::size_t i = 0; i < 8; ++i)
        id.bytes[15 - i] = static_cast<std::uint8_t>(number >> 8 * i);
    return Subject::of(id);
}

Counts clicks(std::int64_t number) {
    return Counts::of({{.name = "c", .number = number}, {.name = "Cde", .number = 1}});
}

struct Fixture {
    std::unique_ptr<data::Engine> engine = storage::make_memory_engine(space::all);

    void add(const Subject& subject, std::uint32_t hour, std::int64_t number = 1) {
        must(engine->transact([&](data::Txn& txn) -> Result<void> {
            return add_hour(txn, TRY(settled_hours(txn)), subject, hour, clicks(number));
        }));
    }
    bool settle(std::uint32_t until) {
        return must(engine->transact([&](data::Txn& txn) { return close_hours_batch(txn, until); }));
    }
    std::size_t rows(const data::Space& in) {
        std::size_t found = 0;
        must(engine->read([&](data::View& view) {
            return view.scan(in, {}, data::Order::forward,
                             [&](data::BytesView, data::BytesView) { return ++found > 0; });
        }));
        return found;
    }
    // "490906: 1, 490908: 2" of one grain.
    std::string each(const Subject& subject, Grain grain, std::uint32_t first, std::uint32_t last,
                     std::size_t max = 100) {
        std::string out;
        must(engine->read([&](data::View& view) {
            return RollupReader(view).each(subject, grain, first, last,
                                           [&](std::uint32_t bucket, const Counts& counts) {
                                               out += (out.empty() ? "" : ", ") + std::to_string(bucket) +
                                                      ": " + std::to_string(counts.of("c"));
                                               return --max > 0;
                                           });
        }));
        return out;
    }
    Counts ever(const Subject& subject) {
        return must(engine->read([&](data::View& view) { return RollupReader(view).lifetime(subject); }));
    }
};

} // namespace

TEST_CASE_METHOD(Fixture, "who shows what was counted does not run again because others count on",
                 "[rollups]") {
    const LinkId id{};
    const WorkspaceId workspace{};
    add(Subject::of(id), ten);
    int runs = 0;
    must(engine->transact([&](data::Txn& txn) -> Result<void> {
        RollupReader reader(txn);
        CHECK(TRY(reader.link(id, workspace)).totals.clicks == 0); // those are of totals, not of rollups
        CHECK(TRY(reader.lifetime(Subject::of(id))).of("c") == 1);
        TRY(clicks_of_link(txn, workspace, id));
        TRY(last_click_of(txn, Subject::of(TagId())));
        if (++runs == 1) {
            add(Subject::of(id), ten);
            must(engine->transact([&](data::Txn& fold) -> Result<void> {
                TRY(fold.put(space::last_clicks, last_click_key(workspace, id), last_click_value({1})));
                return fold.put(space::last_clicks, last_click_key(Subject::of(TagId())),
                                last_click_value({1}));
            }));
            while (settle(noon)) {
            }
        }
        return txn.put(space::meta, "what it changes", "");
    }));
    CHECK(runs == 1);
    CHECK(ever(Subject::of(id)).of("c") == 2);
}

TEST_CASE_METHOD(Fixture, "what is read of an hour is the same before, while and after it is settled",
                 "[rollups]") {
    constexpr std::uint64_t many = 1'200; // more than two batches
    for (std::uint64_t number = 0; number < many; ++number) {
        add(link(number), ten, 2);
        add(link(number), noon, 3);
    }
    const auto check = [&] {
        for (const std::uint64_t number : {0UL, 499UL, 500UL, 501UL, many - 1}) {
            CHECK(each(link(number), Grain::hour, ten, noon) == "490906: 2, 490908: 3");
            CHECK(each(link(number), Grain::hour, ten, eleven) == "490906: 2");
            CHECK(each(link(number), Grain::hour, eleven, noon) == "490908: 3");
            CHECK(each(link(number), Grain::day, that_day, that_day) == "20454: 5");
            CHECK(each(link(number), Grain::hour, ten, noon, 1) == "490906: 2");
            CHECK(ever(link(number)) == Counts::of({{.name = "c", .number = 5}}));
        }
    };
    check();
    int batches = 0;
    for (; settle(noon); ++batches)
        check();
    CHECK(batches == 4); // closing, and three of rows
    check();
    CHECK(rows(space::recent_rollups) == many);
    CHECK(rows(space::rollups) == 3 * many);
    CHECK(settle(noon) == false);
    must(close_all_hours(*engine));
    check();
    CHECK(rows(space::recent_rollups) == 0);
    CHECK(rows(space::rollups) == 4 * many);
}

TEST_CASE_METHOD(Fixture, "what comes late for a closed hour, or while it is moved, counts all the same",
                 "[rollups]") {
    for (std::uint64_t number = 0; number < 600; ++number)
        add(link(number), ten);
    CHECK(settle(eleven)); // closes
    CHECK(settle(eleven)); // moves some
    add(link(0), ten, 10);
    add(link(599), ten, 10);
    add(link(599), ten - 5, 7);
    add(link(599), noon, 100);
    while (settle(eleven)) {
    }
    CHECK(each(link(0), Grain::hour, 0, noon) == "490906: 11");
    CHECK(each(link(599), Grain::hour, 0, noon) == "490901: 7, 490906: 11, 490908: 100");
    CHECK(ever(link(599)).of("c") == 118);
    CHECK(rows(space::recent_rollups) == 1);
    CHECK(settle(eleven) == false);
    CHECK(settle(ten) == false); // a clock was set back
    CHECK(settle(noon));         // the next hour is over
    CHECK(settle(noon) == false);
    CHECK(rows(space::recent_rollups) == 1);
}

TEST_CASE_METHOD(Fixture, "hours settle for one whom somebody else comes before, every time", "[rollups]") {
    constexpr int subjects = 20'000;
    must(engine->transact([&](data::Txn& txn) -> Result<void> {
        const auto hours = TRY(settled_hours(txn));
        for (std::uint64_t number = 0; number < subjects; ++number)
            TRY(add_hour(txn, hours, link(number), ten, clicks(1)));
        return {};
    }));
    int taken_away = 0;
    WrappedEngine contested(*engine);
    contested.meanwhile = [&] { taken_away += settle(eleven) ? 1 : 0; };
    must(close_all_hours(contested));
    CHECK(taken_away > 20); // more often than a transaction is tried again
    CHECK(rows(space::recent_rollups) == 0);
    CHECK(ever(link(0)).of("c") == 1);
    CHECK(ever(link(subjects - 1)).of("c") == 1);
}

TEST_CASE_METHOD(Fixture, "a fold that began before its hour was closed runs again", "[rollups]") {
    int runs = 0;
    must(engine->transact([&](data::Txn& txn) -> Result<void> {
        const auto hours = TRY(settled_hours(txn));
        if (++runs == 1) {
            CHECK(settle(eleven));
            CHECK(settle(eleven) == false); // nothing to move
        }
        return add_hour(txn, hours, link(1), ten, clicks(1));
    }));
    CHECK(runs == 2);
    CHECK(rows(space::recent_rollups) == 0);
    CHECK(each(link(1), Grain::hour, 0, noon) == "490906: 1");
}

TEST_CASE_METHOD(Fixture, "figures of what is gone are erased in open hours too", "[rollups]") {
    for (const auto hour : {ten, eleven, noon}) {
        add(link(1), hour);
        add(link(2), hour);
    }
    while (settle(eleven)) {
    }
    const auto erase = [&](std::size_t max) {
        return must(
            engine->transact([&](data::Txn& txn) { return erase_figures(txn, link(1).prefix, max); }));
    };
    CHECK(erase(4) == 4);
    CHECK(erase(4) == 1);
    CHECK(each(link(1), Grain::hour, 0, noon).empty());
    CHECK(ever(link(1)).empty());
    CHECK(each(link(2), Grain::hour, 0, noon) == "490906: 1, 490907: 1, 490908: 1");
}

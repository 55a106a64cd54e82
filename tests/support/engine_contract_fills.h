#pragma once
// The engine contract: fills (core/data/fill.h).
#include "core/base/errors.h"
#include "core/data/counts.h"
#include "core/data/fill.h"
#include "tests/support/engine_contract_helpers.h"

#include <atomic>
#include <fmt/format.h>
#include <thread>

namespace slashpost::data::contract {

TEMPLATE_TEST_CASE("what is filled in is there when the fill has finished, and nothing of it before",
                   "[contract]", EngineUnderTest) {
    TestType store;
    const auto fill = must(begin_fill(store.engine));
    for (const char* key : {"b", "a"}) // in any order
        must(fill->write([&](Txn& txn) -> Result<void> {
            TRY(txn.put(rows, key, "row"));
            TRY(txn.put_blind(hot, key, key));
            TRY(txn.add("t", 2));
            TRY(txn.add(key, -1));
            return txn.add_counts(counted, "c", Counts::of({{key, 3}}));
        }));
    CHECK_FALSE(now(store.engine, rows, "a"));
    CHECK(sum(store.engine, "t") == 0);

    must(fill->finish());
    must(store.engine.read([](View& view) -> Result<void> {
        CHECK(entries(view, rows, {}) == Entries{"a=row", "b=row"});
        CHECK(entries(view, hot, {}) == Entries{"a=a", "b=b"});
        CHECK(tallies(view, {}) == Entries{"a=-1", "b=-1", "t=4"});
        CHECK(must(Counts::decode(*get(view, counted, "c"))) == Counts::of({{"a", 3}, {"b", 3}}));
        return {};
    }));
    put(store.engine, rows, "a", "changed");
    add(store.engine, "t", 1);
    CHECK(now(store.engine, rows, "a") == "changed");
    CHECK(sum(store.engine, "t") == 5);
}

TEMPLATE_TEST_CASE("a fill that is dropped leaves nothing behind, and another may follow", "[contract]",
                   EngineUnderTest) {
    TestType store;
    const auto write = [](Txn& txn) { return txn.put(rows, "a", "1"); };
    must(must(begin_fill(store.engine))->write(write));
    CHECK_FALSE(now(store.engine, rows, "a"));
    const auto fill = must(begin_fill(store.engine));
    must(fill->write(write));
    must(fill->finish());
    CHECK(now(store.engine, rows, "a") == "1");
}

TEMPLATE_TEST_CASE("a fill that puts a key twice puts nothing in place", "[contract]", EngineUnderTest) {
    TestType store;
    {
        const auto fill = must(begin_fill(store.engine));
        must(fill->write([](Txn& txn) { return txn.put(hot, "other", "1"); }));
        for (int i = 0; i < 2; ++i)
            must(fill->write([](Txn& txn) { return txn.put(rows, "a", "same"); }));
        const auto done = fill->finish();
        REQUIRE_FALSE(done.has_value());
        CHECK(done.error().kind == ErrorKind::conflict);
    }
    CHECK_FALSE(now(store.engine, rows, "a"));
    CHECK_FALSE(now(store.engine, hot, "other"));
}

TEMPLATE_TEST_CASE("a fill reads nothing", "[contract]", EngineUnderTest) {
    TestType store;
    put(store.engine, rows, "b", "0");
    const auto fill = must(begin_fill(store.engine));
    must(fill->write([](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "a", "1"));
        CHECK_FALSE(get(txn, rows, "a"));
        CHECK_FALSE(get(txn, rows, "b"));
        CHECK(entries(txn, rows, {}).empty());
        return {};
    }));
}

TEMPLATE_TEST_CASE("a fill replaces, erases, adds to and appends to what the store has", "[contract]",
                   EngineUnderTest) {
    TestType store;
    must(store.engine.transact([](Txn& txn) -> Result<void> {
        for (const char* key : {"kept", "replaced", "erased"})
            TRY(txn.put(rows, key, "before"));
        TRY(txn.add("t", 2));
        TRY(txn.add_counts(counted, "c", Counts::of({{"a", 1}, {"b", 2}})));
        return txn.append(logged, "l", "0");
    }));
    const auto setting = [&] { // which an engine may remember
        return must(store.engine.read([](View& view) { return view.get(settings, "s"); }));
    };
    CHECK_FALSE(setting());
    const auto fill = must(begin_fill(store.engine));
    must(fill->write([](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "replaced", "now"));
        TRY(txn.erase(rows, "erased"));
        TRY(txn.erase_blind(rows, "was never there"));
        TRY(txn.put_blind(rows, "new", "now"));
        TRY(txn.put(settings, "s", "now"));
        TRY(txn.add("t", 3));
        TRY(txn.add("u", 1));
        for (const char* more : {"1", "2", "3"}) {
            TRY(txn.append(logged, "l", more));
            TRY(txn.append(logged, "m", more));
        }
        return txn.add_counts(counted, "c", Counts::of({{"b", 3}}));
    }));
    CHECK(now(store.engine, rows, "replaced") == "before");
    must(fill->finish());

    CHECK(setting() == "now");
    must(store.engine.read([](View& view) -> Result<void> {
        CHECK(entries(view, rows, {}) == Entries{"kept=before", "new=now", "replaced=now"});
        CHECK(entries(view, logged, {}) == Entries{"l=0123", "m=123"});
        CHECK(tallies(view, {}) == Entries{"t=5", "u=1"});
        CHECK(must(Counts::decode(*get(view, counted, "c"))) == Counts::of({{"a", 1}, {"b", 5}}));
        return {};
    }));
}

TEMPLATE_TEST_CASE("a second fill goes over the first", "[contract]", EngineUnderTest) {
    TestType store;
    for (const char* value : {"1", "2"}) {
        const auto fill = must(begin_fill(store.engine));
        must(fill->write([&](Txn& txn) -> Result<void> {
            TRY(txn.put(rows, "a", value));
            TRY(txn.append(logged, "l", value));
            return txn.add("t", 1);
        }));
        must(fill->finish());
    }
    must(store.engine.read([](View& view) -> Result<void> {
        CHECK(entries(view, rows, {}) == Entries{"a=2"});
        CHECK(entries(view, logged, {}) == Entries{"l=12"});
        CHECK(tallies(view, {}) == Entries{"t=2"});
        return {};
    }));
}

TEMPLATE_TEST_CASE("threads may write into one fill", "[contract]", EngineUnderTest) {
    TestType store;
    constexpr int threads = 4, writes = 200;
    const auto fill = must(begin_fill(store.engine));
    std::atomic<int> failures = 0;
    {
        std::vector<std::jthread> writers;
        writers.reserve(threads);
        for (int thread = 0; thread < threads; ++thread)
            writers.emplace_back([&, thread] {
                for (int i = 0; i < writes; ++i)
                    failures += fill->write([&](Txn& txn) -> Result<void> {
                                        TRY(txn.put(rows, fmt::format("{:03}.{}", i, thread), "x"));
                                        return txn.add("t", 1);
                                    }).has_value()
                                    ? 0
                                    : 1;
            });
    }
    CHECK(failures == 0);
    must(fill->finish());
    CHECK(sum(store.engine, "t") == threads * writes);
    must(store.engine.read([](View& view) -> Result<void> {
        CHECK(entries(view, rows, {}).size() == threads * writes);
        return {};
    }));
}

} // namespace slashpost::data::contract

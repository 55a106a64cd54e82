#pragma once
// The part of the engine contract about counts: values that the engine adds up.
#include "core/base/errors.h"
#include "core/data/counts.h"
#include "tests/support/engine_contract_helpers.h"

#include <thread>

namespace slashpost::data::contract {

using List = std::vector<Count>;

inline Counts counts_of(List list) { return Counts::of(std::move(list)); }

inline void add_counts(Engine& engine, BytesView key, List delta) {
    must(engine.transact([&](Txn& txn) { return txn.add_counts(counted, key, counts_of(delta)); }));
}

inline Counts decoded(const Maybe& value) { return must(Counts::decode(*value)); }

// "key:name=number,..." of each entry.
inline Entries counted_entries(View& view, const Range& range, Order order = Order::forward) {
    Entries found;
    must(view.scan(counted, range, order, [&](BytesView key, BytesView value) {
        found.push_back(Bytes(key) + ":");
        const auto counts = must(Counts::decode(value));
        for (const auto& count : counts.all())
            found.back() += count.name + "=" + std::to_string(count.number) + ",";
        return true;
    }));
    return found;
}

TEMPLATE_TEST_CASE("counts add up, and are read back by get, scan and get_now", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_counts(engine, "b", {{"c", 1}, {"Cde", 1}});
    add_counts(engine, "a", {{"c", 5}});
    add_counts(engine, "b", {{"c", 2}, {"Cat", 2}, {"s", 0}});
    CHECK(decoded(now(engine, counted, "b")) == counts_of({{"Cat", 2}, {"Cde", 1}, {"c", 3}}));
    CHECK(now(engine, counted, "c") == std::nullopt);
    must(engine.read([&](View& view) -> Result<void> {
        CHECK(decoded(get(view, counted, "a")) == counts_of({{"c", 5}}));
        CHECK(counted_entries(view, {}) == Entries{"a:c=5,", "b:Cat=2,Cde=1,c=3,"});
        CHECK(counted_entries(view, Range::of_prefix("b"), Order::backward) == Entries{"b:Cat=2,Cde=1,c=3,"});
        return {};
    }));
}

TEMPLATE_TEST_CASE("a transaction sees the counts it adds, nobody else before the commit", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_counts(engine, "a", {{"c", 1}});
    must(engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.add_counts(counted, "a", counts_of({{"c", 2}})));
        TRY(txn.add_counts(counted, "a", counts_of({{"s", 1}})));
        TRY(txn.add_counts(counted, "b", counts_of({{"s", 7}})));
        CHECK(decoded(get(txn, counted, "a")) == counts_of({{"c", 3}, {"s", 1}}));
        CHECK(counted_entries(txn, {}) == Entries{"a:c=3,s=1,", "b:s=7,"});
        CHECK(counted_entries(txn, {}, Order::backward) == Entries{"b:s=7,", "a:c=3,s=1,"});
        CHECK(decoded(now(engine, counted, "a")) == counts_of({{"c", 1}}));
        CHECK(now(engine, counted, "b") == std::nullopt);
        return {};
    }));
    CHECK(decoded(now(engine, counted, "a")) == counts_of({{"c", 3}, {"s", 1}}));
}

TEMPLATE_TEST_CASE("counts that were erased or replaced begin anew", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_counts(engine, "a", {{"c", 1}});
    add_counts(engine, "b", {{"c", 1}});
    must(engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.erase(counted, "a"));
        TRY(txn.add_counts(counted, "a", counts_of({{"c", 5}})));
        CHECK(decoded(get(txn, counted, "a")) == counts_of({{"c", 5}}));
        TRY(txn.add_counts(counted, "b", counts_of({{"c", 5}})));
        TRY(txn.put(counted, "b", counts_of({{"c", 100}}).encode()));
        TRY(txn.add_counts(counted, "b", counts_of({{"c", 1}})));
        CHECK(decoded(get(txn, counted, "b")) == counts_of({{"c", 101}}));
        return {};
    }));
    CHECK(decoded(now(engine, counted, "a")) == counts_of({{"c", 5}}));
    CHECK(decoded(now(engine, counted, "b")) == counts_of({{"c", 101}}));
    erase(engine, counted, "a");
    CHECK(now(engine, counted, "a") == std::nullopt);
    add_counts(engine, "a", {{"c", 2}});
    CHECK(decoded(now(engine, counted, "a")) == counts_of({{"c", 2}}));
}

TEMPLATE_TEST_CASE("adding counts never conflicts; one that read them runs again", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_counts(engine, "a", {{"c", 1}});
    int adds = 0, reads = 0;
    must(engine.transact([&](Txn& txn) {
        if (++adds == 1)
            add_counts(engine, "a", {{"c", 10}});
        return txn.add_counts(counted, "a", counts_of({{"c", 100}}));
    }));
    CHECK(adds == 1);
    must(engine.transact([&](Txn& txn) -> Result<void> {
        const auto seen = decoded(get(txn, counted, "a"));
        if (++reads == 1)
            add_counts(engine, "a", {{"c", 1'000}});
        return txn.put(rows, "seen", std::to_string(seen.of("c")));
    }));
    CHECK(reads == 2);
    CHECK(now(engine, rows, "seen") == "1111");
}

TEMPLATE_TEST_CASE("tallies are a space whose rule is the sum", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    const Bytes two("\x02\0\0\0\0\0\0\0", 8), minus_five("\xfb\xff\xff\xff\xff\xff\xff\xff", 8);
    must(engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.merge(data::tallies, "a", two));
        TRY(txn.add("a", 40));
        TRY(txn.merge(data::tallies, "b", minus_five));
        TRY(txn.put(data::tallies, "c", two));
        TRY(txn.add("c", 1));
        TRY(txn.add("d", 7));
        TRY(txn.erase(data::tallies, "d"));
        TRY(txn.add("d", 1));
        CHECK(tallies(txn, {}) == Entries{"a=42", "b=-5", "c=3", "d=1"});
        return {};
    }));
    CHECK(sum(engine, "a") == 42);
    CHECK(now(engine, data::tallies, "b") == minus_five);
    CHECK(must(engine.read([](View& view) { return view.tally("c"); })) == 3);
    CHECK(must(engine.read([](View& view) { return view.tally("d"); })) == 1);

    int reads = 0;
    must(engine.transact([&](Txn& txn) -> Result<void> {
        const auto seen = get(txn, data::tallies, "a");
        if (++reads == 1)
            add(engine, "a", 1);
        return txn.put(rows, "seen", *seen);
    }));
    CHECK(reads == 2); // it had read the tally with `get`
}

TEMPLATE_TEST_CASE("nothing is merged where a space has no rule for it", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "a", "1");
    CHECK_FALSE(engine.transact([](Txn& txn) { return txn.merge(rows, "a", "2"); }).has_value());
    CHECK(now(engine, rows, "a") == "1");
}

TEMPLATE_TEST_CASE("a picture of counts does not move while others add", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add_counts(engine, "a", {{"c", 1}});
    must(engine.read([&](View& view) -> Result<void> {
        add_counts(engine, "a", {{"c", 1}});
        add_counts(engine, "b", {{"c", 1}});
        CHECK(decoded(get(view, counted, "a")) == counts_of({{"c", 1}}));
        CHECK(counted_entries(view, {}) == Entries{"a:c=1,"});
        return {};
    }));
}

TEMPLATE_TEST_CASE("counts of a closure that failed are not there", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    CHECK_FALSE(engine
                    .transact([&](Txn& txn) -> Result<void> {
                        TRY(txn.add_counts(counted, "a", counts_of({{"c", 1}})));
                        return not_found("thing", "a");
                    })
                    .has_value());
    CHECK(now(engine, counted, "a") == std::nullopt);
}

TEMPLATE_TEST_CASE("no count that threads add is lost", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&engine, t] {
            for (int i = 0; i < 100; ++i)
                (void)engine.transact([&](Txn& txn) {
                    return txn.add_counts(counted, i % 2 ? "a" : "b",
                                          counts_of({{"c", 1}, {"R" + std::to_string(t), 1}}));
                });
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(decoded(now(engine, counted, "a")) ==
          counts_of({{"c", 200}, {"R0", 50}, {"R1", 50}, {"R2", 50}, {"R3", 50}}));
    CHECK(decoded(now(engine, counted, "b")).of("c") == 200);
    CHECK(engine.figures().conflicts == 0);
}

TEMPLATE_TEST_CASE("a flood of names stays bounded and its sum exact", "[contract][threat-29]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (int i = 0; i < 200; ++i) {
        List delta;
        for (int name = 0; name < 50; ++name)
            delta.push_back({"R" + std::to_string(50 * i + name), 1});
        delta.push_back({"Rnews", 2});
        add_counts(engine, "a", delta);
    }
    const auto counts = decoded(now(engine, counted, "a"));
    CHECK(counts.sum('R') == 200 * 52);
    CHECK(counts.group('R').size() <= 257);
    CHECK(counts.of("Rnews") == 400);
}

TEMPLATE_TEST_CASE("a value that is no counts is not counted on", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, counted, "a", "damaged");
    add_counts(engine, "a", {{"c", 1}});
    // The engine may say so itself, or leave it to whoever decodes the value.
    const auto read = engine.read(
        [](View& view) -> Result<Counts> { return Counts::decode(TRY(view.get(counted, "a")).value()); });
    REQUIRE_FALSE(read.has_value());
    CHECK(read.error().kind == ErrorKind::fault);
}

} // namespace slashpost::data::contract

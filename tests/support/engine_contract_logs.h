#pragma once
// The part of the engine contract about logs: values that grow at their end.
#include "tests/support/engine_contract_helpers.h"

#include <thread>

namespace slashpost::data::contract {

inline void append(Engine& engine, BytesView key, BytesView more) {
    must(engine.transact([&](Txn& txn) { return txn.merge(logged, key, more); }));
}

TEMPLATE_TEST_CASE("what is appended stands behind what was there, in the order of the commits", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    append(engine, "b", "x");
    append(engine, "a", "1");
    append(engine, "b", std::string("\0y", 2));
    put(engine, logged, "c", "anew");
    append(engine, "c", "+");
    erase(engine, logged, "a");
    append(engine, "a", "2");
    CHECK(now(engine, logged, "b") == std::string("x\0y", 3));
    CHECK(now(engine, logged, "d") == std::nullopt);
    must(engine.read([&](View& view) -> Result<void> {
        CHECK(get(view, logged, "a") == "2");
        CHECK(entries(view, logged, Range::of_prefix("c")) == Entries{"c=anew+"});
        CHECK(entries(view, logged, Range::of_prefix("a"), Order::backward) == Entries{"a=2"});
        return {};
    }));
}

TEMPLATE_TEST_CASE("a transaction sees what it appends, nobody else before the commit", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    append(engine, "a", "1");
    must(engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.merge(logged, "a", "2"));
        TRY(txn.merge(logged, "b", "8"));
        CHECK(get(txn, logged, "a") == "12");
        TRY(txn.merge(logged, "a", "3"));
        CHECK(entries(txn, logged, {}) == Entries{"a=123", "b=8"});
        CHECK(entries(txn, logged, {}, Order::backward) == Entries{"b=8", "a=123"});
        TRY(txn.erase(logged, "b"));
        TRY(txn.merge(logged, "b", "9"));
        CHECK(get(txn, logged, "b") == "9");
        CHECK(now(engine, logged, "a") == "1");
        return {};
    }));
    CHECK(now(engine, logged, "a") == "123");
    CHECK(now(engine, logged, "b") == "9");
}

TEMPLATE_TEST_CASE(
    "of many writes to a key in one transaction, the last put and what came behind it are there",
    "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    append(engine, "3", "before ");
    must(engine.transact([&](Txn& txn) -> Result<void> {
        for (int turn = 0; turn < 100; ++turn) {
            const auto key = std::to_string(turn % 3);
            TRY(txn.merge(logged, key, "gone"));
            TRY(txn.put_blind(logged, key, std::to_string(turn)));
            TRY(txn.merge(logged, key, "+"));
            TRY(txn.merge(logged, "3", "a"));
            TRY(txn.put_blind(logged, "4", "gone"));
            TRY(txn.erase_blind(logged, "4"));
        }
        return txn.merge(logged, "3", "z");
    }));
    CHECK(now(engine, logged, "0") == "99+");
    CHECK(now(engine, logged, "1") == "97+");
    CHECK(now(engine, logged, "2") == "98+");
    CHECK(now(engine, logged, "3") == "before " + std::string(100, 'a') + "z");
    CHECK(now(engine, logged, "4") == std::nullopt);
}

TEMPLATE_TEST_CASE("appends do not disturb each other, and make one who has read the key run again",
                   "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    append(engine, "a", "1");
    int appends = 0;
    must(engine.transact([&](Txn& txn) -> Result<void> {
        if (++appends == 1)
            append(engine, "a", "2");
        return txn.merge(logged, "a", "3");
    }));
    CHECK(appends == 1);
    CHECK(now(engine, logged, "a") == "123");

    int reads = 0;
    must(engine.transact([&](Txn& txn) -> Result<void> {
        CHECK(get(txn, logged, "a") == (reads == 0 ? "123" : "1234"));
        if (++reads == 1)
            append(engine, "a", "4");
        return txn.put(rows, "seen", "yes");
    }));
    CHECK(reads == 2);

    std::vector<std::jthread> writers;
    writers.reserve(4);
    for (int writer = 0; writer < 4; ++writer)
        writers.emplace_back([&engine] {
            for (int i = 0; i < 50; ++i)
                append(engine, "many", "x");
        });
    writers.clear();
    CHECK(now(engine, logged, "many") == std::string(200, 'x'));
}

} // namespace slashpost::data::contract

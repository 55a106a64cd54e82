#pragma once
// The part of the engine contract about what transactions see and when they run again.
//
// "Meanwhile" is played on one thread: a transaction runs within the closure of another. So each conflict
// happens exactly where the test says, and none by chance.
#include "core/base/errors.h"
#include "core/data/sync_later.h"
#include "tests/support/engine_contract_helpers.h"

#include <future>

namespace slashpost::data::contract {

TEMPLATE_TEST_CASE("a transaction reads its own writes", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "b", "old");
    put(engine, rows, "c", "old");
    add(engine, "t/1", 5);
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "a", "new"));
        TRY(txn.put(rows, "b", "new"));
        TRY(txn.erase(rows, "c"));
        TRY(txn.put_blind(rows, "d", "blind"));
        TRY(txn.put(rows, "e", "made"));
        TRY(txn.erase(rows, "e"));
        TRY(txn.add("t/1", 2));
        TRY(txn.add("t/1", 1));
        TRY(txn.add("t/2", 10));
        CHECK(get(txn, rows, "a") == "new");
        CHECK(get(txn, rows, "b") == "new");
        CHECK(get(txn, rows, "c") == std::nullopt);
        CHECK(get(txn, rows, "d") == "blind");
        CHECK(get(txn, rows, "e") == std::nullopt);
        CHECK(TRY(txn.peek(rows, "b")) == "new");
        CHECK(TRY(txn.peek(rows, "c")) == std::nullopt);
        CHECK(entries(txn, rows, {}) == Entries{"a=new", "b=new", "d=blind"});
        CHECK(entries(txn, rows, {}, Order::backward) == Entries{"d=blind", "b=new", "a=new"});
        CHECK(sum(txn, "t/") == 18);
        CHECK(sum(txn, "t/1") == 8);
        return {};
    });
    REQUIRE(done.has_value());
    CHECK(sum(engine, "t/") == 18);
}

TEMPLATE_TEST_CASE("nobody sees a transaction before its commit, everybody all of it after", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    auto seen = [&] {
        return must(engine.read([&](View& view) -> Result<std::string> {
            return get(view, rows, "a").value_or("-") + get(view, hot, "a").value_or("-") +
                   std::to_string(sum(view, "t")) + "/" + std::to_string(entries(view, rows, {}).size());
        }));
    };
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "a", "1"));
        TRY(txn.put_blind(hot, "a", "2"));
        TRY(txn.add("t", 3));
        CHECK(seen() == "--0/0");
        CHECK(now(engine, rows, "a") == std::nullopt);
        return {};
    });
    REQUIRE(done.has_value());
    CHECK(seen() == "123/1");
    CHECK(now(engine, rows, "a") == "1");
}

TEMPLATE_TEST_CASE("an update of a value that changed meanwhile runs again", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "n", "1");
    int runs = 0;
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        const int read = std::stoi(*get(txn, rows, "n"));
        if (++runs == 1)
            put(engine, rows, "n", "10");
        return txn.put(rows, "n", std::to_string(read + 1));
    });
    REQUIRE(done.has_value());
    CHECK(runs == 2);
    CHECK(now(engine, rows, "n") == "11");
    CHECK(engine.figures().conflicts == 1);
}

TEMPLATE_TEST_CASE("of two inserts of one key, one sees the other", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    int runs = 0;
    auto insert = [&](Txn& txn, BytesView who) -> Result<std::string> {
        if (auto taken = TRY(txn.get(hot, "slot")))
            return "taken by " + *taken;
        if (who == "first" && ++runs == 1)
            put(engine, hot, "slot", "second");
        TRY(txn.put(hot, "slot", who));
        return "inserted";
    };
    CHECK(must(engine.transact([&](Txn& txn) { return insert(txn, "first"); })) == "taken by second");
    CHECK(runs == 1);
    CHECK(now(engine, hot, "slot") == "second");
}

TEMPLATE_TEST_CASE("whatever happens to a key that was read makes the commit run again", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "there", "1");
    auto runs_when = [&](BytesView key, auto meanwhile) {
        int runs = 0;
        auto done = engine.transact([&](Txn& txn) -> Result<void> {
            get(txn, rows, key);
            if (++runs == 1)
                meanwhile();
            return txn.put(rows, "other", "x");
        });
        REQUIRE(done.has_value());
        return runs;
    };
    CHECK(runs_when("there", [] {}) == 1);
    CHECK(runs_when("absent", [] {}) == 1);
    CHECK(runs_when("there", [&] { put(engine, rows, "elsewhere", "1"); }) == 1);
    CHECK(runs_when("there", [&] { put(engine, hot, "there", "1"); }) == 1);  // another space
    CHECK(runs_when("there", [&] { put(engine, rows, "there", "1"); }) == 2); // even to the same value
    CHECK(runs_when("there", [&] { erase(engine, rows, "there"); }) == 2);
    CHECK(runs_when("absent", [&] { put(engine, rows, "absent", "1"); }) == 2);
    erase(engine, rows, "absent");
    CHECK(runs_when("absent", [&] {
              put(engine, rows, "absent", "1"); // made and erased: absent again, but not untouched
              erase(engine, rows, "absent");
          }) == 2);
}

TEMPLATE_TEST_CASE("write skew through get is refused", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "alice", "on call");
    put(engine, rows, "bob", "on call");
    // One of the two must stay. Each reads both and changes only the own row.
    auto leave = [&](Txn& txn, BytesView who, BytesView other) -> Result<bool> {
        if (get(txn, rows, other) != "on call")
            return false;
        get(txn, rows, who);
        TRY(txn.put(rows, who, "away"));
        return true;
    };
    bool first_run = true;
    auto alice = engine.transact([&](Txn& txn) -> Result<bool> {
        auto left = leave(txn, "alice", "bob");
        if (std::exchange(first_run, false))
            CHECK(must(engine.transact([&](Txn& inner) { return leave(inner, "bob", "alice"); })));
        return left;
    });
    CHECK(!must(alice));
    CHECK(now(engine, rows, "alice") == "on call");
    CHECK(now(engine, rows, "bob") == "away");
}

TEMPLATE_TEST_CASE("put and erase without a get are tracked, put_blind, peek and scan are not", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    auto runs_of = [&](auto step) {
        int runs = 0;
        auto done = engine.transact([&](Txn& txn) -> Result<void> {
            TRY(step(txn));
            if (++runs == 1)
                put(engine, rows, "k", "theirs");
            return txn.put(rows, "own", "x");
        });
        REQUIRE(done.has_value());
        return runs;
    };
    CHECK(runs_of([](Txn& txn) { return txn.put(rows, "k", "mine"); }) == 2);
    CHECK(now(engine, rows, "k") == "mine");
    CHECK(runs_of([](Txn& txn) { return txn.erase(rows, "k"); }) == 2);
    CHECK(now(engine, rows, "k") == std::nullopt);
    CHECK(runs_of([](Txn& txn) { return txn.put_blind(rows, "k", "blind"); }) == 1);
    CHECK(now(engine, rows, "k") == "blind");
    CHECK(runs_of([](Txn& txn) -> Result<void> {
              CHECK(TRY(txn.peek(rows, "k")) == "blind");
              return {};
          }) == 1);
    CHECK(runs_of([](Txn& txn) -> Result<void> {
              entries(txn, rows, {});
              sum(txn, "");
              return {};
          }) == 1);
}

TEMPLATE_TEST_CASE("a transaction that wrote nothing never runs again", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "k", "1");
    int runs = 0;
    auto read = engine.transact([&](Txn& txn) -> Result<Maybe> {
        ++runs;
        auto value = get(txn, rows, "k");
        put(engine, rows, "k", "2");
        return value;
    });
    CHECK(must(read) == "1");
    CHECK(runs == 1);
}

TEMPLATE_TEST_CASE("a transaction reads the moment it began at", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "a", "1");
    put(engine, rows, "b", "1");
    add(engine, "t", 1);
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        CHECK(get(txn, rows, "a") == "1");
        put(engine, rows, "b", "2");
        put(engine, rows, "c", "2");
        erase(engine, rows, "a");
        add(engine, "t", 1);
        CHECK(get(txn, rows, "a") == "1");
        CHECK(get(txn, rows, "b") == "1");
        CHECK(get(txn, rows, "c") == std::nullopt);
        CHECK(entries(txn, rows, {}) == Entries{"a=1", "b=1"});
        CHECK(sum(txn, "t") == 1);
        return {};
    });
    REQUIRE(done.has_value());
}

TEMPLATE_TEST_CASE("the picture of read does not move while others commit", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "a", "1");
    put(engine, rows, "b", "1");
    add(engine, "t", 1);
    auto done = engine.read([&](View& view) -> Result<void> {
        for (int i = 2; i < 5; ++i) {
            put(engine, rows, "a", std::to_string(i));
            erase(engine, rows, "b");
            put(engine, rows, "c", std::to_string(i));
            add(engine, "t", 1);
            CHECK(get(view, rows, "a") == "1");
            CHECK(get(view, rows, "b") == "1");
            CHECK(get(view, rows, "c") == std::nullopt);
            CHECK(entries(view, rows, {}) == Entries{"a=1", "b=1"});
            CHECK(sum(view, "t") == 1);
        }
        return {};
    });
    REQUIRE(done.has_value());
    CHECK(now(engine, rows, "a") == "4");
    CHECK(sum(engine, "t") == 4);
}

TEMPLATE_TEST_CASE("a closure that fails leaves nothing behind", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "kept", "1");
    int runs = 0;
    auto done = engine.transact([&](Txn& txn) -> Result<int> {
        ++runs;
        TRY(txn.put(rows, "a", "1"));
        TRY(txn.put_blind(hot, "a", "1"));
        TRY(txn.erase(rows, "kept"));
        TRY(txn.add("t", 1));
        return not_found("thing", "a");
    });
    REQUIRE(!done.has_value());
    CHECK(done.error().kind == ErrorKind::not_found);
    CHECK(done.error().source == "thing");
    CHECK(runs == 1);
    CHECK(now(engine, rows, "a") == std::nullopt);
    CHECK(now(engine, hot, "a") == std::nullopt);
    CHECK(now(engine, rows, "kept") == "1");
    CHECK(sum(engine, "") == 0);
}

TEMPLATE_TEST_CASE("a thread that sees to the disk itself is told, and others see the commit before",
                   "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    std::promise<bool> told;
    {
        SyncLater later;
        put(engine, rows, "a", "1");
        put(engine, rows, "a", "2");
        CHECK(engine.get_now(rows, "a").value() == "2");
        later.then([&](const Result<void>& on_disk) { told.set_value(on_disk.has_value()); });
    }
    CHECK(told.get_future().get());

    SyncLater nothing;
    bool at_once = false;
    nothing.then([&](const Result<void>& on_disk) { at_once = on_disk.has_value(); });
    CHECK(at_once);
}

TEMPLATE_TEST_CASE("losing again and again ends as a conflict", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    int runs = 0;
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        get(txn, rows, "k");
        put(engine, rows, "k", std::to_string(++runs));
        return txn.put(rows, "k", "mine");
    });
    REQUIRE(!done.has_value());
    CHECK(done.error().kind == ErrorKind::conflict);
    CHECK(runs > 5);
    CHECK(runs <= 50);
    CHECK(now(engine, rows, "k") == std::to_string(runs));
    CHECK(engine.figures().conflicts == static_cast<std::uint64_t>(runs));
}

} // namespace slashpost::data::contract

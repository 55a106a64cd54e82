#pragma once
// The part of the engine contract about scans and sums.
#include "core/base/errors.h"
#include "tests/support/engine_contract_helpers.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <map>
#include <random>
#include <stop_token>
#include <thread>

namespace slashpost::data::contract {

// What a scan must give, by looking at every entry.
inline Entries expected(const std::map<Bytes, Bytes>& model, const Range& range, Order order) {
    Entries found;
    for (const auto& [key, value] : model)
        if (key >= range.from && (range.until.empty() || key < range.until))
            found.push_back(Bytes(key).append("=").append(value));
    if (order == Order::backward)
        std::ranges::reverse(found);
    return found;
}

// Keys around which ends go wrong: empty, zero bytes, 0xff bytes, one the prefix of another.
inline const std::vector<Bytes>& edge_keys() {
    static const std::vector<Bytes> keys{"",
                                         Bytes("\0", 1),
                                         Bytes("\0\0", 2),
                                         Bytes("\0\xff", 2),
                                         "a",
                                         Bytes("a\0", 2),
                                         "ab",
                                         "a\xff",
                                         "a\xff\xff",
                                         "b",
                                         "\xfe\xff",
                                         "\xff",
                                         Bytes("\xff\0", 2),
                                         "\xff\xff",
                                         "\xff\xff\xff"};
    return keys;
}

TEMPLATE_TEST_CASE("every range of every view is scanned exactly, in both orders", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    std::map<Bytes, Bytes> committed;
    for (std::size_t i = 0; i < edge_keys().size(); i += 2)
        put(engine, rows, edge_keys()[i], committed[edge_keys()[i]] = "old" + std::to_string(i));

    auto check_all = [](View& view, const std::map<Bytes, Bytes>& model) {
        for (const Bytes& from : edge_keys())
            for (const Bytes& until : edge_keys())
                for (const Order order : {Order::forward, Order::backward})
                    if (const Range range{from, until};
                        entries(view, rows, range, order) != expected(model, range, order)) {
                        CAPTURE(from, until, order == Order::forward);
                        CHECK(entries(view, rows, range, order) == expected(model, range, order));
                    }
    };
    REQUIRE(engine
                .read([&](View& view) -> Result<void> {
                    check_all(view, committed);
                    return {};
                })
                .has_value());
    // The same within transactions, with own writes of every kind over the committed ones.
    std::mt19937 random(7);
    for (int round = 0; round < 20; ++round) {
        auto done = engine.transact([&](Txn& txn) -> Result<void> {
            auto model = committed;
            for (const Bytes& key : edge_keys()) {
                const auto kind = random() % 4;
                if (kind == 0)
                    TRY(txn.put(rows, key, model[key] = "new" + std::to_string(round)));
                if (kind == 1)
                    TRY(txn.put_blind(rows, key, model[key] = "blind"));
                if (kind == 2) {
                    TRY(txn.erase(rows, key));
                    model.erase(key);
                }
            }
            check_all(txn, model);
            return refused("RollBack", "test", "leave the store as it was");
        });
        REQUIRE(done.error().code == "RollBack");
    }
}

TEMPLATE_TEST_CASE("the range of a prefix holds exactly the keys that start with it", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (const Bytes& key : edge_keys())
        put(engine, rows, key, "v");
    for (const Bytes& prefix : edge_keys()) {
        Entries wanted;
        for (const Bytes& key : edge_keys())
            if (key.starts_with(prefix))
                wanted.push_back(key + "=v");
        std::ranges::sort(wanted);
        auto found = engine.read([&](View& view) -> Result<Entries> {
            auto all = entries(view, rows, Range::of_prefix(prefix));
            std::ranges::sort(all);
            return all;
        });
        CAPTURE(prefix);
        CHECK(must(found) == wanted);
    }
}

TEMPLATE_TEST_CASE("a scan stops when it is told to", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (const char* key : {"a", "b", "c", "d"})
        put(engine, rows, key, "v");
    auto first_two = [](View& view, Order order) -> Result<std::string> {
        std::string seen;
        TRY(view.scan(rows, {}, order, [&](BytesView key, BytesView) {
            seen += key;
            return seen.size() < 2;
        }));
        return seen;
    };
    CHECK(must(engine.read([&](View& view) { return first_two(view, Order::forward); })) == "ab");
    CHECK(must(engine.read([&](View& view) { return first_two(view, Order::backward); })) == "dc");
    CHECK(must(engine.transact([&](Txn& txn) { return first_two(txn, Order::backward); })) == "dc");
}

TEMPLATE_TEST_CASE("a closure may read, write and erase while it scans", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (const char* key : {"b", "d", "f", "h"})
        put(engine, rows, key, Bytes("value of ") + key);
    const auto order = GENERATE(Order::forward, Order::backward);
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.put(rows, "c", "value of c"));
        TRY(txn.put(rows, "g", "value of g"));
        std::string seen;
        TRY(txn.scan(rows, {}, order, [&](BytesView key, BytesView value) {
            CHECK(value == "value of " + Bytes(key));
            CHECK(txn.erase(rows, key).has_value());
            CHECK(get(txn, rows, key) == std::nullopt);
            CHECK(txn.put(hot, key, Bytes(4096, 'x')).has_value()); // moves the memory of own writes
            CHECK(value == "value of " + Bytes(key));
            seen += key;
            return true;
        }));
        CHECK(seen == (order == Order::forward ? "bcdfgh" : "hgfdcb"));
        return {};
    });
    REQUIRE(done.has_value());
    auto left = engine.read([&](View& view) -> Result<Entries> { return entries(view, rows, {}); });
    CHECK(must(left) == Entries{});
    CHECK(now(engine, hot, "g") == Bytes(4096, 'x'));
}

TEMPLATE_TEST_CASE("tallies are summed and scanned, negative ones too", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    add(engine, "clicks/a", 5);
    add(engine, "clicks/a", -7);
    add(engine, "clicks/b", INT64_MAX);
    add(engine, "clicks/c", -1);
    add(engine, "clickz", 1000);
    add(engine, "", 1);
    CHECK(sum(engine, "clicks/a") == -2);
    CHECK(sum(engine, "clicks/b") == INT64_MAX);
    CHECK(sum(engine, "nothing") == 0);
    add(engine, "clicks/b", -INT64_MAX);
    CHECK(sum(engine, "clicks/") == -3);
    CHECK(sum(engine, "") == 998);

    auto seen = [&](const Range& range, Order order) {
        return must(engine.read([&](View& view) -> Result<Entries> { return tallies(view, range, order); }));
    };
    CHECK(seen({}, Order::forward) == Entries{"=1", "clicks/a=-2", "clicks/c=-1", "clickz=1000"});
    CHECK(seen({}, Order::backward) == Entries{"clickz=1000", "clicks/c=-1", "clicks/a=-2", "=1"});
    CHECK(seen({"clicks/a", "clicks/c"}, Order::forward) == Entries{"clicks/a=-2"});

    auto own = engine.transact([&](Txn& txn) -> Result<Entries> {
        TRY(txn.add("clicks/a", 2)); // to zero
        TRY(txn.add("clicks/c", -4));
        TRY(txn.add("clicks/c", -4));
        TRY(txn.add("clicks/d", 6));
        CHECK(sum(txn, "clicks/") == -3);
        CHECK(tallies(txn, {"clicks/", "clicks/c"}, Order::backward).empty());
        return tallies(txn, Range::of_prefix("clicks/"), Order::backward);
    });
    CHECK(must(own) == Entries{"clicks/d=6", "clicks/c=-9"});
    CHECK(seen(Range::of_prefix("clicks/"), Order::forward) == Entries{"clicks/c=-9", "clicks/d=6"});
}

TEMPLATE_TEST_CASE("random transactions leave what a plain map would hold", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    std::mt19937 random(11);
    std::map<Bytes, Bytes> model;
    std::map<Bytes, std::int64_t> sums;
    for (int round = 0; round < 400; ++round) {
        auto changed = model;
        auto added = sums;
        const bool fails = random() % 5 == 0;
        auto done = engine.transact([&](Txn& txn) -> Result<void> {
            for (auto writes = round % 20 == 0 ? 300 : random() % 6; writes > 0; --writes) {
                const Bytes key = std::to_string(random() % 60);
                TRY(txn.add(key, round));
                added[key] += round;
                if (random() % 3 == 0) {
                    TRY(txn.erase(rows, key));
                    changed.erase(key);
                } else {
                    TRY(txn.put(rows, key, changed[key] = std::to_string(round)));
                }
            }
            CHECK(entries(txn, rows, {}) == expected(changed, {}, Order::forward));
            for (const auto& [key, sum] : added)
                CHECK(must(txn.tally(key)) == sum);
            if (fails)
                return refused("RollBack", "test", "");
            return {};
        });
        CHECK(done.has_value() != fails);
        if (!fails) {
            model = changed;
            sums = added;
        }
        if (round % 50 == 0)
            must(engine.forget_erased(rows, round % 100 == 0 ? Range{} : Range{.from = "2", .until = "4"},
                                      {}));
    }
    must(engine.read([&](View& view) -> Result<void> {
        must(engine.forget_erased(rows, {}, {})); // nor does that move a picture that somebody looks at
        CHECK(entries(view, rows, {}) == expected(model, {}, Order::forward));
        for (const auto& [key, sum] : sums)
            CHECK(must(view.tally(key)) == sum);
        return {};
    }));
}

TEMPLATE_TEST_CASE("forgetting what was erased can be stopped, and begun again", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    std::map<Bytes, Bytes> model;
    for (int i = 0; i < 5000; ++i)
        model.emplace("key" + std::to_string(i), std::string(200, static_cast<char>('a' + i % 26)));
    must(engine.transact([&](Txn& txn) -> Result<void> {
        for (const auto& [key, value] : model)
            TRY(txn.put(rows, key, value));
        return {};
    }));
    std::stop_source source;
    std::atomic<int> failures = 0;
    {
        const std::jthread other([&] {
            while (!source.stop_requested())
                failures += !engine.forget_erased(rows, {}, source.get_token()).has_value();
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // wherever that finds it
        source.request_stop();
    }
    CHECK(failures == 0);
    must(engine.forget_erased(rows, {}, source.get_token())); // it was to stop before it began
    must(engine.forget_erased(rows, {}, {}));
    must(engine.read([&](View& view) -> Result<void> {
        CHECK(entries(view, rows, {}) == expected(model, {}, Order::forward));
        return {};
    }));
}

} // namespace slashpost::data::contract

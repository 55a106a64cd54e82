#pragma once
// The part of the engine contract about settings: an engine may hold such rows in memory, and nobody is to
// notice.
#include "tests/support/engine_contract_helpers.h"

#include <atomic>
#include <random>
#include <thread>

namespace slashpost::data::contract {

inline Maybe setting(Engine& engine, BytesView key) {
    return must(engine.read([&](View& view) { return view.get(settings, key); }));
}

TEMPLATE_TEST_CASE("a setting is read as the last commit left it", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (int turn = 0; turn < 3; ++turn) {
        CHECK(setting(engine, "a") == std::nullopt);
        CHECK(setting(engine, "a") == std::nullopt);
        put(engine, settings, "a", "1");
        CHECK(setting(engine, "a") == "1");
        CHECK(setting(engine, "a") == "1");
        must(engine.transact([&](Txn& txn) -> Result<void> {
            CHECK(get(txn, settings, "a") == "1");
            TRY(txn.put_blind(settings, "a", "2"));
            CHECK(get(txn, settings, "a") == "2");
            CHECK(setting(engine, "a") == "1");
            return {};
        }));
        CHECK(setting(engine, "a") == "2");
        erase(engine, settings, "a");
    }
}

TEMPLATE_TEST_CASE("who reads settings of an earlier moment neither sees nor tells what is not so",
                   "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, settings, "a", "old");
    put(engine, settings, "gone", "old");
    must(engine.read([&](View& before) -> Result<void> {
        put(engine, settings, "a", "new");
        put(engine, settings, "b", "new");
        erase(engine, settings, "gone");
        CHECK(setting(engine, "a") == "new"); // held in memory now
        for (int turn = 0; turn < 2; ++turn) {
            CHECK(get(before, settings, "a") == "old");
            CHECK(get(before, settings, "b") == std::nullopt);
            CHECK(get(before, settings, "gone") == "old");
            CHECK(setting(engine, "a") == "new");
            CHECK(setting(engine, "b") == "new");
            CHECK(setting(engine, "gone") == std::nullopt);
        }
        return {};
    }));
}

TEMPLATE_TEST_CASE("a commit that lost changes no setting", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, settings, "a", "0");
    int runs = 0;
    must(engine.transact([&](Txn& txn) -> Result<void> {
        const auto seen = get(txn, settings, "a");
        CHECK(seen == (runs == 0 ? "0" : "1"));
        if (++runs == 1)
            put(engine, settings, "a", "1");
        return txn.put(settings, "b", *seen);
    }));
    CHECK(runs == 2);
    CHECK(setting(engine, "a") == "1");
    CHECK(setting(engine, "b") == "1");
}

TEMPLATE_TEST_CASE("settings may be many, and large", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    constexpr int count = 5000;
    must(engine.transact([&](Txn& txn) -> Result<void> {
        for (int i = 0; i < count; ++i)
            TRY(txn.put(settings, std::to_string(i),
                        i % 1000 == 7 ? Bytes(100'000, 'x') : std::to_string(-i)));
        return {};
    }));
    for (int turn = 0; turn < 2; ++turn)
        must(engine.read([&](View& view) -> Result<void> {
            int wrong = 0;
            for (int i = 0; i < count; ++i)
                wrong += static_cast<int>(TRY(view.get(settings, std::to_string(i))) !=
                                          (i % 1000 == 7 ? Bytes(100'000, 'x') : std::to_string(-i)));
            CHECK(wrong == 0);
            return {};
        }));
}

TEMPLATE_TEST_CASE("single settings agree with a scan of the same moment while many change them",
                   "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    constexpr int keys = 12;
    std::atomic<int> wrong = 0;
    std::atomic<int> looks = 0;
    std::atomic<bool> finished = false;
    const auto look = [&](View& view) -> Result<void> {
        std::vector<std::string> one_by_one;
        for (int i = 0; i < keys; ++i) {
            const Bytes key(1, static_cast<char>('a' + i));
            if (const auto value = TRY(view.get(settings, key)))
                one_by_one.push_back(key + "=" + *value);
        }
        std::vector<std::string> scanned;
        TRY(view.scan(settings, {}, Order::forward, [&](BytesView key, BytesView value) {
            scanned.push_back(Bytes(key) + "=" + Bytes(value));
            return true;
        }));
        wrong += static_cast<int>(one_by_one != scanned);
        ++looks;
        return {};
    };
    std::vector<std::thread> readers;
    readers.reserve(3);
    for (int t = 0; t < 3; ++t)
        readers.emplace_back([&] {
            while (!finished)
                (void)engine.read(look);
        });
    std::vector<std::thread> writers;
    writers.reserve(3);
    for (unsigned t = 0; t < 3; ++t)
        writers.emplace_back([&, t] {
            std::mt19937 random(t);
            for (int i = 0; i < 2000; ++i)
                (void)engine.transact([&](Txn& txn) -> Result<void> {
                    const Bytes key(1, static_cast<char>('a' + random() % keys));
                    const Bytes other(1, static_cast<char>('a' + random() % keys));
                    TRY(txn.erase(settings, key));
                    return txn.put_blind(settings, other,
                                         std::to_string(t * 10'000U) + "." + std::to_string(i));
                });
        });
    for (auto& writer : writers)
        writer.join();
    finished = true;
    for (auto& reader : readers)
        reader.join();
    CHECK(wrong == 0);
    CHECK(looks > 0);
}

} // namespace slashpost::data::contract

#pragma once
// The part of the engine contract about many threads at once, and about what may be stored at all.
#include "tests/support/engine_contract_helpers.h"

#include <atomic>
#include <thread>

namespace slashpost::data::contract {

TEMPLATE_TEST_CASE("adds commute and never conflict", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    int runs = 0;
    auto done = engine.transact([&](Txn& txn) -> Result<void> {
        TRY(txn.add("t", 1));
        ++runs;
        add(engine, "t", 10);
        TRY(txn.put(rows, "k", "x"));
        return txn.add("t", 100);
    });
    REQUIRE(done.has_value());
    CHECK(runs == 1);
    CHECK(sum(engine, "t") == 111);

    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 100; ++i)
                (void)engine.transact([&](Txn& txn) { return txn.add("n", t % 2 == 0 ? 3 : -1); });
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(sum(engine, "n") == 400);
    CHECK(engine.figures().conflicts == 0);
}

TEMPLATE_TEST_CASE("many threads that read and write one value lose no step", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "n", "0");
    constexpr int threads_count = 6, steps = 60;
    std::vector<std::thread> threads;
    threads.reserve(threads_count);
    for (int t = 0; t < threads_count; ++t)
        threads.emplace_back([&] {
            for (int done = 0; done < steps;)
                if (engine
                        .transact([&](Txn& txn) -> Result<void> {
                            const auto value = TRY(txn.get(rows, "n"));
                            return txn.put(rows, "n", std::to_string(std::stoi(*value) + 1));
                        })
                        .has_value())
                    ++done;
        });
    for (auto& thread : threads)
        thread.join();
    CHECK(now(engine, rows, "n") == std::to_string(threads_count * steps));
}

TEMPLATE_TEST_CASE("readers see each commit whole while writers move amounts", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    for (int i = 0; i < 8; ++i)
        put(engine, rows, "account" + std::to_string(i), "100");
    std::atomic<int> wrong = 0;
    std::atomic<bool> finished = false;
    auto total = [](View& view) -> Result<int> {
        int all = 0;
        TRY(view.scan(rows, {}, Order::forward, [&](BytesView, BytesView amount) {
            all += std::stoi(Bytes(amount));
            return true;
        }));
        return all + static_cast<int>(TRY(view.sum("moved")));
    };
    std::thread reader([&] {
        while (!finished)
            if (engine.read(total).value() != 800)
                ++wrong;
    });
    std::vector<std::thread> writers;
    writers.reserve(3);
    for (int t = 0; t < 3; ++t)
        writers.emplace_back([&, t] {
            for (int i = 0; i < 60; ++i) {
                const auto from = "account" + std::to_string((i + t) % 8);
                const auto to = "account" + std::to_string((i * 3 + t + 1) % 8);
                (void)engine.transact([&](Txn& txn) -> Result<void> {
                    if (from == to)
                        return {};
                    const int a = std::stoi(*TRY(txn.get(rows, from)));
                    const int b = std::stoi(*TRY(txn.get(rows, to)));
                    TRY(txn.put(rows, from, std::to_string(a - 7)));
                    TRY(txn.put(rows, to, std::to_string(b + 5)));
                    return txn.add("moved", 2);
                });
            }
        });
    for (auto& writer : writers)
        writer.join();
    finished = true;
    reader.join();
    CHECK(wrong == 0);
    CHECK(must(engine.read(total)) == 800);
}

TEMPLATE_TEST_CASE("spaces and tallies do not mix, and an undeclared space is a fault", "[contract]",
                   EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    put(engine, rows, "k", "row");
    put(engine, hot, "k", "hot");
    add(engine, "k", 1);
    CHECK(now(engine, rows, "k") == "row");
    CHECK(now(engine, hot, "k") == "hot");
    erase(engine, rows, "k");
    CHECK(now(engine, hot, "k") == "hot");
    CHECK(sum(engine, "k") == 1);

    for (const Space& unknown : {Space{3, "between"}, Space{99, "beyond"}}) {
        CHECK(engine.get_now(unknown, "k").error().kind == ErrorKind::fault);
        auto written = engine.transact([&](Txn& txn) { return txn.put(unknown, "k", "v"); });
        REQUIRE(!written.has_value());
        CHECK(written.error().kind == ErrorKind::fault);
        auto read = engine.read([&](View& view) { return view.get(unknown, "k"); });
        REQUIRE(!read.has_value());
        CHECK(read.error().kind == ErrorKind::fault);
    }
}

TEMPLATE_TEST_CASE("keys and values are any bytes of any length", "[contract]", EngineUnderTest) {
    TestType store;
    Engine& engine = store.engine;
    Bytes every_byte;
    for (int i = 0; i < 256; ++i)
        every_byte.push_back(static_cast<char>(i));
    const Bytes large(1 << 20, '\x7f');
    for (const Space& space : contract_spaces) {
        put(engine, space, "", "empty key");
        put(engine, space, "empty value", "");
        put(engine, space, every_byte, every_byte);
        put(engine, space, "large", large);
        CHECK(now(engine, space, "") == "empty key");
        CHECK(now(engine, space, "empty value") == "");
        CHECK(now(engine, space, every_byte) == every_byte);
        CHECK(now(engine, space, "large") == large);
    }
    CHECK(engine.verify_checksums().has_value());
}

} // namespace slashpost::data::contract

// Proves the engine's rules on a server of PostgreSQL, which with_postgres.py starts and names.
#include "storage/open.h"
#include "tests/storage/postgres_schema.h"
#include "tests/support/engine_contract_helpers.h"

#include <catch2/catch.hpp>

#include <memory>

namespace slashpost::data::contract {

using test::new_schema;

struct EngineUnderTest {
    std::string where = new_schema();
    std::unique_ptr<Engine> owned = must(storage::open(where, contract_spaces));
    Engine& engine = *owned;
};

} // namespace slashpost::data::contract

#include "tests/support/engine_contract.h" // after the type that it tests

namespace slashpost::data::contract {

TEST_CASE_METHOD(EngineUnderTest, "what was committed is there when the store is opened again",
                 "[contract]") {
    put(engine, rows, "a", "1");
    add(engine, "t", 5);
    owned.reset();
    owned = must(storage::open(where, contract_spaces));
    CHECK(now(*owned, rows, "a") == "1");
    CHECK(sum(*owned, "t") == 5);
    CHECK(must(storage::peek(where, rows, "a")) == "1");
}

TEST_CASE("a store that nobody made has nothing to peek at", "[contract]") {
    CHECK(must(storage::peek(new_schema(), rows, "a")) == std::nullopt);
}

TEST_CASE("a store that cannot be reached is a sentence without its password", "[contract]") {
    const auto opened = storage::open("postgres://me:secret@localhost:1/links", contract_spaces);
    REQUIRE(!opened.has_value());
    CHECK(opened.error().code == "StoreUnusable");
    CHECK(opened.error().message.starts_with("cannot connect to the store localhost:1/links: "));
    CHECK_FALSE(opened.error().message.contains("secret"));
}

TEST_CASE_METHOD(EngineUnderTest, "a value with many operands is the same after they were merged",
                 "[contract]") {
    // For so long that the engine merges beside, and once more behind.
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2'500);
    std::int64_t total = 0;
    Bytes expected;
    for (int i = 0; i < 200 || std::chrono::steady_clock::now() < end; ++i) {
        add(engine, "t", i);
        must(engine.transact([&](Txn& txn) { return txn.merge(logged, "log", std::to_string(i % 10)); }));
        total += i;
        expected += std::to_string(i % 10);
    }
    for (int looks = 0; looks < 30; ++looks) {
        CHECK(sum(engine, "t") == total);
        CHECK(now(engine, logged, "log") == expected);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

} // namespace slashpost::data::contract

#include "storage/open.h"
#include "tests/support/engine_contract_helpers.h"

#include <catch2/catch.hpp>

#include <memory>

namespace slashpost::data::contract {

struct EngineUnderTest {
    std::unique_ptr<Engine> owned = must(storage::open("memory:", contract_spaces));
    Engine& engine = *owned;
};

} // namespace slashpost::data::contract

#include "tests/support/engine_contract.h" // after the type that it tests

namespace slashpost::data::contract {

TEST_CASE("a memory store has nothing to peek at", "[contract]") {
    const auto peeked = storage::peek("memory:", rows, "k");
    REQUIRE(peeked.has_value());
    CHECK(*peeked == std::nullopt);
}

TEST_CASE("a store of no known kind is refused in clear words", "[contract]") {
    for (const char* where : {"", "mysql://localhost", "memory", "/var/lib/slashpost"}) {
        const auto opened = storage::open(where, contract_spaces);
        REQUIRE(!opened.has_value());
        CHECK(opened.error().message ==
              "'" + std::string(where) +
                  "' names no store; give rocksdb:PATH, postgres://USER@HOST/NAME or memory:");
        CHECK(!storage::peek(where, rows, "k").has_value());
    }
}

TEST_CASE("two spaces of one number or name are refused", "[contract]") {
    const std::array same_number{Space{1, "a"}, Space{1, "b"}};
    const std::array same_name{Space{1, "a"}, Space{2, "a"}};
    const std::array taken_name{Space{1, "tallies"}};
    CHECK(!storage::open("memory:", same_number).has_value());
    CHECK(!storage::open("memory:", same_name).has_value());
    CHECK(!storage::open("memory:", taken_name).has_value());
}

} // namespace slashpost::data::contract

#include "storage/open.h"
#include "tests/support/engine_contract_helpers.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

#include <memory>

namespace slashpost::data::contract {

// Relaxed, for the rules but the sixth are the same and a sync takes milliseconds.
struct EngineUnderTest {
    test::TempFolder folder;
    std::unique_ptr<Engine> owned = must(storage::open("rocksdb:" + folder.path().string(), contract_spaces,
                                                       {.durability = Durability::relaxed}));
    Engine& engine = *owned;
};

} // namespace slashpost::data::contract

#include "tests/support/engine_contract.h" // after the type that it tests

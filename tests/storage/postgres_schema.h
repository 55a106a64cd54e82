#pragma once
// Where a test may make a store on the server that with_postgres.py has started.
#include <catch2/catch.hpp>

#include <cstdlib>
#include <string>

namespace slashpost::test {

// Each has a schema of its own in one database.
inline std::string new_schema() {
    static int schemas = 0;
    const char* const server = std::getenv("SLASHPOST_TEST_POSTGRES");
    REQUIRE(server != nullptr);
    return std::string(server) + "?options=-csearch_path%3Dtest" + std::to_string(++schemas);
}

} // namespace slashpost::test

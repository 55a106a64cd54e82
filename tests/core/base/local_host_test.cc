#include "core/base/local_host.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("an address of the loopback stands for the name localhost", "[local host]") {
    CHECK(localhost_for("127.0.0.1:8080") == "localhost:8080");
    CHECK(localhost_for("[::1]:8080") == "localhost:8080");
    CHECK(localhost_for("127.0.0.1") == "localhost");
    CHECK(localhost_for("[::1]") == "localhost");
    for (const auto* other :
         {"localhost:8080", "127.0.0.2:8080", "127.0.0.1.example.com", "[::2]:80", "::1", "", "[", ":"})
        CHECK_FALSE(localhost_for(other));
}

TEST_CASE("names and addresses of this machine are told from others", "[local host]") {
    for (const auto* here :
         {"localhost", "localhost:8080", "a.localhost", "127.1.2.3", "127.0.0.1:80", "[::1]", "[::1]:80"})
        CHECK(is_local_host(here));
    for (const auto* other : {"localhost.example.com", "127.example.com", "go.example.com:80", "10.0.0.1",
                              "[::2]:80", "mylocalhost", ""})
        CHECK_FALSE(is_local_host(other));
}

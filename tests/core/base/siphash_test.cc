#include "core/base/siphash.h"

#include <catch2/catch.hpp>

#include <string>

using slashpost::siphash;
using slashpost::SipKey;

// The vectors of the reference implementation: key 00 01 .. 0f, message 00 01 .. of each length.
TEST_CASE("SipHash-2-4 gives what its authors say", "[siphash]") {
    const SipKey key{0x0706050403020100, 0x0f0e0d0c0b0a0908};
    std::string message;
    const auto of_length = [&](std::size_t length) {
        message.clear();
        for (std::size_t i = 0; i < length; ++i)
            message += static_cast<char>(i);
        return siphash(key, message);
    };
    CHECK(of_length(0) == 0x726fdb47dd0e0e31);
    CHECK(of_length(1) == 0x74f839c593dc67fd);
    CHECK(of_length(7) == 0xab0200f58b01d137);
    CHECK(of_length(8) == 0x93f5f5799a932462);
    CHECK(of_length(15) == 0xa129ca6149be45e5);
    CHECK(of_length(63) == 0x958a324ceb064572);
}

TEST_CASE("another key gives another hash, bytes above 127 count", "[siphash]") {
    CHECK(siphash({1, 2}, "abc") != siphash({1, 3}, "abc"));
    CHECK(siphash({1, 2}, "abc") != siphash({2, 2}, "abc"));
    CHECK(siphash({1, 2}, "\x80") != siphash({1, 2}, "\xff"));
}

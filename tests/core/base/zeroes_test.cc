// Memory straight from the system.
#include "core/base/zeroes.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

using namespace slashpost;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

bool all(std::span<const std::byte> bytes, int value) {
    return std::ranges::all_of(bytes, [&](std::byte byte) { return byte == std::byte(value); });
}

} // namespace

TEST_CASE("memory begins as zeroes, and keeps what is written", "[zeroes]") {
    auto zeroes = Zeroes::take(8 * mebibyte).value();
    const auto bytes = zeroes.bytes();
    REQUIRE(bytes.size() == 8 * mebibyte);
    CHECK(all(bytes, 0));
    std::ranges::fill(bytes, std::byte(7));
    CHECK(all(bytes, 7));
}

TEST_CASE("memory goes along when its owner moves", "[zeroes]") {
    auto first = Zeroes::take(4096).value();
    first.bytes().front() = std::byte(1);
    Zeroes second = std::move(first);
    CHECK(second.bytes().front() == std::byte(1));
    auto third = Zeroes::take(8192).value();
    third = std::move(second);
    CHECK(third.bytes().size() == 4096);
    CHECK(third.bytes().front() == std::byte(1));
}

TEST_CASE("what the system cannot give is nothing, not a crash", "[zeroes]") {
    CHECK_FALSE(Zeroes::take(std::numeric_limits<std::size_t>::max() / 2));
}

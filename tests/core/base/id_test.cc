#include "core/base/id.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

struct FixedClock final : Clock {
    Timestamp time{};
    [[nodiscard]] Timestamp now() const override { return time; }
};

struct Zeros final : Random {
    void fill(std::span<std::uint8_t> out) override { std::ranges::fill(out, std::uint8_t{0}); }
};

} // namespace

TEST_CASE("an id is 32 lower-case hexadecimal characters", "[id]") {
    const auto id = LinkId::parse("0123456789abcdef0123456789abcdef");
    REQUIRE(id);
    CHECK(id->hex() == "0123456789abcdef0123456789abcdef");
    for (const auto* text : {"", "0123456789abcdef0123456789abcde", "0123456789abcdef0123456789abcdef0",
                             "0123456789ABCDEF0123456789abcdef", "0123456789abcdef0123456789abcdeg"})
        CHECK_FALSE(LinkId::parse(text));
}

TEST_CASE("ids order by creation, also within a millisecond and when the clock jumps back", "[id]") {
    FixedClock clock;
    SystemRandom random;
    IdSource ids(clock, random);
    clock.time = {1'000'000};
    auto before = ids.next<LinkId>();
    for (int i = 0; i < 1000; ++i) {
        if (i == 500)
            clock.time = {900'000};
        const auto next = ids.next<LinkId>();
        REQUIRE(before < next);
        REQUIRE(before.hex() < next.hex());
        before = next;
    }
}

TEST_CASE("an id begins with its millisecond", "[id]") {
    FixedClock clock;
    Zeros random;
    IdSource ids(clock, random);
    clock.time = {0x0102030405};
    CHECK(ids.next<LinkId>().hex() == "00010203040500000000000000000000");
    CHECK(ids.next<LinkId>().hex() == "00010203040500010000000000000000");
}

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

TEST_CASE("ids order as their bytes, the first that differ first", "[id]") {
    const auto id = [](std::size_t at, std::uint8_t byte) {
        RawId made;
        made.bytes.fill(0x80);
        made.bytes.at(at) = byte;
        return made;
    };
    for (std::size_t at = 0; at < 16; ++at) {
        CHECK(id(at, 0x7f) < id(at, 0x81));
        CHECK(id(at, 0x7f) < id(at, 0xff)); // bytes have no sign
        CHECK(id(at, 0xff) > id(15, 0x80));
        CHECK(id(at, 0x81) == id(at, 0x81));
        if (at > 0) {
            CHECK(id(at - 1, 0x81) > id(at, 0xff));
        }
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

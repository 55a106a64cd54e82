#include "core/data/key.h"

#include <catch2/catch.hpp>

#include <random>
#include <tuple>

using namespace slashpost;
using data::Bytes;
using data::key;

namespace {

Bytes bytes(std::initializer_list<int> values) {
    Bytes out;
    for (const int value : values)
        out += static_cast<char>(value);
    return out;
}

enum class Colour : std::uint8_t { red = 7 };

} // namespace

TEST_CASE("every kind of component has its literal bytes", "[key]") {
    CHECK(key(true, false) == bytes({1, 0}));
    CHECK(key(std::uint8_t{0x12}) == bytes({0x12}));
    CHECK(key(std::uint16_t{0x1234}) == bytes({0x12, 0x34}));
    CHECK(key(std::uint32_t{0x12345678}) == bytes({0x12, 0x34, 0x56, 0x78}));
    CHECK(key(std::uint64_t{1}) == bytes({0, 0, 0, 0, 0, 0, 0, 1}));
    CHECK(key(std::int64_t{0}) == bytes({0x80, 0, 0, 0, 0, 0, 0, 0}));
    CHECK(key(std::int64_t{-1}) == bytes({0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
    CHECK(key(Timestamp{0x0102}) == bytes({0x80, 0, 0, 0, 0, 0, 1, 2}));
    CHECK(key(Colour::red) == bytes({7}));
    CHECK(key(std::string_view("ab")) == bytes({'a', 'b', 0, 0}));
    CHECK(key(std::string_view("a\0b", 3)) == bytes({'a', 0, 0xff, 'b', 0, 0}));
    CHECK(key(std::string_view()) == bytes({0, 0}));
    CHECK(key(*LinkId::parse("000102030405060708090a0b0c0d0e0f")) ==
          bytes({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}));
    CHECK(key(data::Raw{"xy"}, true) == bytes({'x', 'y', 1}));
}

TEST_CASE("comparing keys compares the tuples they were made of", "[key]") {
    std::mt19937 random(7);
    const auto text = [&] {
        std::string out;
        for (auto n = random() % 4; n > 0; --n)
            out += "ab\0\xff"[random() % 4];
        return out;
    };
    const auto number = [&] { return static_cast<std::int64_t>(random() % 5) - 2; };
    for (int i = 0; i < 20'000; ++i) {
        const std::tuple a{text(), number(), random() % 2 == 0, text()};
        const std::tuple b{text(), number(), random() % 2 == 0, text()};
        const auto as_key = [](const auto& t) {
            return std::apply(
                [](const auto& x, auto... rest) { return key(std::string_view(x), rest...); },
                std::tuple{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::string_view(std::get<3>(t))});
        };
        // std::string compares as unsigned bytes, as keys do.
        REQUIRE((a < b) == (as_key(a) < as_key(b)));
        REQUIRE((a == b) == (as_key(a) == as_key(b)));
    }
}

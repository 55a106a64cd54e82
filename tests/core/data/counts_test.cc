#include "core/data/counts.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>

using namespace slashpost;
using namespace slashpost::data;
using namespace std::string_literals;

namespace {

Counts counts(std::vector<Count> all) { return Counts::of(std::move(all)); }

Counts merged(const std::vector<Counts>& parts) {
    std::vector<Bytes> encoded;
    for (const auto& part : parts)
        encoded.push_back(part.encode());
    const auto sum = merge_counts(std::vector<BytesView>(encoded.begin(), encoded.end()));
    REQUIRE(sum);
    return Counts::decode(*sum).value();
}

} // namespace

TEST_CASE("counts are stored in the bytes that their header draws", "[counts]") {
    Counts some;
    some.add("Cde", 3);
    some.add("c", 1);
    some.add("s", -1);
    some.add("Cde", 61); // 64: two bytes of varint
    some.add("x", 0);
    CHECK(some.encode() == "\x01\x03"s + "Cde"s + "\x80\x01\x01"s + "c\x02\x01s\x01"s);
    CHECK(Counts::decode(some.encode()).value() == counts({{"Cde", 64}, {"c", 1}, {"s", -1}}));
    CHECK(Counts().encode() == "\x01");
    CHECK(Counts::decode("\x01").value().empty());
}

TEST_CASE("counts are found by name and by group", "[counts]") {
    const auto some = counts({{"s", 2}, {"Cat", 1}, {"Rx", 7}, {"Cde", 4}, {"s", 3}});
    CHECK(some.of("s") == 5);
    CHECK(some.of("Cat") == 1);
    CHECK(some.of("C") == 0);
    CHECK(some.sum('C') == 5);
    CHECK(some.sum('Z') == 0);
    CHECK(some.group('C').size() == 2);
    CHECK(some.group('C')[1] == Count{"Cde", 4});
    CHECK(some.group('D').empty());
}

TEST_CASE("encoded counts are added up, however many", "[counts]") {
    CHECK(merged({counts({{"a", 1}, {"c", 2}})}) == counts({{"a", 1}, {"c", 2}}));
    CHECK(merged({counts({{"a", 1}, {"c", 2}}), counts({{"b", 5}, {"c", 1}})}) ==
          counts({{"a", 1}, {"b", 5}, {"c", 3}}));
    CHECK(merged({counts({{"a", 1}}), Counts(), counts({{"a", 1}}), counts({{"b", 1}}),
                  counts({{"a", 4}})}) == counts({{"a", 6}, {"b", 1}}));
    CHECK(merged({counts({{"a", 2}}), counts({{"a", -2}})}).empty());
}

TEST_CASE("of a group that is too large the smallest numbers fall to the rest", "[counts]") {
    Counts flood;
    for (int i = 0; i < 1'000; ++i)
        flood.add("R" + std::to_string(i) + ".example", 1);
    flood.add("Rnews.example", 5);
    flood.add("Cde", 1'005);
    const auto stored = Counts::decode(flood.encode()).value();
    CHECK(stored.group('R').size() == 257); // 256 and the rest
    CHECK(stored.of("R\xff") == 1'000 - 255);
    CHECK(stored.of("Rnews.example") == 5);
    CHECK(stored.sum('R') == 1'005);
    CHECK(stored.of("Cde") == 1'005);
    CHECK(stored.encode() == flood.encode());

    Counts other;
    for (int i = 0; i < 1'000; ++i)
        other.add("R" + std::to_string(i) + ".test", 2);
    other.add("Rnews.example", 5);
    const auto both = merged({flood, other, flood});
    CHECK(both.group('R').size() == 257);
    CHECK(both.sum('R') == 1'005 + 2'005 + 1'005);
    CHECK(both.of("Rnews.example") == 15);
    CHECK(both.encode().size() < 257 * 32);
}

TEST_CASE("names that the owner gives have more room", "[counts]") {
    Counts many;
    for (int i = 0; i < 1'000; ++i)
        many.add("a" + std::to_string(i), 1);
    CHECK(Counts::decode(many.encode()).value() == many);
}

TEST_CASE("a name that is too long counts with the rest", "[counts]") {
    Counts some;
    some.add("R" + std::string(254, 'x'), 1);
    some.add("R" + std::string(255, 'x'), 2);
    CHECK(some.of("R" + std::string(254, 'x')) == 1);
    CHECK(some.of(rest_of('R')) == 2);
    CHECK(Counts::decode(some.encode()).value() == some);
}

TEST_CASE("bytes that are no counts are neither read nor added to", "[counts]") {
    const auto good = counts({{"Cde", 3}, {"c", 300}}).encode();
    for (const auto& bad :
         {""s, "\x02"s, "c"s, "\x01\x01"s, "\x01\x01"s + "c"s, "\x01\x01"s + "c\x80"s, "\x01\0"s,
          "\x01\x05"s + "ab"s, "\x01\x01"s + "b\x02\x01"s + "a\x02"s, "\x01\x01"s + "a\x02\x01"s + "a\x02"s,
          good + "\x01"s, good.substr(0, good.size() - 1)}) {
        CHECK_FALSE(Counts::decode(bad).has_value());
        CHECK_FALSE(merge_counts(std::array<BytesView, 1>{bad}));
        CHECK_FALSE(merge_counts(std::array<BytesView, 2>{good, bad}));
        CHECK_FALSE(merge_counts(std::array<BytesView, 3>{bad, good, good}));
    }
}

TEST_CASE("whatever bytes are merged, nothing but counts comes out", "[counts]") {
    std::uint32_t state = 1;
    const auto next = [&] { return state = state * 1664525 + 1013904223, state >> 16; };
    int readable = 0;
    for (int round = 0; round < 20'000; ++round) {
        auto bytes = counts({{"Cde", 3}, {"Raxxxxxxx", 9}, {"c", 300}}).encode();
        for (auto i = next() % 3; i > 0; --i)
            bytes[next() % bytes.size()] = static_cast<char>(next());
        bytes.resize(bytes.size() - next() % 3);
        if (const auto sum = merge_counts(std::array<BytesView, 2>{bytes, "\x01"})) {
            ++readable;
            CHECK(Counts::decode(*sum).has_value());
        }
    }
    CHECK(readable > 1'000);
    CHECK(readable < 19'000);
}

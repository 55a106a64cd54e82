#include "core/visitors/literals.h"

#include <catch2/catch.hpp>

#include <string>

using slashpost::redirect::Literals;

namespace {

// What is found, put together.
unsigned marks_in(const Literals& literals, std::string_view text) {
    unsigned out = 0;
    literals.find_in(text, [&](std::size_t, std::size_t, std::uint8_t marks) { out |= marks; });
    return out;
}

} // namespace

TEST_CASE("all literals that occur are found in one pass", "[literals]") {
    const Literals literals({{"he", 1}, {"she", 2}, {"his", 4}, {"hers", 8}});
    CHECK(marks_in(literals, "ushers") == (1 | 2 | 8));
    CHECK(marks_in(literals, "this") == 4);
    CHECK(marks_in(literals, "h") == 0);
    CHECK(marks_in(literals, "") == 0);
    CHECK(marks_in(literals, "s-he") == 1);
    CHECK(marks_in(literals, std::string("x\0\xff"
                                         "he",
                                         5)) == 1);
    CHECK(marks_in(literals, "HE") == 0);
}

TEST_CASE("a literal within another is found, and so is one that begins within another", "[literals]") {
    const Literals literals({{"abcd", 1}, {"bc", 2}, {"cde", 4}, {"a", 8}, {"abcd", 16}});
    CHECK(marks_in(literals, "abce") == (8 | 2));
    CHECK(marks_in(literals, "abcde") == (8 | 2 | 1 | 16 | 4));
    CHECK(marks_in(literals, "abcabcd") == (8 | 2 | 1 | 16));
    CHECK(marks_in(literals, "xbcdey") == (2 | 4));
}

TEST_CASE("literals are found as a search for each of them finds it", "[literals]") {
    const auto word = [](unsigned bits, unsigned length) {
        std::string out;
        for (unsigned i = 0; i < length; ++i)
            out += (bits >> i & 1U) != 0 ? 'a' : 'b';
        return out;
    };
    const std::string one = "aab", other = "abab", third = "bb";
    const Literals literals({{one, 1}, {other, 2}, {third, 4}});
    for (unsigned bits = 0; bits < 1024; ++bits) {
        const auto text = word(bits, 10);
        const auto has = [&](const std::string& literal) { return text.find(literal) != text.npos; };
        CHECK(marks_in(literals, text) ==
              (has(one) ? 1U : 0U) + (has(other) ? 2U : 0U) + (has(third) ? 4U : 0U));
    }
    CHECK(marks_in(Literals({}), "anything") == 0);
}

TEST_CASE("each literal is found with its place, in the order of their ends", "[literals]") {
    const Literals literals({{"abcd", 1}, {"bc", 2}, {"c", 4}});
    std::string found;
    literals.find_in("xabcdbc", [&](std::size_t begin, std::size_t end, std::uint8_t marks) {
        found += std::to_string(marks) + "@" + std::to_string(begin) + "-" + std::to_string(end) + " ";
    });
    CHECK(found == "2@2-4 4@3-4 1@1-5 2@5-7 4@6-7 ");
}

#include "core/visitors/literals.h"

#include <catch2/catch.hpp>

#include <string>

using slashpost::redirect::Literals;

TEST_CASE("all literals that occur are found in one pass", "[literals]") {
    const Literals literals({{"he", 1}, {"she", 2}, {"his", 4}, {"hers", 8}});
    CHECK(literals.find_in("ushers") == (1 | 2 | 8));
    CHECK(literals.find_in("this") == 4);
    CHECK(literals.find_in("h") == 0);
    CHECK(literals.find_in("") == 0);
    CHECK(literals.find_in("s-he") == 1);
    CHECK(literals.find_in(std::string("x\0\xff"
                                       "he",
                                       5)) == 1);
    CHECK(literals.find_in("HE") == 0);
}

TEST_CASE("a literal within another is found, and so is one that begins within another", "[literals]") {
    const Literals literals({{"abcd", 1}, {"bc", 2}, {"cde", 4}, {"a", 8}, {"abcd", 16}});
    CHECK(literals.find_in("abce") == (8 | 2));
    CHECK(literals.find_in("abcde") == (8 | 2 | 1 | 16 | 4));
    CHECK(literals.find_in("abcabcd") == (8 | 2 | 1 | 16));
    CHECK(literals.find_in("xbcdey") == (2 | 4));
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
        CHECK(literals.find_in(text) == (has(one) ? 1 : 0) + (has(other) ? 2 : 0) + (has(third) ? 4 : 0));
    }
    CHECK(Literals({}).find_in("anything") == 0);
}

#include "core/base/find_text.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost;

TEST_CASE("a text is found where it begins first", "[find_text]") {
    CHECK(find_text("a sale, a sale", "sale") == 2);
    CHECK(find_text("sale", "sale") == 0);
    CHECK(find_text("sal", "sale") == std::string_view::npos);
    CHECK(find_text("", "sale") == std::string_view::npos);
    CHECK(find_text("", "") == 0);
    CHECK(find_text("anything", "") == 0);
    CHECK(find_text("abcabcabd", "abcabd") == 3);
}

TEST_CASE("a text is found as every other search finds it", "[find_text]") {
    // All texts of fourteen letters out of two, and all needles of up to six.
    const auto word = [](unsigned bits, unsigned length) {
        std::string out;
        for (unsigned i = 0; i < length; ++i)
            out += (bits >> i & 1U) != 0 ? 'a' : 'b';
        return out;
    };
    unsigned differ = 0;
    for (unsigned length = 1; length <= 6; ++length)
        for (unsigned needle = 0; needle < 1U << length; ++needle)
            for (unsigned bits = 0; bits < 1U << 14; bits += 7) {
                const auto text = word(bits, 14);
                differ += find_text(text, word(needle, length)) == text.find(word(needle, length)) ? 0 : 1;
            }
    CHECK(differ == 0);
}

TEST_CASE("a search compares a few bytes for each byte of both, whatever they are", "[find_text]") {
    const auto comparisons = [](const std::string& text, const std::string& needle) {
        std::size_t count = 0;
        static_cast<void>(find_text(text, needle, &count));
        return count;
    };
    const std::string many(2'000, 'a');
    std::string pairs;
    while (pairs.size() < 2'000)
        pairs += "ab";
    for (const auto& [text, needle] :
         {std::pair(many, std::string(127, 'a') + "b"), std::pair(many, many.substr(0, 254) + "b"),
          std::pair(many, std::string(127, 'a') + "b" + std::string(127, 'a')),
          std::pair(pairs, pairs.substr(0, 254) + "b"),
          std::pair(many + "b", std::string(1'000, 'a') + "b")}) {
        INFO(needle);
        CHECK(comparisons(text, needle) <= 6 * text.size() + 2 * needle.size());
        CHECK(find_text(text, needle) == text.find(needle));
    }
    CHECK(comparisons("a plain sentence without it", "sale") <= 8);
}

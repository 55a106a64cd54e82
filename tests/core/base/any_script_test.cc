#include "core/base/any_script.h"

#include <catch2/catch.hpp>

#include <array>

using namespace slashpost;

namespace {

std::string kept(std::string_view text) { return word_form(text, WordCase::kept); }
std::string folded(std::string_view text) { return word_form(text, WordCase::folded); }

} // namespace

TEST_CASE("letters, digits and their marks are characters of words, in every script", "[any script]") {
    for (const char32_t c :
         {U'a', U'Z', U'0', U'ä',      U'ß',      U'Ж',      U'λ',      U'日',     U'あ',         U'한', U'ع',
          U'א', U'ก', U'र', U'\u093f', U'\u0301', U'\u0e31', U'\u0665', U'\u096b', U'\U00020000', U'ª'}) {
        INFO(static_cast<std::uint32_t>(c));
        CHECK(is_word_character(c));
    }
    for (const char32_t c : {U'\0',
                             U' ',
                             U'.',
                             U'/',
                             U'+',
                             U'&',
                             U'\u0085',
                             U'\u00a0',
                             U'\u00ad',
                             U'\u200b',
                             U'\u200d',
                             U'\u200e',
                             U'\u202e',
                             U'\u2066',
                             U'\ufe0f',
                             U'\ufeff',
                             U'\u034f',
                             U'\u3164',
                             U'\u115f',
                             U'\u20dd',
                             U'€',
                             U'。',
                             U'½',
                             U'Ⅷ',
                             U'\U0001f600',
                             U'\ue000',
                             U'\u0378',
                             U'\U000e0061',
                             U'\U0010ffff',
                             char32_t{0xd800},
                             char32_t{0x110000},
                             char32_t{0xffffffff}}) {
        INFO(static_cast<std::uint32_t>(c));
        CHECK_FALSE(is_word_character(c));
    }
}

TEST_CASE("words have slashes between them, and begin with no mark", "[any script]") {
    for (const auto* text : {"a", "straße", "日本", "हिन्दी", "a/b", "a/b/c", "-/_", "2026/ö"}) {
        INFO(text);
        CHECK(are_words(text));
    }
    for (const auto* text :
         {"", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "a b", "a\n", "a.b", "a%20b", "\u0301a",
          "a/\u0301b", "a\u200bb", "\xff", "\xc3", "\xed\xa0\x80", "\xc1\xa1"}) {
        INFO(text);
        CHECK_FALSE(are_words(text));
    }
    CHECK(is_word("a"));
    CHECK_FALSE(is_word("a/b"));
    CHECK_FALSE(is_word(std::string_view("a\0b", 3)));
}

TEST_CASE("spellings of one word have one form", "[any script]") {
    CHECK(kept("Cafe\u0301") == "Caf\u00e9");
    CHECK(kept("Caf\u00e9") == "Caf\u00e9");
    CHECK(kept("\u212b") == "\u00c5"); // the sign of angstrom is the letter
    CHECK(kept("\u1112\u1161\u11ab") == "\ud55c");
    CHECK(kept("Sale/A") == "Sale/A");
    CHECK(folded("Sale/A_-0") == "sale/a_-0");
    CHECK(folded("STRASSE") == "strasse");
    CHECK(folded("Straße") == "strasse");
    CHECK(folded("CAFE\u0301") == "caf\u00e9");
    CHECK(folded("ΣΊΣΥΦΟΣ") == folded("σίσυφος"));
    CHECK(folded("J\u030c") == "\u01f0");
    CHECK(folded("日本") == "日本");
    for (const auto* text : {"\u01f0", "caf\u00e9", "\u0390", "\u1fb4", "\u0149", "i\u0307"}) {
        INFO(text);
        CHECK(folded(folded(text)) == folded(text));
    }
}

TEST_CASE("what has no form stays as it is", "[any script]") {
    CHECK(kept("\xff") == "\xff");
    CHECK(folded("A\xff") == "A\xff");
    std::string long_text;
    for (int i = 0; i < 385; ++i)
        long_text += "Ä";
    CHECK(folded(long_text) == long_text); // of 770 bytes
    CHECK(folded(long_text.substr(2)) != long_text.substr(2));
}

TEST_CASE("a form that has no room is not written", "[any script]") {
    std::array<char, 4> room{};
    CHECK(write_word_form("abcd", WordCase::kept, room) == 4);
    CHECK(std::string_view(room.data(), 4) == "abcd");
    CHECK_FALSE(write_word_form("abcde", WordCase::kept, room));
    CHECK(write_word_form("ÄÖ", WordCase::folded, room) == 4);
    CHECK(std::string_view(room.data(), 4) == "äö");
    CHECK_FALSE(write_word_form("日本", WordCase::kept, room));
    CHECK(write_word_form("", WordCase::kept, room) == 0);
}

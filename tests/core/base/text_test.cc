#include "core/base/text.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace std::string_literals;

TEST_CASE("visible ASCII is what stands from ! to ~", "[text]") {
    CHECK(is_visible_ascii(""));
    std::string visible;
    for (char c = '!'; c <= '~'; ++c)
        visible += c;
    CHECK(visible.size() == 94);
    CHECK(is_visible_ascii(visible));
    for (const char other : {' ', '\t', '\r', '\n', '\0', '\x1f', '\x7f', '\x80', '\xff'})
        for (std::size_t at = 0; at < visible.size(); ++at) {
            auto text = visible;
            text[at] = other;
            CHECK_FALSE(is_visible_ascii(text));
        }
}

TEST_CASE("UTF-8 is well formed or it is not UTF-8", "[text]") {
    CHECK(is_utf8(""));
    CHECK(is_utf8("plain"));
    CHECK(is_utf8("a\0b"s));
    CHECK(is_utf8("b\xC3\xBC"
                  "cher"));
    CHECK(is_utf8("\xF0\x9F\x98\x80"));
    CHECK(is_utf8("\xF4\x8F\xBF\xBF")); // U+10FFFF

    CHECK_FALSE(is_utf8("\xFC"));             // Latin-1
    CHECK_FALSE(is_utf8("\x80"));             // a continuation of nothing
    CHECK_FALSE(is_utf8("\xC3"));             // cut off
    CHECK_FALSE(is_utf8("\xE2\x82"));         // cut off
    CHECK_FALSE(is_utf8("\xC0\xAF"));         // '/' in two bytes
    CHECK_FALSE(is_utf8("\xE0\x80\xAF"));     // '/' in three
    CHECK_FALSE(is_utf8("\xED\xA0\x80"));     // half a surrogate pair
    CHECK_FALSE(is_utf8("\xF4\x90\x80\x80")); // above U+10FFFF
    CHECK_FALSE(is_utf8("\xFF\xFE"));
}

TEST_CASE("a character is a code point, however many bytes it takes", "[text]") {
    CHECK(count_code_points("") == 0);
    CHECK(count_code_points("abc") == 3);
    CHECK(count_code_points("\xC3\xBC\xE2\x82\xAC\xF0\x9F\x98\x80") == 3); // ü€😀
    CHECK(count_code_points("e\xCC\x81") == 2);                            // e and a combining accent
}

TEST_CASE("control characters are found in both of their blocks", "[text]") {
    CHECK_FALSE(has_control("plain text, \xC3\xBC and \xC2\xA0"));
    CHECK(has_control("a\tb"));
    CHECK(has_control("a\r\nb"));
    CHECK(has_control("a\0b"s));
    CHECK(has_control("a\x1b[1m"));
    CHECK(has_control("a\x7f"));
    CHECK(has_control("a\xC2\x85")); // NEL
}

TEST_CASE("white space and controls around a text go, those inside stay", "[text]") {
    CHECK(trim("").empty());
    CHECK(trim(" \t\r\n ").empty());
    CHECK(trim(" \n a b\tc \0\x1f"s) == "a b\tc");
    CHECK(trim("\xC2\xA0x") == "\xC2\xA0x"); // browsers keep a no-break space
}

TEST_CASE("lower-casing ASCII leaves every other byte alone", "[text]") {
    CHECK(lower_ascii("HTTPS://Go.Example.COM/[\\]^_`{") == "https://go.example.com/[\\]^_`{");
    CHECK(lower_ascii("\xC3\x9C"
                      "BER") == "\xC3\x9C"
                                "ber");
}

TEST_CASE("texts that differ in case only fold to the same text", "[text]") {
    CHECK(fold_case("Summer SALE") == "summer sale");
    CHECK(fold_case("ÜBER") == "über");
    CHECK(fold_case("Straße") == fold_case("STRASSE"));
    CHECK(fold_case("ΣΊΣΥΦΟΣ") == fold_case("σίσυφος"));        // two small sigmas
    CHECK(fold_case("\xCE\x90") == "\xCE\xB9\xCC\x88\xCC\x81"); // one letter, folded to three code points
    CHECK(fold_case("I") == "i");                               // whatever the server's language
    CHECK(fold_case("A\xFF") == "a\xFF");
    CHECK(fold_case("").empty());
}

TEST_CASE("a term is found in any case and anywhere", "[text]") {
    CHECK(FoldedTerm("SALE").in("the summer sale"));
    CHECK(FoldedTerm("sale").in("SALE"));
    CHECK(FoldedTerm("über").in("ÜBERGANG"));
    CHECK(FoldedTerm("strasse").in("Hauptstraße 1"));
    CHECK(FoldedTerm("").in("anything"));
    CHECK(FoldedTerm("").in(""));
    CHECK_FALSE(FoldedTerm("sale").in("sal"));
    CHECK_FALSE(FoldedTerm("sale").in(""));
    CHECK(FoldedTerm(" sale\t").in("SALE"));
}

TEST_CASE("letters are found without their accents, and with them", "[text]") {
    CHECK(search_form("Café") == "cafe");
    CHECK(search_form("cafe\xCC\x81") == "cafe"); // the accent as a character of its own
    CHECK(search_form("ÀÉÎÕÜÇÑŠ") == "aeioucns");
    CHECK(search_form("Łódź, Århus, Æsop, Þór, İzmir, ısı") == "lodz, arhus, aesop, thor, izmir, isi");
    CHECK(search_form("Việt Nam") == "viet nam"); // two accents on one letter
    CHECK(search_form("Ἀθῆναι") == "αθηναι");
    CHECK(search_form("한국") == "한국");
    CHECK(search_form("हिन्दी") == "हिन्दी"); // the signs are vowels
    CHECK(search_form("日本が") == "日本が");
    CHECK(search_form("A\xFF\xC3") == "a\xFF\xC3");
    CHECK(FoldedTerm("cafe").in("Le Café"));
    CHECK(FoldedTerm("Café").in("LE CAFE"));
    CHECK(FoldedTerm("über").in("uber"));
    CHECK_FALSE(FoldedTerm("caf").in("ca"));
}

TEST_CASE("what is blank around a text goes, visible or not", "[text]") {
    CHECK(without_blanks("").empty());
    CHECK(without_blanks(" \t\r\n ").empty());
    CHECK(without_blanks("\xEF\xBB\xBF a b\xC2\xA0") == "a b");            // byte order mark, no-break space
    CHECK(without_blanks("\xE2\x80\x8Bx\xE2\x80\x8B\xE3\x80\x80") == "x"); // zero width and ideographic space
    CHECK(without_blanks("\xFF") == "\xFF");
}

TEST_CASE("a term that occurs is told apart by how", "[text]") {
    using enum FoldedTerm::Match;
    const FoldedTerm term("SALE");
    CHECK(term.match("Sale") == whole);
    CHECK(term.match("sale-sale") == at_begin);
    CHECK(term.match("wholesale") == inside);
    CHECK(term.match("sal") == none);
    CHECK(FoldedTerm("strasse").match("STRAßE") == whole);
    CHECK(FoldedTerm("stras").match("STRAßE") == at_begin);
    CHECK(FoldedTerm("asse").match("STRAßE") == inside);
    CHECK(FoldedTerm("asser").match("STRAßE") == none);
    CHECK(FoldedTerm("").match("") == whole);
    CHECK(FoldedTerm("").match("a") == at_begin);
}

TEST_CASE("a byte order mark in front of a text is taken off, and nothing else", "[text]") {
    CHECK(without_byte_order_mark("\xEF\xBB\xBF{}") == "{}");
    CHECK(without_byte_order_mark("\xEF\xBB{}") == "\xEF\xBB{}");
    CHECK(without_byte_order_mark("{}\xEF\xBB\xBF") == "{}\xEF\xBB\xBF");
    CHECK(without_byte_order_mark("").empty());
}

TEST_CASE("a character is appended as UTF-8", "[text]") {
    std::string out;
    for (const std::uint32_t one : {0x41U, 0xe9U, 0x20acU, 0x1f600U, 0x10ffffU})
        append_character(out, one);
    CHECK(out == "Aé€😀\xf4\x8f\xbf\xbf");
    out.clear();
    for (const std::uint32_t none : {0xd800U, 0xdfffU, 0x110000U, 0xffffffffU})
        append_character(out, none);
    CHECK(out == "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_CASE("a text of strangers becomes one line of so many characters", "[text]") {
    CHECK(one_line(" \t Summer \r\n\n sale\xc2\xa0\xe2\x80\xa8", 100) == "Summer sale");
    CHECK(one_line("a\0b\x1b\x7f\xc2\x9b"
                   "c"s,
                   100) == "abc");
    CHECK(one_line("\xef\xbb\xbf\xe2\x80\xae"
                   "abc\xe2\x80\x8b\xe2\x81\xa6",
                   100) == "abc");
    CHECK(one_line("👩\xe2\x80\x8d💻", 100) == "👩\xe2\x80\x8d💻"); // joined with U+200D
    CHECK(one_line("a\xff\xc3 b", 100) == "a b");
    CHECK(one_line("äöü äöü", 5) == "äöü ä");
    CHECK(one_line("äöü äöü", 4) == "äöü");
    CHECK(one_line("äöü", 0).empty());
    CHECK(one_line(" \n ", 100).empty());
}

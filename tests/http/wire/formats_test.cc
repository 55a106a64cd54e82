#include "http/wire/formats.h"

#include <catch2/catch.hpp>

using namespace slashpost::wire;

namespace {

bool fits(const Rule& format, std::string_view text) {
    Rules rules;
    format.apply(rules);
    return rules.format->check(text);
}

} // namespace

TEST_CASE("a slashtag has letters, digits, underscores, hyphens, and slashes between parts", "[formats]") {
    for (const auto* text : {"a", "Z", "0", "_", "-", "Sale_2026-a", "ä", "a/b", "日本/x"})
        CHECK(fits(formats::slashtag, text));
    for (const auto* text : {"", "a b", "a/", "/a", "a//b", "a.b", "a\n", "a%20", "a+", "€", "\xff"})
        CHECK_FALSE(fits(formats::slashtag, text));
}

TEST_CASE("a colour has six hex digits, with or without the number sign", "[formats]") {
    for (const auto* text : {"ff8800", "#FF8800", "000000", "#abCDef"})
        CHECK(fits(formats::hex_color, text));
    for (const auto* text : {"", "#", "ff880", "ff88000", "##f8800", "gg8800", "ff8800#", " ff8800"})
        CHECK_FALSE(fits(formats::hex_color, text));
}

TEST_CASE("a JSON document is one object or array", "[formats]") {
    for (const auto* text : {"{}", "[]", " {\"a\":[1,2]}\n", "[{}]"})
        CHECK(fits(formats::json, text));
    for (const auto* text : {"", "1", "null", "\"{}\"", "{", "{}{}", "{a:1}", "[1,]", "<html>", "{}\n<b>"})
        CHECK_FALSE(fits(formats::json, text));
    CHECK_FALSE(fits(formats::json, std::string(10'000, '[') + std::string(10'000, ']')));
}

TEST_CASE("an e-mail address has one at sign and a dotted host", "[formats]") {
    for (const auto* text : {"a@b.co", "first.last+tag@mail.example.com", "ü@exämple.de"})
        CHECK(fits(formats::email, text));
    for (const auto* text : {"", "a", "@b.co", "a@", "a@b", "a@@b.co", "a@b@c.co", "a b@c.co",
                             "a@b.co\r\nBcc: x@y.co", "a@.co", "a@b.", "a@b..co", "a,b@c.co", "<a@b.co>"})
        CHECK_FALSE(fits(formats::email, text));
    CHECK_FALSE(fits(formats::email, std::string(65, 'a') + "@b.co"));
    CHECK_FALSE(fits(formats::email, "a@" + std::string(250, 'b') + ".co"));
}

TEST_CASE("a date is a day of the calendar", "[formats]") {
    CHECK(fits(formats::date, "2026-01-31"));
    for (const auto* text : {"", "2026-02-30", "2026-1-1", "2026-01-31T00:00Z", "today"})
        CHECK_FALSE(fits(formats::date, text));
}

TEST_CASE("a type of a social preview is a word with dots and the like", "[formats]") {
    for (const auto* text : {"website", "music.song", "og:x", "a", "video_1-2"})
        CHECK(fits(formats::open_graph_type, text));
    for (const auto* text : {"", ".", "web site", "<b>", "a\"", "ä"})
        CHECK_FALSE(fits(formats::open_graph_type, text));
    CHECK(fits(formats::open_graph_type, std::string(100, 'a')));
    CHECK_FALSE(fits(formats::open_graph_type, std::string(101, 'a')));
}

TEST_CASE("a locale is a language, perhaps with a script and a country", "[formats]") {
    for (const auto* text : {"en", "en_US", "de-AT", "zh_Hant_TW", "fil", "es_419"})
        CHECK(fits(formats::locale, text));
    for (const auto* text :
         {"", "e", "EN", "en_", "en__US", "en US", "en_US_x_y", "english", "_US", "en_U\""})
        CHECK_FALSE(fits(formats::locale, text));
}

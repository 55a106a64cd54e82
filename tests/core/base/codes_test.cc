#include "core/base/codes.h"

#include <catch2/catch.hpp>

#include <string>

using namespace slashpost;

TEST_CASE("countries are the 249 of ISO 3166 and Kosovo, in lower case", "[codes]") {
    int count = 0;
    for (char a = 'a'; a <= 'z'; ++a)
        for (char b = 'a'; b <= 'z'; ++b)
            count += is_country_code(std::string{a, b}) ? 1 : 0;
    CHECK(count == 250);
    for (const auto* code : {"de", "us", "gb", "cn", "aq", "ss", "xk"})
        CHECK(is_country_code(code));
    for (const auto* code : {"", "d", "DE", "deu", "uk", "eu", "xx", "ic", "ea", "dg", "yu", "zz"})
        CHECK_FALSE(is_country_code(code));
}

TEST_CASE("a language is one of ISO 639, perhaps with a script and a country or region", "[codes]") {
    for (const auto* tag : {"de", "en", "de-at", "zh-hant", "zh-hans-cn", "es-419", "gsw", "pt-br"})
        CHECK(is_language_tag(tag));
    for (const auto* tag : {"", "d", "DE", "xx", "deutsch", "de-", "-de", "de-xx", "de-at-x", "de-41", "und",
                            "zh-han4", "de--at", "*", "de_at"})
        CHECK_FALSE(is_language_tag(tag));
}

TEST_CASE("currencies are those of ISO 4217 that are in use, in upper case", "[codes]") {
    for (const auto* code : {"EUR", "USD", "JPY", "KWD", "CLP", "XOF", "SLE"})
        CHECK(is_currency_code(code));
    for (const auto* code : {"", "EU", "eur", "EURO", "DEM", "XXX", "XAU", "ABC", "\xe2\x82\xac"})
        CHECK_FALSE(is_currency_code(code));
}

#include "core/visitors/languages.h"

#include <catch2/catch.hpp>

#include <string>

using slashpost::redirect::language_matches;
using slashpost::redirect::preferred_language;

TEST_CASE("the language with the highest quality is preferred, of equals the first", "[languages]") {
    CHECK(preferred_language("de") == "de");
    CHECK(preferred_language("de-AT,de;q=0.9,en;q=0.8") == "de-AT");
    CHECK(preferred_language("fr;q=0.5, en;q=0.8 , de;q=0.9") == "de");
    CHECK(preferred_language("en;q=0.8,fr;q=0.8") == "en");
    CHECK(preferred_language("en;q=0.999,fr") == "fr");
    CHECK(preferred_language("en; Q=0.5,fr;q=0.4") == "en");
    CHECK(preferred_language("fil,en;q=0.1") == "fil");
    CHECK(preferred_language("zh-Hant-TW;q=1.000,en;q=1.0") == "zh-Hant-TW");
}

TEST_CASE("what is no language, or not acceptable, is passed over", "[languages]") {
    for (const auto* header : {"", "*", ",,,", ";", "de;q=0", "de;q=0.000", "d", "1234", "de;q=2", "de;q=-1",
                               "de;q=x", "de;q=", "de;level=1", "toolonglanguage", "<script>", "*;q=0.5"})
        CHECK(preferred_language(header).empty());
    CHECK(preferred_language("*,de;q=0.1") == "de");
    CHECK(preferred_language("\xff\xfe,de;q=0.1") == "de");
    CHECK(preferred_language("en;q=0,de;q=0.1") == "de");
    CHECK(preferred_language("de\t;\tq=0.3, en ;q=0.2") == "de");
}

TEST_CASE("an endless header is read up to a bound", "[languages][threat-33]") {
    std::string many;
    for (int i = 0; i < 100'000; ++i)
        many += "*,";
    CHECK(preferred_language(many + "de").empty());
    CHECK(preferred_language(std::string(100'000, 'a')).empty());
}

TEST_CASE("a language takes in its regions, and a region nothing but itself", "[languages]") {
    CHECK(language_matches("de", "de"));
    CHECK(language_matches("de-AT", "de"));
    CHECK(language_matches("DE-at", "de-at"));
    CHECK_FALSE(language_matches("de", "de-at"));
    CHECK_FALSE(language_matches("den", "de"));
    CHECK_FALSE(language_matches("de-ATX", "de-at"));
    CHECK(language_matches("zh-Hant-TW", "zh-hant"));
}

#include "core/base/time.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("a time is written in UTC with milliseconds and a Z", "[time]") {
    CHECK(to_iso({0}) == "1970-01-01T00:00:00.000Z");
    CHECK(to_iso({1'767'225'599'999}) == "2025-12-31T23:59:59.999Z");
    CHECK(to_iso({951'782'400'000}) == "2000-02-29T00:00:00.000Z");
}

TEST_CASE("a time is read with or without seconds, fractions and offsets", "[time]") {
    CHECK(parse_iso("2026-01-01T00:00:00.000Z") == Timestamp{1'767'225'600'000});
    CHECK(parse_iso("2026-01-01T00:00Z") == Timestamp{1'767'225'600'000});
    CHECK(parse_iso("2026-01-01") == Timestamp{1'767'225'600'000});
    CHECK(parse_iso("2026-01-01T02:00:00+02:00") == Timestamp{1'767'225'600'000});
    CHECK(parse_iso("2025-12-31T19:00:00-0500") == Timestamp{1'767'225'600'000});
    CHECK(parse_iso("2026-01-01T00:00:00.5Z") == Timestamp{1'767'225'600'500});
    CHECK(parse_iso("2026-01-01T00:00:00.123456Z") == Timestamp{1'767'225'600'123});
}

TEST_CASE("a time without an offset is one of UTC, and says that it names none", "[time]") {
    for (const auto* text :
         {"2026-01-01T00:00", "2026-01-01 00:00:00", "2026-01-01T00:00:00.000", "2026-01-01"}) {
        INFO(text);
        CHECK(parse_iso(text) == Timestamp{1'767'225'600'000});
        CHECK_FALSE(parse_written_time(text)->names_offset);
    }
    CHECK(parse_written_time("2026-01-01T00:00Z")->names_offset);
    CHECK(parse_written_time("2026-01-01T02:00+02:00")->names_offset);
    CHECK(parse_written_time("2026-01-01T02:00+02:00")->time == Timestamp{1'767'225'600'000});
}

TEST_CASE("a text that is no time is refused", "[time]") {
    for (const auto* text :
         {"", "today", "2026-13-01", "2026-02-30", "2026-01-01T24:00Z", "2026-01-01T00:60Z", "2026-01-01T",
          "2026-01-01T00", "2026-01-01T00:00:00.Z", "2026-01-01T00:00:00.", "2026-01-01T00:00Zx",
          "2026-01-01T00:00+15:00", "1969-12-31T23:59:59Z", "1970-01-01T00:00+01:00"})
        CHECK_FALSE(parse_iso(text));
    CHECK_FALSE(parse_day("2026-01-01T00:00Z"));
    CHECK(parse_day("2026-01-01") == Timestamp{1'767'225'600'000});
}

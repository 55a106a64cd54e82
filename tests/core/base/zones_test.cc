#include "core/base/zones.h"

#include "core/base/time_window.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

Timestamp at(std::string_view text) { return parse_iso(text).value(); }

// Whether the window, as somebody would write it, contains the moment.
bool within(std::string_view window, std::string_view time) {
    const auto parsed = parse_time_window(window);
    REQUIRE(parsed);
    return contains({.from = parsed->from,
                     .until = parsed->until,
                     .weekdays = parsed->weekdays,
                     .begin_minute = parsed->begin_minute,
                     .end_minute = parsed->end_minute,
                     .zone = parsed->zone},
                    at(time));
}

} // namespace

TEST_CASE("a time zone is one of the database, as it is written there", "[zones]") {
    for (const auto* zone :
         {"Europe/Berlin", "UTC", "America/Argentina/Buenos_Aires", "Asia/Kolkata", "Etc/GMT+5"})
        CHECK(is_time_zone(zone));
    for (const auto* zone :
         {"", "europe/berlin", "Europe/Atlantis", "GMT+5:30", "Etc/Unknown", "+02:00", "Z", "Europe/Berlin\n",
          "Europe/Berl\xc3\xafn", "../../etc/passwd", "/etc/localtime", "Europe", "zone1970.tab"})
        CHECK_FALSE(is_time_zone(zone));
    CHECK_FALSE(is_time_zone(std::string(65, 'a')));
}

TEST_CASE("a clock on the wall shows the zone's time, in summer and in winter", "[zones]") {
    // 2026-01-05 was a Monday.
    CHECK(wall_clock("", at("2026-01-05T00:00Z")) == WallClock{.weekday = 0, .minute = 0});
    CHECK(wall_clock("UTC", at("2026-01-04T23:59Z")) == WallClock{.weekday = 6, .minute = 23 * 60 + 59});
    CHECK(wall_clock("Europe/Berlin", at("2026-01-05T08:30Z")) ==
          WallClock{.weekday = 0, .minute = 9 * 60 + 30});
    CHECK(wall_clock("Europe/Berlin", at("2026-07-06T08:30Z")) ==
          WallClock{.weekday = 0, .minute = 10 * 60 + 30});
    CHECK(wall_clock("Asia/Kolkata", at("2026-01-05T20:00Z")) == WallClock{.weekday = 1, .minute = 60 + 30});
    CHECK(wall_clock("America/New_York", at("2026-01-05T02:00Z")) ==
          WallClock{.weekday = 6, .minute = 21 * 60});
    CHECK(wall_clock("", Timestamp{0}) == WallClock{.weekday = 3, .minute = 0}); // a Thursday
    CHECK_FALSE(wall_clock("Europe/Atlantis", at("2026-01-05T00:00Z")));
}

TEST_CASE("the hour that a change of clocks skips or repeats is one of the zone's", "[zones][threat-27]") {
    // In Berlin 02:00 became 03:00 on 2026-03-29 at 01:00Z, and 03:00 became 02:00 on 2026-10-25 at 01:00Z.
    CHECK(wall_clock("Europe/Berlin", at("2026-03-29T00:59Z"))->minute == 60 + 59);
    CHECK(wall_clock("Europe/Berlin", at("2026-03-29T01:00Z"))->minute == 3 * 60);
    CHECK_FALSE(within("02:00-03:00 Europe/Berlin", "2026-03-29T00:59Z"));
    CHECK_FALSE(within("02:00-03:00 Europe/Berlin", "2026-03-29T01:00Z"));
    CHECK(within("02:00-03:00 Europe/Berlin", "2026-10-25T00:30Z"));
    CHECK(within("02:00-03:00 Europe/Berlin", "2026-10-25T01:30Z"));
}

TEST_CASE("a window contains its begin and not its end", "[zones]") {
    CHECK(within("2026-01-01T00:00Z/2026-02-01T00:00Z", "2026-01-01T00:00Z"));
    CHECK(within("2026-01-01T00:00Z/2026-02-01T00:00Z", "2026-01-31T23:59:59.999Z"));
    CHECK_FALSE(within("2026-01-01T00:00Z/2026-02-01T00:00Z", "2026-02-01T00:00Z"));
    CHECK_FALSE(within("2026-01-01T00:00Z/2026-02-01T00:00Z", "2025-12-31T23:59:59.999Z"));

    CHECK(within("09:00-17:00 Europe/Berlin", "2026-01-05T08:00Z"));
    CHECK_FALSE(within("09:00-17:00 Europe/Berlin", "2026-01-05T07:59Z"));
    CHECK(within("09:00-17:00 Europe/Berlin", "2026-01-05T15:59:59.999Z"));
    CHECK_FALSE(within("09:00-17:00 Europe/Berlin", "2026-01-05T16:00Z"));
}

TEST_CASE("weekdays are those of the zone", "[zones]") {
    CHECK(within("mon-fri", "2026-01-05T00:00Z"));
    CHECK_FALSE(within("mon-fri", "2026-01-04T23:59Z"));
    CHECK(within("mon-fri Asia/Kolkata", "2026-01-04T23:59Z")); // Monday there
    CHECK_FALSE(within("mon-fri 09:00-17:00", "2026-01-10T12:00Z"));
    CHECK(within("sat-mon", "2026-01-04T12:00Z"));
    CHECK_FALSE(within("sat-mon", "2026-01-06T12:00Z"));
}

TEST_CASE("a window over midnight belongs to the day on which it begins", "[zones]") {
    CHECK(within("22:00-06:00", "2026-01-05T23:00Z"));
    CHECK(within("22:00-06:00", "2026-01-05T05:59Z"));
    CHECK_FALSE(within("22:00-06:00", "2026-01-05T06:00Z"));
    CHECK(within("fri 22:00-06:00", "2026-01-09T23:00Z")); // Friday
    CHECK(within("fri 22:00-06:00", "2026-01-10T03:00Z")); // the night from it
    CHECK_FALSE(within("fri 22:00-06:00", "2026-01-09T03:00Z"));
    CHECK_FALSE(within("fri 22:00-06:00", "2026-01-10T23:00Z"));
}

TEST_CASE("a moment and what a zone's clock shows then lead to each other", "[zones]") {
    CHECK(shown_at("Europe/Berlin", at("2026-07-06T22:30Z")) == at("2026-07-07T00:30Z"));
    CHECK(moment_shown("Europe/Berlin", at("2026-07-07T00:30Z")) == at("2026-07-06T22:30Z"));
    CHECK(shown_at("America/New_York", at("2026-01-05T02:00Z")) == at("2026-01-04T21:00Z"));
    CHECK(moment_shown("America/New_York", at("2026-01-04T21:00Z")) == at("2026-01-05T02:00Z"));
    CHECK(moment_shown("", at("2026-01-05T02:00Z")) == at("2026-01-05T02:00Z"));
    CHECK(shown_at("UTC", Timestamp{1}) == Timestamp{1});
    CHECK_FALSE(shown_at("Europe/Atlantis", Timestamp{0}));
    CHECK_FALSE(moment_shown("Europe/Atlantis", Timestamp{0}));
}

TEST_CASE("what clocks show twice is meant the first time, what they skip is when they are changed",
          "[zones]") {
    CHECK(moment_shown("Europe/Berlin", at("2026-10-25T02:30Z")) == at("2026-10-25T00:30Z"));
    CHECK(moment_shown("Europe/Berlin", at("2026-03-29T02:30Z")) == at("2026-03-29T01:00Z"));
}

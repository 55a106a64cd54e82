#include "core/ops/calendar.h"

#include <catch2/catch.hpp>

using namespace slashpost;

namespace {

Timestamp at(std::string_view text) { return parse_iso(text).value(); }

const Timestamp long_ago{0};

std::string day(std::string_view zone, std::string_view time, Timestamp hours_since = long_ago) {
    return to_iso(Calendar(zone, hours_since).day_of(at(time))).substr(0, 16);
}
std::string end(std::string_view zone, std::string_view time, Interval interval,
                Timestamp hours_since = long_ago) {
    return to_iso(Calendar(zone, hours_since).end_of(at(time), interval)).substr(0, 16);
}

} // namespace

TEST_CASE("days, weeks and months end by the clock of the zone", "[calendar]") {
    CHECK(day("Europe/Berlin", "2026-07-06T22:30Z") == "2026-07-06T22:00");
    CHECK(end("Europe/Berlin", "2026-07-06T21:59Z", Interval::day) == "2026-07-06T22:00");
    CHECK(end("Europe/Berlin", "2026-07-06T22:00Z", Interval::day) == "2026-07-07T22:00");
    CHECK(end("America/New_York", "2026-01-05T04:00Z", Interval::day) == "2026-01-05T05:00");
    CHECK(end("America/New_York", "2026-01-05T04:00Z", Interval::hour) == "2026-01-05T05:00");
    // 2026-01-05 was a Monday.
    CHECK(end("America/New_York", "2026-01-05T04:00Z", Interval::week) == "2026-01-05T05:00");
    CHECK(end("America/New_York", "2026-01-05T05:00Z", Interval::week) == "2026-01-12T05:00");
    CHECK(end("", "2026-01-04T23:59Z", Interval::week) == "2026-01-05T00:00");
    CHECK(end("", "2026-01-05T00:00Z", Interval::week) == "2026-01-12T00:00");
    CHECK(end("Asia/Tokyo", "2026-01-31T15:00Z", Interval::month) == "2026-02-28T15:00");
    CHECK(end("", "2026-12-31T23:00Z", Interval::month) == "2027-01-01T00:00");
}

TEST_CASE("a day on which clocks change has 23 hours or 25", "[calendar]") {
    CHECK(end("Europe/Berlin", "2026-03-28T23:00Z", Interval::day) == "2026-03-29T22:00");
    CHECK(end("Europe/Berlin", "2026-10-24T22:00Z", Interval::day) == "2026-10-25T23:00");
    // In Beirut the clocks of 2024 went from 00:00 to 01:00, so there was no midnight.
    CHECK(end("Asia/Beirut", "2024-03-30T12:00Z", Interval::day) == "2024-03-30T22:00");
    CHECK(day("Asia/Beirut", "2024-03-31T12:00Z") == "2024-03-30T22:00");
}

TEST_CASE("an hour belongs to the day in which it begins", "[calendar]") {
    // Midnight in Kolkata is 18:30 UTC.
    CHECK(day("Asia/Kolkata", "2026-01-05T18:45Z") == "2026-01-04T19:00");
    CHECK(day("Asia/Kolkata", "2026-01-05T19:00Z") == "2026-01-05T19:00");
    CHECK(end("Asia/Kolkata", "2026-01-05T18:00Z", Interval::day) == "2026-01-05T19:00");
}

TEST_CASE("before hours are kept days are those of UTC, and the one after may be short", "[calendar]") {
    const auto since = at("2026-08-10");
    CHECK(day("Europe/Berlin", "2026-08-09T23:00Z", since) == "2026-08-09T00:00");
    CHECK(end("Europe/Berlin", "2026-08-09T00:00Z", Interval::day, since) == "2026-08-10T00:00");
    CHECK(end("Europe/Berlin", "2026-08-10T00:00Z", Interval::day, since) == "2026-08-10T22:00");
    CHECK(day("Europe/Berlin", "2026-08-10T01:00Z", since) == "2026-08-09T00:00"); // outwards
    CHECK(end("Europe/Berlin", "2026-08-01T00:00Z", Interval::month, since) == "2026-08-31T22:00");
    CHECK(end("America/New_York", "2026-07-05T00:00Z", Interval::month, since) == "2026-08-01T00:00");
    CHECK(end("America/New_York", "2026-08-01T00:00Z", Interval::month, since) == "2026-09-01T04:00");
}

TEST_CASE("what a clock shows is a moment, and days before it are days of that clock", "[calendar]") {
    const Calendar berlin("Europe/Berlin", at("2026-01-01"));
    CHECK(to_iso(berlin.moment_of(at("2026-07-01"))) == "2026-06-30T22:00:00.000Z");
    CHECK(to_iso(berlin.moment_of(at("2025-07-01"))) == "2025-07-01T00:00:00.000Z");
    CHECK(to_iso(berlin.moment_of(at("2026-01-01"))) == "2026-01-01T00:00:00.000Z");
    CHECK(to_iso(berlin.days_before(at("2026-04-09T22:00Z"), 30)) == "2026-03-10T23:00:00.000Z");
    CHECK(berlin.zone() == "Europe/Berlin");
    CHECK(Calendar("Europe/Atlantis", long_ago).is_utc());
    CHECK(Calendar("", long_ago).zone() == "UTC");
}

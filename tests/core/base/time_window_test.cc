#include "core/base/time_window.h"

#include <catch2/catch.hpp>

using namespace slashpost;

TEST_CASE("a window lies between two moments", "[time_window]") {
    const auto window = parse_time_window(" 2026-01-01T00:00Z/2026-02-01T00:00+01:00 ");
    REQUIRE(window);
    CHECK(window->from == Timestamp{1'767'225'600'000});
    CHECK(window->until == Timestamp{1'769'900'400'000});
    CHECK(window->text == "2026-01-01T00:00Z/2026-02-01T00:00+01:00");
    CHECK(parse_time_window("2026-01-01/2026-01-02"));
    for (const auto* text : {"2026-02-01T00:00Z/2026-01-01T00:00Z", "2026-01-01/2026-01-01",
                             "2026-01-01T00:00Z/", "/", "2026-01-01", "2026-01-01/2026-02-30",
                             "2026-01-01/2026-02-01/2026-03-01", "2026-01-01/2026-02-01 UTC"})
        CHECK_FALSE(parse_time_window(text));
}

TEST_CASE("a window lies between two times of the clock, in a zone", "[time_window]") {
    const auto day = parse_time_window("09:00-17:30  Europe/Berlin");
    REQUIRE(day);
    CHECK(day->begin_minute == 540);
    CHECK(day->end_minute == 1050);
    CHECK(day->zone == "Europe/Berlin");
    CHECK(day->weekdays == 0x7f);
    CHECK(day->text == "09:00-17:30 Europe/Berlin");
    const auto night = parse_time_window("22:00-06:00");
    REQUIRE(night);
    CHECK(night->begin_minute == 1320);
    CHECK(night->end_minute == 360);
    CHECK(night->zone.empty());
    CHECK(parse_time_window("00:00-24:00"));
    for (const auto* text :
         {"9:00-17:00", "09:00-17:60", "24:00-25:00", "24:00-01:00", "09:00-09:00", "10:00-00:00", "09:00",
          "09:00-", "09:00-17:00 Mars/Base", "09:00-17:00 UTC UTC", "0a:00-17:00", "09:00 - 17:00"})
        CHECK_FALSE(parse_time_window(text));
}

TEST_CASE("a window lies on weekdays, with hours and a zone or without", "[time_window]") {
    CHECK(parse_time_window("mon-fri")->weekdays == 0b0011111);
    CHECK(parse_time_window("SAT")->weekdays == 0b0100000);
    CHECK(parse_time_window("SAT")->text == "sat");
    CHECK(parse_time_window("sat-mon")->weekdays == 0b1100001);
    CHECK(parse_time_window("mon-sun")->weekdays == 0x7f);
    CHECK(parse_time_window("tue-mon")->weekdays == 0x7f);
    const auto all = parse_time_window("Mon-Fri 09:00-17:00 America/New_York");
    REQUIRE(all);
    CHECK(all->weekdays == 0b0011111);
    CHECK(all->begin_minute == 540);
    CHECK(all->zone == "America/New_York");
    CHECK(all->text == "mon-fri 09:00-17:00 America/New_York");
    for (const auto* text : {"", " ", "UTC", "Europe/Berlin", "monday", "mon-", "-fri", "mon-fri-sun",
                             "mon,fri", "09:00-17:00 mon-fri", "mon-fri mon-fri"})
        CHECK_FALSE(parse_time_window(text));
}

TEST_CASE("a mark is an instant or a time of the clock", "[time_window]") {
    CHECK(parse_time_limit("2026-01-01T00:00Z")->instant == Timestamp{1'767'225'600'000});
    const auto clock = parse_time_limit(" 09:30  Europe/Berlin");
    REQUIRE(clock);
    CHECK_FALSE(clock->instant);
    CHECK(clock->minute == 570);
    CHECK(clock->zone == "Europe/Berlin");
    CHECK(clock->text == "09:30 Europe/Berlin");
    CHECK(parse_time_limit("00:00")->minute == 0);
    for (const auto* text : {"", "24:00", "9:30", "09:30 Berlin", "mon", "09:30 UTC UTC", "2026-02-30"})
        CHECK_FALSE(parse_time_limit(text));
}

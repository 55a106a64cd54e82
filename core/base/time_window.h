#pragma once
// Times at which something holds, as people write them (wire "Parts of a link", `req.time`):
//
//   2026-01-01T00:00Z/2026-02-01T00:00Z   from one moment until another
//   09:00-17:00 Europe/Berlin             every day between two times of the clock
//   mon-fri                               on some weekdays
//   mon-fri 09:00-17:00 Europe/Berlin     both
//
// The zone is UTC when none is given. Ends do not belong to a window; one of the clock may go over midnight,
// and belongs to the day on which it begins then.
#include "core/base/zones.h"

#include <cstdint>

namespace slashpost {

struct TimeWindow {
    static constexpr std::uint8_t every_day = 0x7f;

    std::optional<Timestamp> from, until; // both, or none
    std::uint8_t weekdays = every_day;    // bit 0: Monday
    std::uint32_t begin_minute = 0;       // of the day, 0 to 1439
    std::uint32_t end_minute = 24 * 60;   // 1 to 1440; below begin_minute: over midnight
    std::string zone;                     // of the tz database; empty: UTC
    std::string text;                     // as given, but with one way of writing weekdays and spaces
    bool operator==(const TimeWindow&) const = default;
};

// What of a window a compiled rule keeps, without its text.
struct TimeSpan {
    std::optional<Timestamp> from, until; // both, or none: then what follows counts
    std::uint8_t weekdays = TimeWindow::every_day;
    std::uint32_t begin_minute = 0, end_minute = 24 * 60;
    std::string_view zone;
};
// A zone that the system does not know holds no time.
[[nodiscard]] bool contains(const TimeSpan& span, Timestamp time);
// The same for a span by the clock of its zone, which shows `now`.
[[nodiscard]] bool contains(const TimeSpan& span, const WallClock& now);

// Nothing when the text is no window, or one in which no time lies.
std::optional<TimeWindow> parse_time_window(std::string_view text);

// A moment that times are compared with: an instant, or a time of the clock ("09:00 Europe/Berlin").
struct TimeLimit {
    std::optional<Timestamp> instant;
    std::uint32_t minute = 0; // of the day, 0 to 1439; when there is no instant
    std::string zone;         // empty: UTC
    std::string text;         // as given, but with one way of writing spaces
    bool operator==(const TimeLimit&) const = default;
};

std::optional<TimeLimit> parse_time_limit(std::string_view text);

// The zone that the text of a window or a mark names; empty when it names none.
std::string zone_of_time(std::string_view text);

} // namespace slashpost

#include "core/ops/calendar.h"

#include <algorithm>
#include <chrono>

namespace slashpost {

namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t day_ms = 24 * hour_ms;
constexpr std::int64_t week_days = 7;

Timestamp rounded_down(Timestamp time, std::int64_t unit) { return {time.ms / unit * unit}; }
Timestamp rounded_up(Timestamp time, std::int64_t unit) { return {(time.ms + unit - 1) / unit * unit}; }

// The end of the interval by a clock that shows `shown`; as that clock shows it.
Timestamp end_shown(Timestamp shown, Interval interval) {
    const auto day = rounded_down(shown, day_ms);
    switch (interval) {
    case Interval::hour:
        return {rounded_down(shown, hour_ms).ms + hour_ms};
    case Interval::day:
        return {day.ms + day_ms};
    case Interval::week: {
        const auto weekday = (day.ms / day_ms + 3) % week_days; // 1970-01-01 was a Thursday, Monday is 0
        return {day.ms + (week_days - weekday) * day_ms};
    }
    case Interval::month:
        break;
    }
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day.ms / day_ms}}};
    const std::chrono::sys_days next{(date.year() / date.month() + std::chrono::months{1}) / 1};
    return {next.time_since_epoch().count() * day_ms};
}

} // namespace

Calendar::Calendar(std::string_view zone, Timestamp hours_since)
    : zone_(!zone.empty() && is_time_zone(zone) ? zone : "UTC"),
      hours_since_(hours_since) {}

Timestamp Calendar::moment_of(Timestamp shown) const {
    const auto moment = moment_shown(zone_, shown).value_or(shown);
    return moment >= hours_since_ ? moment : std::min(shown, hours_since_);
}

Timestamp Calendar::day_of(Timestamp time) const {
    if (is_utc() || time < hours_since_)
        return rounded_down(time, day_ms);
    const auto hour = rounded_down(time, hour_ms);
    const auto midnight = rounded_down(shown_at(zone_, hour).value_or(hour), day_ms);
    const auto begin = rounded_up(moment_shown(zone_, midnight).value_or(midnight), hour_ms);
    return begin < hours_since_ ? rounded_down(begin, day_ms) : begin;
}

Timestamp Calendar::end_of(Timestamp time, Interval interval) const {
    if (is_utc() || interval == Interval::hour)
        return end_shown(time, interval);
    if (time < hours_since_) {
        if (const auto end = end_shown(time, interval); end <= hours_since_)
            return end;
        time = hours_since_;
    }
    const auto hour = rounded_down(time, hour_ms);
    const auto shown = end_shown(shown_at(zone_, hour).value_or(hour), interval);
    const auto end = rounded_up(moment_shown(zone_, shown).value_or(shown), hour_ms);
    return std::max(end, Timestamp{hour.ms + hour_ms});
}

Timestamp Calendar::days_before(Timestamp time, std::int64_t days) const {
    const auto shown = shown_at(zone_, time).value_or(time);
    return moment_of({std::max<std::int64_t>(shown.ms - days * day_ms, 0)});
}

} // namespace slashpost

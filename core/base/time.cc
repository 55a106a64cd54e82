#include "core/base/time.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>

namespace slashpost {

namespace {

// Reads fixed-width numbers and separators from the front of a text.
struct Reader {
    std::string_view rest;

    bool number(std::size_t digits, int& out) {
        if (rest.size() < digits || rest.substr(0, digits).find_first_not_of("0123456789") != rest.npos)
            return false;
        std::from_chars(rest.data(), rest.data() + digits, out);
        rest.remove_prefix(digits);
        return true;
    }
    bool literal(char c) {
        if (rest.empty() || rest.front() != c)
            return false;
        rest.remove_prefix(1);
        return true;
    }
};

bool read_day(Reader& in, std::chrono::sys_days& day) {
    int year = 0, month = 0, date = 0;
    if (!in.number(4, year) || !in.literal('-') || !in.number(2, month) || !in.literal('-') ||
        !in.number(2, date) || year < 1970)
        return false;
    std::chrono::year_month_day ymd{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                    std::chrono::day(static_cast<unsigned>(date))};
    day = std::chrono::sys_days(ymd);
    return ymd.ok();
}

// ".1" to ".123456789": digits after the third are cut off.
bool read_fraction(Reader& in, std::int64_t& ms) {
    ms = 0;
    if (!in.literal('.'))
        return true;
    std::size_t digits = 0;
    for (int digit = 0; in.number(1, digit); ++digits)
        if (digits < 3)
            ms = ms * 10 + digit;
    for (auto missing = digits; missing < 3; ++missing)
        ms *= 10;
    return digits > 0 && digits <= 9;
}

// There has to be one.
bool read_offset(Reader& in, std::int64_t& minutes_east) {
    minutes_east = 0;
    if (in.literal('Z') || in.literal('z'))
        return true;
    const bool east = in.literal('+');
    int hours = 0, minutes = 0;
    if ((!east && !in.literal('-')) || !in.number(2, hours))
        return false;
    in.literal(':');
    if (!in.number(2, minutes) || hours > 14 || minutes > 59)
        return false;
    minutes_east = (east ? 1 : -1) * (hours * 60 + minutes);
    return true;
}

Timestamp at(std::chrono::sys_days day) {
    return {std::chrono::duration_cast<std::chrono::milliseconds>(day.time_since_epoch()).count()};
}

} // namespace

std::string to_iso(Timestamp time) {
    const std::chrono::sys_time<std::chrono::milliseconds> point{std::chrono::milliseconds(time.ms)};
    const auto day = std::chrono::floor<std::chrono::days>(point);
    const std::chrono::year_month_day ymd(day);
    const std::chrono::hh_mm_ss clock(point - day);
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(ymd.year()),
                       static_cast<unsigned>(ymd.month()), static_cast<unsigned>(ymd.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

std::optional<Timestamp> parse_day(std::string_view text) {
    Reader in{text};
    std::chrono::sys_days day;
    if (!read_day(in, day) || !in.rest.empty())
        return std::nullopt;
    return at(day);
}

std::optional<Timestamp> parse_iso(std::string_view text) {
    const auto written = parse_written_time(text);
    return written ? std::optional(written->time) : std::nullopt;
}

std::optional<WrittenTime> parse_written_time(std::string_view text) {
    Reader in{text};
    std::chrono::sys_days day;
    if (!read_day(in, day))
        return std::nullopt;
    if (in.rest.empty())
        return WrittenTime{.time = at(day)};
    int hour = 0, minute = 0, second = 0;
    std::int64_t ms = 0, minutes_east = 0;
    if (!in.literal('T') && !in.literal(' '))
        return std::nullopt;
    if (!in.number(2, hour) || !in.literal(':') || !in.number(2, minute))
        return std::nullopt;
    if (in.literal(':') && !(in.number(2, second) && read_fraction(in, ms)))
        return std::nullopt;
    const bool names_offset = !in.rest.empty();
    if ((names_offset && !read_offset(in, minutes_east)) || !in.rest.empty() || hour > 23 || minute > 59 ||
        second > 59)
        return std::nullopt;
    const Timestamp time{at(day).ms + ((hour * 60 + minute - minutes_east) * 60 + second) * 1000 + ms};
    if (time.ms < 0)
        return std::nullopt;
    return WrittenTime{.time = time, .names_offset = names_offset};
}

Timestamp SystemClock::now() const {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::duration_cast<std::chrono::milliseconds>(since_epoch).count()};
}

} // namespace slashpost

#include "core/base/time_window.h"

#include "core/base/ascii.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <vector>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 7> day_names{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};
constexpr std::uint32_t day_minutes = 24 * 60;
constexpr std::size_t words_max = 3;

// Empty when there are more than a window can have.
std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (text = trim(text); !text.empty(); text = trim(text)) {
        const auto word = text.substr(0, text.find(' '));
        words.emplace_back(word);
        text.remove_prefix(word.size());
    }
    return words.size() <= words_max ? words : std::vector<std::string>();
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const auto& word : words)
        out += (out.empty() ? "" : " ") + word;
    return out;
}

// "09:30" -> 570, and "24:00" for an end.
std::optional<std::uint32_t> minute_of(std::string_view text) {
    if (text.size() != 5 || text[2] != ':' || !ascii::is_digit(text[0]) || !ascii::is_digit(text[1]) ||
        !ascii::is_digit(text[3]) || !ascii::is_digit(text[4]))
        return std::nullopt;
    const auto number = [&](std::size_t at) {
        return static_cast<std::uint32_t>((text[at] - '0') * 10 + (text[at + 1] - '0'));
    };
    const auto minute = number(0) * 60 + number(3);
    return number(3) < 60 && minute <= day_minutes ? std::optional(minute) : std::nullopt;
}

std::optional<std::size_t> day_of(std::string_view name) {
    const auto* const found = std::ranges::find(day_names, name);
    return found == day_names.end() ? std::nullopt : std::optional<std::size_t>(found - day_names.begin());
}

// "sat", "mon-fri", "sat-mon"
std::optional<std::uint8_t> weekdays_of(std::string_view text) {
    const auto dash = text.find('-');
    const auto first = day_of(text.substr(0, dash));
    const auto last = dash == text.npos ? first : day_of(text.substr(dash + 1));
    if (!first || !last)
        return std::nullopt;
    unsigned days = 1U << *last;
    for (auto day = *first; day != *last; day = (day + 1) % day_names.size())
        days |= 1U << day;
    return static_cast<std::uint8_t>(days);
}

bool read_hours(std::string_view text, TimeWindow& window) {
    const auto dash = text.find('-');
    if (dash == text.npos)
        return false;
    const auto begin = minute_of(text.substr(0, dash)), end = minute_of(text.substr(dash + 1));
    if (!begin || !end || *begin == day_minutes || *begin == *end || *end == 0)
        return false;
    window.begin_minute = *begin;
    window.end_minute = *end;
    return true;
}

std::optional<TimeWindow> parse_span(std::string_view text) {
    const auto slash = text.find('/');
    if (slash == text.npos)
        return std::nullopt;
    TimeWindow window{.from = parse_iso(text.substr(0, slash)),
                      .until = parse_iso(text.substr(slash + 1)),
                      .zone = {},
                      .text = std::string(text)};
    if (!window.from || !window.until || *window.from >= *window.until)
        return std::nullopt;
    return window;
}

} // namespace

bool contains(const TimeSpan& span, const WallClock& now) {
    const auto on = [&](unsigned weekday) { return (span.weekdays >> weekday & 1U) != 0; };
    if (span.begin_minute < span.end_minute)
        return on(now.weekday) && span.begin_minute <= now.minute && now.minute < span.end_minute;
    return (span.begin_minute <= now.minute && on(now.weekday)) ||
           (now.minute < span.end_minute && on((now.weekday + 6) % 7)); // began the day before
}

bool contains(const TimeSpan& span, Timestamp time) {
    if (span.from)
        return *span.from <= time && time < *span.until;
    const auto now = wall_clock(span.zone, time);
    return now && contains(span, *now);
}

std::optional<TimeWindow> parse_time_window(std::string_view text) {
    if (auto span = parse_span(trim(text)))
        return span;
    auto words = words_of(text);
    TimeWindow window;
    auto word = words.begin();
    if (word != words.end()) {
        const auto lower = lower_ascii(*word);
        if (const auto days = weekdays_of(lower)) {
            window.weekdays = *days;
            *word++ = lower;
        }
    }
    if (word != words.end() && read_hours(*word, window))
        ++word;
    if (word == words.begin())
        return std::nullopt; // a zone alone, or nothing
    if (word != words.end() && is_time_zone(*word))
        window.zone = *word++;
    if (word != words.end())
        return std::nullopt;
    window.text = joined(words);
    return window;
}

std::optional<TimeLimit> parse_time_limit(std::string_view text) {
    const auto trimmed = trim(text);
    if (const auto instant = parse_iso(trimmed))
        return TimeLimit{.instant = instant, .zone = {}, .text = std::string(trimmed)};
    const auto words = words_of(text);
    if (words.empty() || words.size() > 2 || (words.size() == 2 && !is_time_zone(words[1])))
        return std::nullopt;
    const auto minute = minute_of(words[0]);
    if (!minute || *minute == day_minutes)
        return std::nullopt;
    return TimeLimit{.instant = {},
                     .minute = *minute,
                     .zone = words.size() == 2 ? words[1] : std::string(),
                     .text = joined(words)};
}

std::string zone_of_time(std::string_view text) {
    if (auto window = parse_time_window(text))
        return std::move(window->zone);
    auto mark = parse_time_limit(text);
    return mark ? std::move(mark->zone) : std::string();
}

} // namespace slashpost

#include "core/base/zones.h"

#include <date/tz.h>

#include <algorithm>
#include <chrono>

namespace slashpost {

namespace {

using std::chrono::milliseconds, std::chrono::seconds;

// date::locate_zone throws for an unknown name and wants a string; the list it searches is sorted.
const date::time_zone* find_zone(std::string_view name) {
    try {
        const auto& zones = date::get_tzdb().zones;
        const auto found = std::ranges::lower_bound(
            zones, name, {}, [](const date::time_zone& zone) -> std::string_view { return zone.name(); });
        return found != zones.end() && found->name() == name ? &*found : nullptr;
    } catch (const std::exception&) {
        return nullptr; // a machine without the database knows UTC alone
    }
}

WallClock read_clock(std::int64_t local_ms) {
    constexpr std::int64_t day_ms = 24LL * 3600 * 1000;
    const auto day = (local_ms >= 0 ? local_ms : local_ms - day_ms + 1) / day_ms;
    const auto weekday = ((day + 3) % 7 + 7) % 7; // 1970-01-01 was a Thursday
    return {.weekday = static_cast<unsigned>(weekday),
            .minute = static_cast<unsigned>((local_ms - day * day_ms) / 60'000)};
}

} // namespace

bool is_time_zone(std::string_view name) { return name == "UTC" || find_zone(name) != nullptr; }

std::optional<Timestamp> shown_at(std::string_view zone, Timestamp time) {
    if (zone.empty() || zone == "UTC")
        return time;
    const auto* const known = find_zone(zone);
    if (!known)
        return std::nullopt;
    try {
        const auto at = std::chrono::floor<seconds>(date::sys_time<milliseconds>(milliseconds(time.ms)));
        return time.plus_seconds(known->get_info(at).offset.count());
    } catch (const std::exception&) {
        return std::nullopt; // its file is gone
    }
}

std::optional<Timestamp> moment_shown(std::string_view zone, Timestamp shown) {
    if (zone.empty() || zone == "UTC")
        return shown;
    const auto* const known = find_zone(zone);
    if (!known)
        return std::nullopt;
    try {
        const auto at = std::chrono::floor<seconds>(date::local_time<milliseconds>(milliseconds(shown.ms)));
        const auto info = known->get_info(at);
        if (info.result == date::local_info::nonexistent)
            return Timestamp{milliseconds(info.first.end.time_since_epoch()).count()};
        return shown.plus_seconds(-info.first.offset.count());
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::optional<WallClock> wall_clock(std::string_view zone, Timestamp time) {
    const auto shown = shown_at(zone, time);
    return shown ? std::optional(read_clock(shown->ms)) : std::nullopt;
}

} // namespace slashpost

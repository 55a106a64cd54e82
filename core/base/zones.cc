#include "core/base/zones.h"

#include <date/tz.h>

#include <algorithm>
#include <chrono>

namespace slashpost {

namespace {

using std::chrono::seconds;

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

std::optional<WallClock> wall_clock(std::string_view zone, Timestamp time) {
    if (zone.empty() || zone == "UTC")
        return read_clock(time.ms);
    const auto* const known = find_zone(zone);
    if (!known)
        return std::nullopt;
    try {
        const auto at = std::chrono::floor<seconds>(
            date::sys_time<std::chrono::milliseconds>(std::chrono::milliseconds(time.ms)));
        const auto offset = known->get_info(at).offset;
        return read_clock(time.ms + std::chrono::duration_cast<std::chrono::milliseconds>(offset).count());
    } catch (const std::exception&) {
        return std::nullopt; // its file is gone
    }
}

} // namespace slashpost

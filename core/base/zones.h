#pragma once
// Time zones, from the system's tz database: an update of the package tzdata is all it takes when a country
// changes its clocks.
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace slashpost {

// A zone of the database, case as there: "Europe/Berlin", "UTC".
[[nodiscard]] bool is_time_zone(std::string_view name);

// What the zone's clock shows at a moment, as the moment at which UTC's clock shows the same. Empty: UTC.
// Nothing when the database has no such zone (any more). Safe to use from any thread.
[[nodiscard]] std::optional<Timestamp> shown_at(std::string_view zone, Timestamp time);
// The other way round: when the zone's clock shows what UTC's shows at `shown`. Of what is shown twice the
// first time; of what a change of clocks skips the moment of the change.
[[nodiscard]] std::optional<Timestamp> moment_shown(std::string_view zone, Timestamp shown);

// What a clock on the wall shows.
struct WallClock {
    unsigned weekday = 0; // 0: Monday
    unsigned minute = 0;  // of the day, 0 to 1439
    bool operator==(const WallClock&) const = default;
};

// In that zone; empty: UTC. Nothing when the database has no such zone (any more). Allocates nothing once a
// zone was asked for. Safe to use from any thread.
[[nodiscard]] std::optional<WallClock> wall_clock(std::string_view zone, Timestamp time);

} // namespace slashpost

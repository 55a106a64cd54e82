#pragma once
// Where hours, days, weeks and months end for statistics: by the clock of a time zone, as far back as hours
// are kept, and by UTC's before.
//
// What is counted is counted by whole hours of UTC, so an hour belongs to the day in which it begins; that
// matters where clocks are not whole hours off. Weeks begin on Mondays.
#include "core/base/zones.h"

#include <string>

namespace slashpost {

enum class Interval : std::uint8_t { hour, day, week, month };

class Calendar {
  public:
    // `hours_since` is midnight, UTC. A zone that is empty, or that the system does not know, is UTC.
    Calendar(std::string_view zone, Timestamp hours_since);

    // "UTC" or the name of another zone.
    [[nodiscard]] const std::string& zone() const { return zone_; }
    [[nodiscard]] bool is_utc() const { return zone_ == "UTC"; }
    [[nodiscard]] Timestamp hours_since() const { return hours_since_; }

    // When the clock shows what UTC's shows at `shown`.
    [[nodiscard]] Timestamp moment_of(Timestamp shown) const;
    // The beginning of the day that the moment lies in.
    [[nodiscard]] Timestamp day_of(Timestamp time) const;
    // The end of the interval that the moment lies in.
    [[nodiscard]] Timestamp end_of(Timestamp time, Interval interval) const;
    // The same time of the clock so many days earlier; not before 1970.
    [[nodiscard]] Timestamp days_before(Timestamp time, std::int64_t days) const;

  private:
    std::string zone_;
    Timestamp hours_since_;
};

} // namespace slashpost

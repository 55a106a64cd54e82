#pragma once
// Points in time: milliseconds since 1970-01-01T00:00:00Z, and the Clock that tells them.
#include "core/base/result.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

struct Timestamp {
    std::int64_t ms = 0;
    auto operator<=>(const Timestamp&) const = default;
    [[nodiscard]] Timestamp plus_seconds(std::int64_t seconds) const { return {ms + seconds * 1000}; }
};

// "2026-01-31T09:00:00.000Z": the wire's form (wire "Transport").
std::string to_iso(Timestamp time);
// Reads "2026-01-31", "2026-01-31T09:00Z", "…T09:00:00.123Z" and offsets such as "+02:00"; a time without an
// offset is one of UTC. Nothing when the text is no such time or lies outside the years 1970 to 9999.
std::optional<Timestamp> parse_iso(std::string_view text);
// What a text means on any clock: of a time that names no offset from UTC, and of a day, it is for the reader
// to say whose clock shows it.
struct WrittenTime {
    Timestamp time; // on UTC's clock, if no offset is named
    bool names_offset = false;
};
std::optional<WrittenTime> parse_written_time(std::string_view text);
// "YYYY-MM-DD" only; the first millisecond of that day in UTC.
std::optional<Timestamp> parse_day(std::string_view text);

class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
  public:
    [[nodiscard]] Timestamp now() const override;
};

} // namespace slashpost

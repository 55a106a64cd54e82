#pragma once
// What clicks add up to over time (wire "Statistics"), read from the rollups that are kept of each link, tag,
// workspace and part of a domain (core/schema/rollups.h): one row for each day or hour in which something
// happened, read one at a time.
//
// Clicks are exact: those of the buckets are those of the span, and the values of a bucket, with what is not
// known and what is left over, are its clicks. A span is made of whole hours or days; it is rounded outwards
// to them. Days are those of a time zone as far back as hours are kept, and of UTC before
// (core/ops/calendar.h).
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/domain.h"
#include "core/model/link.h"
#include "core/model/tag.h"
#include "core/ops/calendar.h"
#include "core/schema/rollups.h"

#include <vector>

namespace slashpost {

// What an answer may hold.
inline constexpr std::int64_t statistics_hours_max = 45 * 24;
inline constexpr std::int64_t statistics_days_max = 1100;
inline constexpr std::int64_t statistics_weeks_max = 1100;
inline constexpr std::int64_t statistics_months_max = 1100;
inline constexpr std::int64_t statistics_hours_kept_days = 90; // today is one of them
inline constexpr std::int64_t statistics_days_default = 30;
inline constexpr std::size_t statistics_values_max = 50'000; // in all buckets together

// A moment; or what the zone's clock shows, as the moment at which UTC's does.
struct AskedTime {
    Timestamp time;
    bool on_clock = false;
    // NOLINTNEXTLINE(google-explicit-constructor): most callers have a moment
    AskedTime(Timestamp at, bool by_the_clock = false) : time(at), on_clock(by_the_clock) {}
};

struct StatisticsQuery {
    std::optional<AskedTime> from;
    std::optional<AskedTime> until;   // exclusive; the end of the present hour or day when absent
    std::optional<Interval> interval; // nothing: one bucket for the whole span
    std::optional<Dimension> by;      // nothing: no breakdown
    std::string time_zone{};          // a name of the tz database; empty: the workspace's
};

// Clicks of one value of a dimension: a word, a code, a host, a text or an id in hexadecimal; or "unknown"
// ("none" of what is not about the visitor: no rule or arm decided, no campaign was named, no code scanned),
// or "other", which adds up the rarer ones.
struct ValueClicks {
    std::string value;
    std::int64_t clicks = 0;
    bool operator==(const ValueClicks&) const = default;
};

struct Happenings {
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::int64_t bots = 0; // visits of bots, HEAD and prefetches; no clicks
    std::int64_t conversions = 0;
    bool operator==(const Happenings&) const = default;
};

struct StatisticsBucket {
    Timestamp from;
    Happenings happened;
    std::vector<ValueClicks> values; // most clicks first, then by value; none without a dimension
};

struct EventConversions {
    std::string event;
    std::int64_t conversions = 0;
    bool operator==(const EventConversions&) const = default;
};

struct Revenue {
    std::string currency;
    std::int64_t thousandths = 0;
    bool operator==(const Revenue&) const = default;
};

struct Statistics {
    std::string time_zone;              // "UTC" or the name of another one
    std::optional<Timestamp> utc_until; // of another one: buckets that begin before are those of UTC
    Timestamp from;
    Timestamp until; // exclusive
    Happenings happened;
    std::vector<EventConversions> events;  // most first, then by name
    std::vector<Revenue> revenue;          // likewise
    std::vector<StatisticsBucket> buckets; // all of the span, in order; also those in which nothing happened
};

// Each fails as invalid with all problems at once: a zone that is not known, a span that ends before it
// begins or has too many buckets, hours that are not kept any more.
Result<Statistics> statistics_of_link(Context& ctx, const Link& link, const StatisticsQuery& query,
                                      Problems problems = {});
Result<Statistics> statistics_of_tag(Context& ctx, const Tag& tag, const StatisticsQuery& query,
                                     Problems problems = {});
// Of the workspace's links there: what the others have is none of its business.
Result<Statistics> statistics_of_domain(Context& ctx, const Domain& domain, const StatisticsQuery& query,
                                        Problems problems = {});
Result<Statistics> statistics_of_workspace(Context& ctx, const StatisticsQuery& query,
                                           Problems problems = {});

// Forgets what was counted of the link (core/work/reset_statistics.h).
Result<void> reset_statistics_of_link(Context& ctx, const Link& link);

} // namespace slashpost

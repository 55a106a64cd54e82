// What clicks add up to over time (wire "Statistics"): shapes, routes, and handlers of one core call each.
#include "core/ops/statistics.h"
#include "http/api/domain_paths.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/wire/formats.h"

namespace slashpost::wire {

template <>
struct EnumNames<Interval> {
    static constexpr std::array<std::pair<std::string_view, Interval>, 4> all{{{"hour", Interval::hour},
                                                                               {"day", Interval::day},
                                                                               {"week", Interval::week},
                                                                               {"month", Interval::month}}};
};

template <>
struct EnumNames<Dimension> {
    static constexpr std::array<std::pair<std::string_view, Dimension>, 12> all{
        {{"country", Dimension::country},
         {"device", Dimension::device},
         {"os", Dimension::os},
         {"browser", Dimension::browser},
         {"language", Dimension::language},
         {"referrer", Dimension::referrer},
         {"rule", Dimension::rule},
         {"arm", Dimension::arm},
         {"utm_source", Dimension::utm_source},
         {"utm_medium", Dimension::utm_medium},
         {"utm_campaign", Dimension::utm_campaign},
         {"scan", Dimension::scan}}};
};

} // namespace slashpost::wire

namespace slashpost::api {

using wire::example, wire::field, wire::note, wire::part;
using wire::Fields;
namespace formats = wire::formats;

namespace {

constexpr std::int64_t day_seconds = 24 * 3600;

struct SpanQuery {
    std::string from;
    std::string to;
    std::optional<Interval> interval;
    std::optional<Dimension> by;
    std::string time_zone;
    static constexpr std::string_view wire_name = "StatisticsQuery";
    static Fields fields() {
        return {
            field("from", &SpanQuery::from, formats::date_or_time,
                  note("The first day, or a moment of it or of its first hour. A time without an offset from "
                       "UTC "
                       "is one of the time zone. Absent: 30 days before the end."),
                  example("2026-01-01")),
            field("to", &SpanQuery::to, formats::date_or_time,
                  note("The last day, which counts wholly; or a moment, which does not. The span is rounded "
                       "outwards to whole days, or with interval=hour to whole hours. Absent: now."),
                  example("2026-01-31")),
            field("interval", &SpanQuery::interval,
                  note("A bucket for each: at most 45 days of hours, all of them in the last 90 days; 1,100 "
                       "days; 1,100 weeks, from Monday on, or 1,100 months, of which the first and the last "
                       "may be cut short by the span. Absent: one bucket.")),
            field("by", &SpanQuery::by,
                  note("Tells the clicks of each bucket apart by this: who visited, what chose where they "
                       "went, the parameters utm_source, utm_medium and utm_campaign of the visited address, "
                       "or whether it was read off a QR code.")),
            field("timezone", &SpanQuery::time_zone,
                  note("Whose days, weeks and months they are: a name of the IANA database. Absent: that of "
                       "the workspace, or else UTC."),
                  example("Europe/Berlin"))};
    }
    [[nodiscard]] StatisticsQuery wanted() const {
        StatisticsQuery out{.from = asked_time(from),
                            .until = asked_time(to),
                            .interval = interval,
                            .by = by,
                            .time_zone = time_zone};
        if (const auto last_day = parse_day(to))
            out.until = AskedTime(last_day->plus_seconds(day_seconds), true);
        return out;
    }

  private:
    static std::optional<AskedTime> asked_time(std::string_view text) {
        const auto written = parse_written_time(text);
        return written ? std::optional(AskedTime(written->time, !written->names_offset)) : std::nullopt;
    }
};

struct ValueClicksReply {
    std::string value;
    std::int64_t clicks = 0;
    static constexpr std::string_view wire_name = "StatisticsValue";
    static Fields fields() {
        return {
            field("value", &ValueClicksReply::value,
                  note("A country of ISO 3166, a language, a word of routing rules, a referrer's host, the "
                       "id of a rule or an arm, the value of a parameter, cut off after 52 bytes, or qr. "
                       "unknown: the visitor did not tell; none: no rule or arm decided, the address had no "
                       "such parameter, no code was read; other: all that are too rare to be shown."),
                  example("de")),
            field("clicks", &ValueClicksReply::clicks, note("Clicks with this value."))};
    }
};

struct HappeningsReply {
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::int64_t bots = 0;
    std::int64_t conversions = 0;
    static constexpr std::string_view wire_name = "StatisticsFigures";
    static Fields fields() {
        return {field("clicks", &HappeningsReply::clicks, note("Visits by people.")),
                field("sessions", &HappeningsReply::sessions,
                      note("Clicks of visitors who had not clicked the same link in the 30 minutes before.")),
                field("bots", &HappeningsReply::bots,
                      note("Visits of known bots, HEAD and prefetches. They are no clicks.")),
                field("conversions", &HappeningsReply::conversions, note("Conversions that were reported."))};
    }
    static HappeningsReply of(const Happenings& in) {
        return {.clicks = in.clicks, .sessions = in.sessions, .bots = in.bots, .conversions = in.conversions};
    }
};

struct BucketReply {
    Timestamp from;
    HappeningsReply happened;
    std::optional<std::vector<ValueClicksReply>> by;
    static constexpr std::string_view wire_name = "StatisticsBucket";
    static Fields fields() {
        return wire::joined({{field("from", &BucketReply::from, note("The bucket's first moment, UTC."))},
                             part(&BucketReply::happened),
                             {field("by", &BucketReply::by,
                                    note("Most clicks first, then by value; they add up to the clicks of the "
                                         "bucket. Only with by."))}});
    }
    static BucketReply of(const StatisticsBucket& in, bool broken_down) {
        BucketReply out{.from = in.from, .happened = HappeningsReply::of(in.happened), .by = {}};
        if (broken_down)
            out.by.emplace().reserve(in.values.size());
        for (const auto& [value, clicks] : in.values)
            out.by->push_back({.value = value, .clicks = clicks});
        return out;
    }
};

struct EventReply {
    std::string event;
    std::int64_t conversions = 0;
    static constexpr std::string_view wire_name = "StatisticsEvent";
    static Fields fields() {
        return {field("event", &EventReply::event,
                      note("What happened, in the words of whoever reported it."), example("purchase")),
                field("conversions", &EventReply::conversions, note("How often it was reported."))};
    }
};

struct RevenueReply {
    std::string currency;
    Amount value;
    static constexpr std::string_view wire_name = "StatisticsRevenue";
    static Fields fields() {
        return {
            field("currency", &RevenueReply::currency, note("A currency, ISO 4217."), example("EUR")),
            field("value", &RevenueReply::value, note("The sum of the conversions' values."), example("49"))};
    }
};

struct SpanReply {
    Timestamp from;
    Timestamp to;
    std::string time_zone;
    std::optional<Timestamp> utc_until;
    std::optional<Interval> interval;
    std::optional<Dimension> by;
    HappeningsReply happened;
    std::vector<EventReply> events;
    std::vector<RevenueReply> revenue;
    std::vector<BucketReply> buckets;
    static constexpr std::string_view wire_name = "Statistics";
    static Fields fields() {
        return wire::joined(
            {{field("from", &SpanReply::from, note("The first moment of the span, UTC.")),
              field("to", &SpanReply::to, note("The first moment behind the span, UTC.")),
              field("timezone", &SpanReply::time_zone,
                    note("Whose days, weeks and months the buckets are. An hour belongs to the day in which "
                         "it begins, by UTC's hours."),
                    example("Europe/Berlin")),
              field(
                  "utcUntil", &SpanReply::utc_until,
                  note("Buckets that begin before are days, weeks and months of UTC, because hours are kept "
                       "for 90 days; the one that begins then may be cut short. Absent when there is none.")),
              field("interval", &SpanReply::interval,
                    note("How long a bucket is; absent: the whole span is one.")),
              field("by", &SpanReply::by, note("What clicks are told apart by; absent: by nothing."))},
             part(&SpanReply::happened),
             {field("events", &SpanReply::events, note("Conversions by event.")),
              field("revenue", &SpanReply::revenue, note("What conversions were worth.")),
              field("buckets", &SpanReply::buckets,
                    note("In the order of time, without gaps: what had no clicks is there with zeros."))}});
    }
    static SpanReply of(const StatisticsQuery& asked, const Statistics& in) {
        SpanReply out{.from = in.from,
                      .to = in.until,
                      .time_zone = in.time_zone,
                      .utc_until = in.utc_until,
                      .interval = asked.interval,
                      .by = asked.by,
                      .happened = HappeningsReply::of(in.happened),
                      .events = {},
                      .revenue = {},
                      .buckets = {}};
        for (const auto& [event, conversions] : in.events)
            out.events.push_back({.event = event, .conversions = conversions});
        for (const auto& [currency, thousandths] : in.revenue)
            out.revenue.push_back({.currency = currency, .value = Amount{thousandths}});
        out.buckets.reserve(in.buckets.size());
        for (const auto& bucket : in.buckets)
            out.buckets.push_back(BucketReply::of(bucket, asked.by.has_value()));
        return out;
    }
};

using SpanDraft = Draft<Query<SpanQuery>>;

Result<SpanReply> of_link(Context& ctx, const Link& link, const SpanDraft& query) {
    const auto wanted = query->wanted();
    return SpanReply::of(wanted, TRY(statistics_of_link(ctx, link, wanted, query.problems)));
}

Result<EmptyReply> reset(Context& ctx, const Link& link) {
    TRY(reset_statistics_of_link(ctx, link));
    return EmptyReply{};
}

Result<SpanReply> of_tag(Context& ctx, const Tag& tag, const SpanDraft& query) {
    const auto wanted = query->wanted();
    return SpanReply::of(wanted, TRY(statistics_of_tag(ctx, tag, wanted, query.problems)));
}

Result<SpanReply> of_domain(Context& ctx, const SeenDomain& domain, const SpanDraft& query) {
    const auto wanted = query->wanted();
    return SpanReply::of(wanted, TRY(statistics_of_domain(ctx, *domain, wanted, query.problems)));
}

Result<SpanReply> of_workspace(Context& ctx, const SpanDraft& query) {
    const auto wanted = query->wanted();
    return SpanReply::of(wanted, TRY(statistics_of_workspace(ctx, wanted, query.problems)));
}

} // namespace

const RouteList& statistics_routes() {
    using enum http::Method;
    constexpr Guard reading{.role = Role::viewer};
    constexpr Guard reading_link{.role = Role::viewer, .limited_keys = LimitedKeys::links};
    // clang-format off
    static const RouteList routes{"statistics", {
        {get, "/links/{link_id}/statistics", "getLinkStatistics", reading_link, on(of_link),
         "Read what happened on a link, over time and by what is known of its visitors."},
        {del, "/links/{link_id}/statistics", "resetLinkStatistics",
         {.access = Access::write, .role = Role::user, .link = LinkState::live, .place = LinkDomain::any_domain, .limited_keys = LimitedKeys::links},
         on(reset),
         "Forget what was counted of a link, for ever; its tags, domain and workspace keep their counts."},
        {get, "/tags/{tag_id}/statistics", "getTagStatistics", reading, on(of_tag),
         "The same of all links while they carried a tag."},
        {get, "/domains/{domain_id}/statistics", "getDomainStatistics", reading, on(of_domain),
         "The same of the workspace's links on a domain."},
        {get, "/workspaces/{workspace_id}/statistics", "getWorkspaceStatistics", reading, on(of_workspace),
         "The same of all links of a workspace."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

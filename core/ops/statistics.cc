#include "core/ops/statistics.h"

#include "core/base/text.h"
#include "core/work/reset_statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace slashpost {

namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t day_ms = 24 * hour_ms;
constexpr Timestamp end_of_time{253'402'214'400'000}; // 9999-12-31, so that every moment has its usual form

constexpr std::string_view unknown_word = "unknown";
constexpr std::string_view none_word = "none";
constexpr std::string_view other_word = "other";

constexpr std::size_t values_of_bucket_max = 1000; // shown
constexpr std::size_t values_of_bucket_min = 10;
constexpr std::size_t words_known_max = 20'000; // while a bucket is being added up

struct Span {
    Timestamp from;
    Timestamp until; // exclusive
};

// How many buckets of an interval an answer may have, and what is said of more.
struct BucketsMax {
    std::int64_t count;
    std::string_view message;
};

BucketsMax buckets_max(Interval interval) {
    switch (interval) {
    case Interval::hour:
        return {statistics_hours_max, "must be at most 45 days before the end for an interval of hours"};
    case Interval::day:
        return {statistics_days_max, "must be at most 1,100 days before the end for an interval of days"};
    case Interval::week:
        return {statistics_weeks_max, "must be at most 1,100 weeks before the end for an interval of weeks"};
    case Interval::month:
        break;
    }
    return {statistics_months_max, "must be at most 1,100 months before the end for an interval of months"};
}

// Where the buckets end; adds a problem, and answers none, when they are too many.
std::vector<Timestamp> ends_of(const Span& span, std::optional<Interval> interval, const Calendar& calendar,
                               Problems& problems) {
    if (!interval)
        return {span.until};
    const auto max = buckets_max(*interval);
    std::vector<Timestamp> ends;
    for (auto at = span.from; at < span.until; at = ends.back()) {
        if (std::ssize(ends) == max.count) {
            problems.add(out_of_range("from", max.message));
            return {};
        }
        ends.push_back(std::min(calendar.end_of(at, *interval), span.until));
    }
    return ends;
}

// What the query asks for, in whole hours or days; adds what is wrong with it to `problems`.
Span span_of(const StatisticsQuery& query, const Calendar& calendar, Timestamp now, Problems& problems) {
    const auto moment = [&](const AskedTime& asked) {
        return asked.on_clock ? calendar.moment_of(asked.time) : asked.time;
    };
    const auto unit = query.interval == Interval::hour ? Interval::hour : Interval::day;
    const auto begin_of = [&](Timestamp time) {
        return unit == Interval::hour ? Timestamp{time.ms / hour_ms * hour_ms} : calendar.day_of(time);
    };
    const auto until = std::min(query.until ? moment(*query.until) : Timestamp{now.ms + 1}, end_of_time);
    const auto until_rounded = begin_of(until) == until ? until : calendar.end_of(until, unit);
    const auto from =
        query.from ? moment(*query.from) : calendar.days_before(until_rounded, statistics_days_default);
    if (from >= until) {
        problems.add(query.until ? out_of_range("to", "must be after from and after 1970-01-01")
                                 : out_of_range("from", "must be in the past"));
        return {};
    }
    const Span span{.from = begin_of(from), .until = until_rounded};
    if (query.interval == Interval::hour && span.from < calendar.hours_since())
        problems.add(out_of_range(query.from ? "from" : "to",
                                  fmt::format("must be in the last {} days for an interval of hours",
                                              (now.ms - calendar.hours_since().ms) / day_ms + 1)));
    return span;
}

Result<Calendar> calendar_of(const Context& ctx, const StatisticsQuery& query, Problems& problems) {
    if (!query.time_zone.empty() && !is_time_zone(query.time_zone))
        problems.add(invalid_format("timezone", "must be a time zone such as Europe/Berlin"));
    const Timestamp today{ctx.now.ms / day_ms * day_ms};
    const auto kept = TRY(kept_since(ctx.view())).hours;
    return Calendar(query.time_zone.empty() ? ctx.workspace.time_zone : query.time_zone,
                    std::max(kept, Timestamp{today.ms - (statistics_hours_kept_days - 1) * day_ms}));
}

// Sums by word. Of more words than anybody looks at it forgets the rarer half now and then, so that a flood
// of them stays bounded; what was forgotten is among the others.
class Words {
  public:
    void add(std::string word, std::int64_t number) {
        if (word == other_word)
            other_ += number;
        else
            sums_[std::move(word)] += number;
        if (sums_.size() > words_known_max)
            forget_rare();
    }

    // The `most` greatest, greatest first, then by word; begins anew.
    std::vector<ValueClicks> take(std::size_t most) {
        auto out = sorted();
        shorten(out, most);
        if (other_ != 0) {
            out.push_back({.value = std::string(other_word), .clicks = other_});
            sort(out);
        }
        sums_.clear();
        other_ = 0;
        return out;
    }

  private:
    static void sort(std::vector<ValueClicks>& items) {
        std::ranges::sort(items, [](const ValueClicks& a, const ValueClicks& b) {
            return a.clicks != b.clicks ? a.clicks > b.clicks : a.value < b.value;
        });
    }
    [[nodiscard]] std::vector<ValueClicks> sorted() const {
        std::vector<ValueClicks> out;
        out.reserve(sums_.size());
        for (const auto& [word, number] : sums_)
            out.push_back({.value = word, .clicks = number});
        sort(out);
        return out;
    }
    void shorten(std::vector<ValueClicks>& items, std::size_t most) {
        for (; items.size() > most; items.pop_back())
            other_ += items.back().clicks;
    }
    void forget_rare() {
        auto kept = sorted();
        shorten(kept, words_known_max / 2);
        sums_.clear();
        for (auto& [word, number] : kept)
            sums_.emplace(std::move(word), number);
    }

    std::map<std::string, std::int64_t> sums_;
    std::int64_t other_ = 0;
};

// What a count is called within its group.
std::string word_of(const data::Count& count, char group) {
    const auto word = data::BytesView(count.name).substr(1);
    return std::string(count.name == data::rest_of(group) || !is_utf8(word) ? other_word : word);
}

// The clicks of one bucket by the values of a dimension.
class Breakdown {
  public:
    explicit Breakdown(Dimension by) : by_(by), group_(group_of(by)) {}

    void add(const data::Counts& counts) {
        for (const auto& count : counts.group(group_)) {
            known_ += count.number;
            words_.add(text_of(count), count.number);
        }
    }

    // The values of a bucket of that many clicks; begins the next.
    std::vector<ValueClicks> take(std::int64_t clicks, std::size_t most) {
        if (clicks > known_)
            words_.add(std::string(is_of_visitor() ? unknown_word : none_word), clicks - known_);
        known_ = 0;
        return words_.take(most);
    }

  private:
    // Whether a value says something about the visitor, rather than about what was visited.
    [[nodiscard]] bool is_of_visitor() const { return by_ < Dimension::rule; }

    [[nodiscard]] std::string text_of(const data::Count& count) const {
        const bool names_id = by_ == Dimension::rule || by_ == Dimension::arm;
        const auto id = names_id ? RawId::from_bytes(data::BytesView(count.name).substr(1)) : std::nullopt;
        return id ? id->hex() : word_of(count, group_);
    }

    Dimension by_;
    char group_;
    Words words_;
    std::int64_t known_ = 0;
};

// Puts rows, which come in the order of time, into buckets.
class Collector {
  public:
    // `ends` are those of the buckets.
    Collector(const Span& span, std::vector<Timestamp> ends, const StatisticsQuery& query)
        : values_max_(
              std::clamp(statistics_values_max / ends.size(), values_of_bucket_min, values_of_bucket_max)),
          ends_(std::move(ends)) {
        out_.from = span.from;
        out_.until = span.until;
        if (query.by)
            breakdown_.emplace(*query.by);
        open(span.from);
    }

    void add(Timestamp time, const data::Counts& counts) {
        while (time >= end())
            open(end());
        auto& happened = out_.buckets.back().happened;
        happened.clicks += counts.sum(group::clicks);
        happened.sessions += counts.sum(group::sessions);
        happened.bots += counts.sum(group::bots);
        happened.conversions += counts.sum(group::conversions);
        if (breakdown_)
            breakdown_->add(counts);
        for (const auto& count : counts.group(group::conversions))
            events_.add(word_of(count, group::conversions), count.number);
        for (const auto& count : counts.group(group::money))
            revenue_.add(word_of(count, group::money), count.number);
    }

    Statistics finish() {
        while (out_.buckets.size() < ends_.size())
            open(end());
        close();
        for (auto& [event, conversions] : events_.take(values_of_bucket_max))
            out_.events.push_back({.event = std::move(event), .conversions = conversions});
        for (auto& [currency, thousandths] : revenue_.take(values_of_bucket_max))
            out_.revenue.push_back({.currency = std::move(currency), .thousandths = thousandths});
        return std::move(out_);
    }

  private:
    void open(Timestamp from) {
        if (!out_.buckets.empty())
            close();
        out_.buckets.push_back({.from = from, .happened = {}, .values = {}});
    }

    // Of the bucket that is open.
    [[nodiscard]] Timestamp end() const { return ends_[out_.buckets.size() - 1]; }

    void close() {
        auto& bucket = out_.buckets.back();
        const auto& happened = bucket.happened;
        out_.happened.clicks += happened.clicks;
        out_.happened.sessions += happened.sessions;
        out_.happened.bots += happened.bots;
        out_.happened.conversions += happened.conversions;
        if (breakdown_)
            bucket.values = breakdown_->take(happened.clicks, values_max_);
    }

    std::size_t values_max_;
    std::vector<Timestamp> ends_;
    std::optional<Breakdown> breakdown_;
    Words events_, revenue_;
    Statistics out_;
};

// Reads the rows of one grain from one moment to another, if there is time between.
Result<void> collect(RollupReader& reader, const Subject& subject, Grain grain, const Span& span,
                     Collector& collector) {
    if (span.from >= span.until)
        return {};
    return reader.each(subject, grain, bucket_of(grain, span.from), bucket_of(grain, {span.until.ms - 1}),
                       [&](std::uint32_t bucket, const data::Counts& counts) {
                           collector.add(begin_of(grain, bucket), counts);
                           return true;
                       });
}

Result<Statistics> statistics_of(Context& ctx, const Subject& subject, const StatisticsQuery& query,
                                 Problems problems) {
    const auto calendar = TRY(calendar_of(ctx, query, problems));
    const auto span = span_of(query, calendar, ctx.now, problems);
    auto ends = ends_of(span, query.interval, calendar, problems);
    TRY(problems.result("statistics"));
    Collector collector(span, std::move(ends), query);
    // By the hour from where another zone's days may begin in the middle of one of UTC.
    const auto hours_from = query.interval == Interval::hour ? span.from
                            : calendar.is_utc()              ? span.until
                                                             : std::max(span.from, calendar.hours_since());
    RollupReader reader(ctx.view());
    TRY(collect(reader, subject, Grain::day, {.from = span.from, .until = std::min(hours_from, span.until)},
                collector));
    TRY(collect(reader, subject, Grain::hour, {.from = hours_from, .until = span.until}, collector));
    auto out = collector.finish();
    out.time_zone = calendar.zone();
    if (!calendar.is_utc() && span.from < calendar.hours_since())
        out.utc_until = std::min(calendar.hours_since(), span.until);
    return out;
}

} // namespace

Result<Statistics> statistics_of_link(Context& ctx, const Link& link, const StatisticsQuery& query,
                                      Problems problems) {
    return statistics_of(ctx, Subject::of(link.id, link.workspace), query, std::move(problems));
}

Result<Statistics> statistics_of_tag(Context& ctx, const Tag& tag, const StatisticsQuery& query,
                                     Problems problems) {
    return statistics_of(ctx, Subject::of(tag.id), query, std::move(problems));
}

Result<Statistics> statistics_of_domain(Context& ctx, const Domain& domain, const StatisticsQuery& query,
                                        Problems problems) {
    return statistics_of(ctx, Subject::of(domain.id, ctx.workspace.id), query, std::move(problems));
}

Result<Statistics> statistics_of_workspace(Context& ctx, const StatisticsQuery& query, Problems problems) {
    return statistics_of(ctx, Subject::of(ctx.workspace.id), query, std::move(problems));
}

Result<void> reset_statistics_of_link(Context& ctx, const Link& link) {
    auto system = ctx.system_context();
    return reset_statistics(system, link);
}

} // namespace slashpost

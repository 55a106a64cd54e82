#include "core/ops/statistics.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
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

Timestamp rounded_down(Timestamp time, std::int64_t unit) { return {time.ms / unit * unit}; }
Timestamp rounded_up(Timestamp time, std::int64_t unit) { return {(time.ms + unit - 1) / unit * unit}; }

std::chrono::year_month month_of(Timestamp time) {
    const std::chrono::year_month_day day{std::chrono::sys_days{std::chrono::days{time.ms / day_ms}}};
    return day.year() / day.month();
}

// Where the interval that `from` lies in ends.
Timestamp end_of(Timestamp from, Interval interval) {
    switch (interval) {
    case Interval::hour:
        return {rounded_down(from, hour_ms).ms + hour_ms};
    case Interval::day:
        return {rounded_down(from, day_ms).ms + day_ms};
    case Interval::month:
        break;
    }
    const std::chrono::sys_days next{(month_of(from) + std::chrono::months{1}) / 1};
    return {next.time_since_epoch().count() * day_ms};
}

struct Span {
    Timestamp from;
    Timestamp until; // exclusive
};

// How many buckets an answer about the span has.
std::int64_t buckets_of(const Span& span, std::optional<Interval> interval) {
    if (!interval)
        return 1;
    switch (*interval) {
    case Interval::hour:
        return (span.until.ms - span.from.ms) / hour_ms;
    case Interval::day:
        return (span.until.ms - span.from.ms) / day_ms;
    case Interval::month:
        break;
    }
    return (month_of({span.until.ms - 1}) - month_of(span.from)).count() + 1;
}

void check_length(const Span& span, Interval interval, Problems& problems) {
    const auto buckets = buckets_of(span, interval);
    if (interval == Interval::hour && buckets > statistics_hours_max)
        problems.add(out_of_range("from", "must be at most 45 days before the end for an interval of hours"));
    if (interval == Interval::day && buckets > statistics_days_max)
        problems.add(
            out_of_range("from", "must be at most 1,100 days before the end for an interval of days"));
    if (interval == Interval::month && buckets > statistics_months_max)
        problems.add(
            out_of_range("from", "must be at most 1,100 months before the end for an interval of months"));
}

// What the query asks for, in whole hours or days; adds what is wrong with it to `problems`.
Span span_of(const StatisticsQuery& query, Timestamp now, Problems& problems) {
    const auto unit = query.interval == Interval::hour ? hour_ms : day_ms;
    const auto until = std::min(query.until.value_or(Timestamp{now.ms + 1}), end_of_time);
    const auto until_rounded = rounded_up(until, unit);
    const auto from = query.from.value_or(
        Timestamp{std::max<std::int64_t>(until_rounded.ms - statistics_days_default * day_ms, 0)});
    if (from >= until) {
        problems.add(query.until ? out_of_range("to", "must be after from and after 1970-01-01")
                                 : out_of_range("from", "must be in the past"));
        return {};
    }
    const Span span{.from = rounded_down(from, unit), .until = until_rounded};
    const auto hours_since = rounded_down(now, day_ms).ms - (statistics_hours_kept_days - 1) * day_ms;
    if (query.interval)
        check_length(span, *query.interval, problems);
    if (query.interval == Interval::hour && span.from.ms < hours_since)
        problems.add(
            out_of_range(query.from ? "from" : "to", "must be in the last 90 days for an interval of hours"));
    return span;
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
            words_.add(std::string(decides() ? none_word : unknown_word), clicks - known_);
        known_ = 0;
        return words_.take(most);
    }

  private:
    // Whether a value is a rule or an arm, rather than something about the visitor.
    [[nodiscard]] bool decides() const { return by_ == Dimension::rule || by_ == Dimension::arm; }

    [[nodiscard]] std::string text_of(const data::Count& count) const {
        const auto id = decides() ? RawId::from_bytes(data::BytesView(count.name).substr(1)) : std::nullopt;
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
    Collector(const Span& span, const StatisticsQuery& query)
        : interval_(query.interval),
          until_(span.until),
          values_max_(
              std::clamp(statistics_values_max / static_cast<std::size_t>(buckets_of(span, query.interval)),
                         values_of_bucket_min, values_of_bucket_max)) {
        out_.from = span.from;
        out_.until = span.until;
        if (query.by)
            breakdown_.emplace(*query.by);
        open(span.from);
    }

    void add(Timestamp time, const data::Counts& counts) {
        while (time >= end_)
            open(end_);
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
        while (end_ < until_)
            open(end_);
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
        end_ = interval_ ? std::min(end_of(from, *interval_), until_) : until_;
    }

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

    std::optional<Interval> interval_;
    Timestamp until_;
    std::size_t values_max_;
    std::optional<Breakdown> breakdown_;
    Words events_, revenue_;
    Timestamp end_; // of the bucket that is open
    Statistics out_;
};

Result<Statistics> statistics_of(Context& ctx, const Subject& subject, const StatisticsQuery& query,
                                 Problems problems) {
    const auto span = span_of(query, ctx.now, problems);
    TRY(problems.result("statistics"));
    const auto grain = query.interval == Interval::hour ? Grain::hour : Grain::day;
    Collector collector(span, query);
    TRY(RollupReader(ctx.view())
            .each(subject, grain, bucket_of(grain, span.from), bucket_of(grain, {span.until.ms - 1}),
                  [&](std::uint32_t bucket, const data::Counts& counts) {
                      collector.add(begin_of(grain, bucket), counts);
                      return true;
                  }));
    return collector.finish();
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

} // namespace slashpost

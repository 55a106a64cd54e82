#include "core/schema/rollups.h"

#include "core/base/errors.h"
#include "core/data/packed.h"
#include "core/schema/click_totals.h"
#include "core/schema/recent_links.h"

#include <algorithm>
#include <map>

namespace slashpost {

using data::key;

namespace {

enum class Kind : std::uint8_t { link = 1, tag, workspace, domain };

constexpr std::int64_t hour_ms = 3600LL * 1000;
constexpr std::string_view kept_key = "rollups.kept";
constexpr std::size_t time_bytes = 8;

std::int64_t length_of(Grain grain) { return grain == Grain::day ? 24 * hour_ms : hour_ms; }

std::uint32_t trailing_bucket(data::BytesView at) {
    return static_cast<std::uint32_t>(data::big_endian(at.substr(at.size() - 4)));
}

// What grain `all` has of them.
data::Counts for_life(const data::Counts& counts) {
    std::vector<data::Count> kept;
    for (const auto& count : counts.all())
        if (is_for_life(count.name.front()))
            kept.push_back(count);
    return data::Counts::of(std::move(kept));
}

// The first keys with the prefix.
Result<std::vector<data::Bytes>> first_keys(data::View& view, const data::Space& in, data::BytesView prefix,
                                            std::size_t max) {
    std::vector<data::Bytes> found;
    if (max > 0)
        TRY(view.scan(in, data::Range::of_prefix(prefix), data::Order::forward,
                      [&](data::BytesView at, data::BytesView) {
                          found.emplace_back(at);
                          return found.size() < max;
                      }));
    return found;
}

} // namespace

Subject Subject::of(LinkId link) { return {.prefix = key(Kind::link, link), .link = {}, .workspace = {}}; }
Subject Subject::of(LinkId link, WorkspaceId workspace) {
    return {.prefix = key(Kind::link, link), .link = link, .workspace = workspace};
}
Subject Subject::of(TagId tag) { return {.prefix = key(Kind::tag, tag), .link = {}, .workspace = {}}; }
Subject Subject::of(WorkspaceId workspace) {
    return {.prefix = key(Kind::workspace, workspace), .link = {}, .workspace = {}};
}
Subject Subject::of(DomainId domain, WorkspaceId workspace) {
    return {.prefix = key(Kind::domain, domain, workspace), .link = {}, .workspace = {}};
}

char group_of(Dimension dimension) {
    static constexpr std::string_view groups = "CDOBLRraSMNq";
    return groups[static_cast<std::size_t>(dimension)];
}

bool is_for_life(char group) { return std::string_view("csbravm").contains(group); }

data::Bytes rollup_key(const Subject& subject, Grain grain, std::uint32_t bucket) {
    return key(data::Raw{subject.prefix}, grain, bucket);
}

std::uint32_t bucket_of(Grain grain, Timestamp time) {
    if (grain == Grain::all)
        return 0;
    return static_cast<std::uint32_t>(std::max<std::int64_t>(time.ms, 0) / length_of(grain));
}

Timestamp begin_of(Grain grain, std::uint32_t bucket) { return {bucket * length_of(grain)}; }

Result<KeptSince> kept_since(data::View& view) {
    const auto stored = TRY(view.get(space::meta, kept_key));
    if (!stored)
        return KeptSince{};
    const auto hours = read_last_click(data::BytesView(*stored).substr(0, time_bytes));
    const auto days = read_last_click(data::BytesView(*stored).substr(std::min(stored->size(), time_bytes)));
    if (!hours || !days)
        return fault("since when statistics are kept cannot be read");
    return KeptSince{.hours = *hours, .days = *days};
}

Result<void> set_kept_since(data::Txn& txn, const KeptSince& since) {
    return txn.put(space::meta, kept_key, key(since.hours, since.days));
}

Result<std::span<const std::uint32_t>> RollupReader::hours() {
    if (!hours_)
        hours_ = TRY(recent_hours(view_));
    return std::span<const std::uint32_t>(*hours_);
}

Result<data::Counts> RollupReader::of_hour(std::uint32_t hour, const Subject& subject) {
    auto counts = TRY(recent_counts(view_, hour, subject));
    if (!subject.link.empty())
        counts.add(TRY(recent_figures(view_, hour, subject.workspace, subject.link)).counts);
    return counts;
}

Result<LinkFigures> RollupReader::link(LinkId link, WorkspaceId workspace) {
    const auto subject = Subject::of(link);
    const auto stored = TRY(view_.peek(space::rollups, rollup_key(subject, Grain::all, 0)));
    LinkFigures figures{.totals = TRY(settled_clicks_of_link(view_, workspace, link)),
                        .sessions = stored ? TRY(data::Counts::decode(*stored)).sum(group::sessions) : 0};
    for (const auto hour : TRY(hours())) {
        const auto recent = TRY(recent_figures(view_, hour, workspace, link));
        figures.totals.add(recent.totals);
        figures.sessions += recent.counts.sum(group::sessions);
    }
    return figures;
}

Result<data::Counts> RollupReader::lifetime(const Subject& subject) {
    const auto stored = TRY(view_.peek(space::rollups, rollup_key(subject, Grain::all, 0)));
    auto counts = stored ? TRY(data::Counts::decode(*stored)) : data::Counts();
    for (const auto hour : TRY(hours()))
        counts.add(for_life(TRY(of_hour(hour, subject))));
    return counts;
}

Result<void> RollupReader::each(const Subject& subject, Grain grain, std::uint32_t first, std::uint32_t last,
                                const std::function<bool(std::uint32_t, const data::Counts&)>& visit) {
    std::map<std::uint32_t, data::Counts> recent;
    for (const auto hour : TRY(hours()))
        if (const auto bucket = bucket_of(grain, begin_of(Grain::hour, hour));
            bucket >= first && bucket <= last)
            if (const auto counts = TRY(of_hour(hour, subject)); !counts.empty())
                recent[bucket].add(counts);

    Result<void> outcome;
    bool goes_on = true;
    const auto visit_recent = [&](std::uint32_t before) { // those of earlier buckets
        for (; goes_on && !recent.empty() && recent.begin()->first < before; recent.erase(recent.begin()))
            goes_on = visit(recent.begin()->first, recent.begin()->second);
    };
    TRY(view_.scan(space::rollups,
                   {.from = rollup_key(subject, grain, first),
                    .until = data::Range::of_prefix(rollup_key(subject, grain, last)).until},
                   data::Order::forward, [&](data::BytesView at, data::BytesView stored) {
                       auto counts = data::Counts::decode(stored);
                       if (!counts.has_value()) {
                           outcome = std::unexpected(counts.error());
                           return false;
                       }
                       const auto bucket = trailing_bucket(at);
                       visit_recent(bucket);
                       if (const auto more = recent.extract(bucket))
                           counts->add(more.mapped());
                       goes_on = goes_on && visit(bucket, *counts);
                       return goes_on;
                   }));
    TRY(outcome);
    for (auto at = recent.begin(); goes_on && at != recent.end(); ++at)
        goes_on = visit(at->first, at->second);
    return {};
}

Result<void> add_to_rollups(data::Txn& txn, const Subject& subject, Timestamp time,
                            const data::Counts& delta) {
    for (const auto grain : {Grain::all, Grain::day, Grain::hour})
        TRY(txn.add_counts(space::rollups, rollup_key(subject, grain, bucket_of(grain, time)),
                           grain == Grain::all ? for_life(delta) : delta));
    return {};
}

data::Bytes subjects_of(DomainId domain) { return key(Kind::domain, domain); }

Result<std::size_t> erase_figures(data::Txn& txn, data::BytesView subjects, std::size_t max) {
    std::vector<std::pair<data::Space, data::Bytes>> places{
        {space::rollups, data::Bytes(subjects)}, {space::last_clicks, key(RawId(), data::Raw{subjects})}};
    for (const auto hour : TRY(recent_hours(txn)))
        places.emplace_back(space::recent_rollups, key(hour, data::Raw{subjects}));
    std::size_t erased = 0;
    for (const auto& [in, prefix] : places)
        for (const auto& at : TRY(first_keys(txn, in, prefix, max - erased))) {
            TRY(txn.erase(in, at));
            ++erased;
        }
    return erased;
}

data::Bytes last_click_key(const Subject& subject) { return key(RawId(), data::Raw{subject.prefix}); }

Result<std::optional<Timestamp>> last_click_of(data::View& view, const Subject& subject) {
    const auto stored = TRY(view.peek(space::last_clicks, last_click_key(subject)));
    return stored ? read_last_click(*stored) : std::nullopt;
}

} // namespace slashpost

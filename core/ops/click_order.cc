#include "core/ops/click_order.h"

#include "core/base/errors.h"
#include "core/data/packed.h"
#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

namespace {

// A link whose id is older has come in long ago, as a rule: ids are given out in order, and a transaction
// takes less. One that comes in all the same is noticed by the number of links.
constexpr std::int64_t settled_after_ms = 2000;
// When so many links beyond the horizon have settled, the ranking takes them in.
constexpr std::ptrdiff_t growth_min = 64;
// So many links are looked at before the question comes up whether most of them are of the other kind.
constexpr std::int64_t looked_at_always = 512;

data::Bytes bytes_of(const RankedLink& place) { return data::key(place.value, place.link); }

RankedLink place_of(data::BytesView position) {
    const auto value = data::big_endian(position.substr(0, 8)) ^ (std::uint64_t{1} << 63);
    return {.value = static_cast<std::int64_t>(value), .link = *LinkId::from_bytes(position.substr(8))};
}

} // namespace

Result<data::Bytes> ClickOrder::position(LinkId link) {
    if (ctx_.rankings)
        if (const auto known = ctx_.rankings->find(ctx_.workspace.id, by_, TRY(folded_records(view_))))
            return bytes_of({.value = known->value_of(link).value_or(0), .link = link});
    const auto totals = TRY(clicks_of_link(view_, ctx_.workspace.id, link));
    return bytes_of(
        {.value = by_ == RankedBy::clicks ? totals.clicks : totals.last_click_at.value_or(Timestamp{}).ms,
         .link = link});
}

Result<std::vector<LinkId>> ClickOrder::first(const std::vector<LinkId>& links, bool active,
                                              data::Order direction, const std::optional<data::Bytes>& after,
                                              std::size_t max) {
    const bool forward = direction == data::Order::forward;
    const auto before = [forward](const RankedLink& a, const RankedLink& b) {
        return forward ? a < b : b < a;
    };
    const auto behind = after ? std::optional(place_of(*after)) : std::nullopt;
    Newer newer;
    const auto ranking = TRY(this->ranking(active, newer));
    std::vector<RankedLink> places;
    places.reserve(links.size());
    ClickRanking::Cursor cursor;
    for (const auto& link : links)
        if (const RankedLink place{.value = ranking->value_from(cursor, link).value_or(0), .link = link};
            !behind || before(*behind, place))
            places.push_back(place);
    const auto end = places.begin() + static_cast<std::ptrdiff_t>(std::min(max, places.size()));
    std::ranges::partial_sort(places, end, before);
    std::vector<LinkId> out;
    for (auto place = places.begin(); place != end; ++place)
        out.push_back(place->link);
    return out;
}

Result<ClickOrder::Newer> ClickOrder::links_from(LinkId horizon, bool active) {
    Newer newer;
    for (const bool of_active : {true, false}) {
        const data::Walk walk{.scope = data::key(ctx_.workspace.id, of_active),
                              .from = data::Bytes(horizon.view())};
        TRY(schema().links.by_created.walk(view_, walk, [&](data::BytesView primary) -> Result<bool> {
            newer.all.push_back(*LinkId::from_bytes(primary));
            if (of_active == active)
                newer.wanted.push_back(newer.all.back());
            return true;
        }));
    }
    std::ranges::sort(newer.all);
    return newer;
}

Result<RankingCache::Ranking> ClickOrder::get(LinkId horizon) {
    const auto workspace = ctx_.workspace.id;
    const auto read = [&] { return ClickRanking::read(view_, workspace, by_, horizon); };
    if (ctx_.rankings)
        return ctx_.rankings->get(workspace, by_, TRY(folded_records(view_)), read);
    return std::make_shared<const ClickRanking>(TRY(read()));
}

Result<RankingCache::Ranking> ClickOrder::ranking(bool active, Newer& newer) {
    const auto workspace = ctx_.workspace.id;
    const LinkId horizon(RawId::first_at(Timestamp{ctx_.now.ms - settled_after_ms}));
    const auto links = TRY(schema().links.per_workspace.count(view_, workspace));
    auto ranking = TRY(get(horizon));
    newer = TRY(links_from(ranking->horizon(), active));
    if (ranking->links() + static_cast<std::int64_t>(newer.all.size()) != links) {
        // One came in below the horizon, or this view is older than what the ranking took in.
        if (ctx_.rankings)
            ctx_.rankings->drop(workspace, by_);
        ranking =
            std::make_shared<const ClickRanking>(TRY(ClickRanking::read(view_, workspace, by_, horizon)));
        newer = TRY(links_from(horizon, active));
    }
    const auto settled = std::ranges::lower_bound(newer.all, horizon);
    if (ctx_.rankings && settled - newer.all.begin() >= growth_min)
        ctx_.rankings->replace(workspace, by_, ranking,
                               ranking->grown({newer.all.begin(), settled}, horizon));
    std::erase_if(newer.wanted, [&](LinkId link) { return ranking->value_of(link).has_value(); });
    return ranking;
}

Result<void> ClickOrder::visit(bool active, data::Order direction, const std::optional<data::Bytes>& after,
                               const VisitId& visit) {
    auto behind = after ? std::optional(place_of(*after)) : std::nullopt;
    Newer newer;
    const auto ranking = TRY(this->ranking(active, newer));
    const auto& tally = schema().links.per_workspace;
    const auto wanted = TRY(tally.count(view_, ctx_.workspace.id, active));
    const auto links = TRY(tally.count(view_, ctx_.workspace.id));
    if (wanted * wanted < links) // a walk would look at more rows than are wanted in all
        return visit_sorted(active, direction, behind, *ranking, visit);
    const bool only_wanted = wanted == links;
    std::int64_t room = looked_at_always + wanted / 8;
    bool ended = false;
    TRY(ranking->walk(direction, behind, newer.wanted, [&](const RankedLink& place) -> Result<bool> {
        behind = place;
        ended = !TRY(visit(place.link));
        return !ended && (only_wanted || --room > 0);
    }));
    return ended || room > 0 ? Result<void>() : visit_sorted(active, direction, behind, *ranking, visit);
}

// When the links that are wanted stand behind many that are not, their index says which they are at less cost
// than their rows.
Result<void> ClickOrder::visit_sorted(bool active, data::Order direction,
                                      const std::optional<RankedLink>& after, const ClickRanking& ranking,
                                      const VisitId& visit) {
    const bool forward = direction == data::Order::forward;
    std::vector<RankedLink> places;
    TRY(schema().links.by_created.walk(
        view_, {.scope = data::key(ctx_.workspace.id, active)}, [&](data::BytesView primary) -> Result<bool> {
            const auto link = *LinkId::from_bytes(primary);
            const RankedLink place{.value = ranking.value_of(link).value_or(0), .link = link};
            if (!after || (forward ? place > *after : place < *after))
                places.push_back(place);
            return true;
        }));
    std::ranges::sort(places);
    if (!forward)
        std::ranges::reverse(places);
    for (const auto& place : places)
        if (!TRY(visit(place.link)))
            break;
    return {};
}

} // namespace slashpost

#include "core/schema/click_ranking.h"

#include "core/schema/schema.h"

#include <algorithm>
#include <array>
#include <limits>

namespace slashpost {

namespace {

// Changes are merged into the base when there are more: a walk passes by what they cover, and each fold
// copies them.
std::size_t changes_max(std::size_t base) { return 1024 + base / 16; }

// The ids of all links of the workspace below the horizon, in order.
Result<std::vector<LinkId>> links_below(data::View& view, WorkspaceId workspace, LinkId horizon) {
    std::array<std::vector<LinkId>, 2> ids; // of those that are not active, and of those that are
    for (const bool active : {false, true}) {
        const data::Walk walk{.scope = data::key(workspace, active), .until = data::Bytes(horizon.view())};
        TRY(schema().links.by_created.walk(view, walk, [&](data::BytesView primary) -> Result<bool> {
            ids.at(active ? 1 : 0).push_back(*LinkId::from_bytes(primary));
            return true;
        }));
    }
    std::vector<LinkId> all;
    all.reserve(ids[0].size() + ids[1].size());
    std::ranges::merge(ids[0], ids[1], std::back_inserter(all));
    return all;
}

// Calls `visit(link, value)` for each clicked link, in the order of ids.
template <class Visit>
Result<void> each_value(data::View& view, WorkspaceId workspace, RankedBy by, const Visit& visit) {
    if (by == RankedBy::last_click)
        return each_last_click(view, workspace, [&](LinkId link, Timestamp at) {
            visit(link, at.ms);
            return true;
        });
    return each_clicked_link(view, workspace, [&](LinkId link, std::int64_t clicks) {
        if (clicks > 0)
            visit(link, clicks);
        return true;
    });
}

// Ranked links, of which a part is still to be visited.
struct Sequence {
    std::function<RankedLink(std::size_t)> at;
    std::size_t begin = 0, end = 0;

    void begin_behind(data::Order direction, const RankedLink& after) {
        auto low = begin, high = end; // the first that is not before `after`
        while (low < high) {
            const auto middle = low + (high - low) / 2;
            if (at(middle) < after)
                low = middle + 1;
            else
                high = middle;
        }
        if (direction == data::Order::backward)
            end = low;
        else
            begin = low < end && at(low) == after ? low + 1 : low;
    }
    [[nodiscard]] RankedLink next(data::Order direction) const {
        return at(direction == data::Order::forward ? begin : end - 1);
    }
    void pass(data::Order direction) { direction == data::Order::forward ? ++begin : --end; }
};

} // namespace

RankedLinks::RankedLinks(std::vector<RankedLink> by_link) : by_link_(std::move(by_link)) {
    // Pairs are sorted in less time than places, whose values are elsewhere.
    std::vector<std::pair<std::int64_t, std::uint32_t>> ranks;
    ranks.reserve(by_link_.size());
    for (const auto& entry : by_link_)
        ranks.emplace_back(entry.value, static_cast<std::uint32_t>(ranks.size()));
    std::ranges::sort(ranks);
    by_rank_.reserve(ranks.size());
    for (const auto& rank : ranks)
        by_rank_.push_back(rank.second);
}

RankedLinks RankedLinks::merge(const RankedLinks& base, const RankedLinks& changes) {
    constexpr auto covered = std::numeric_limits<std::uint32_t>::max();
    const auto& a = base.by_link_;
    const auto& b = changes.by_link_;
    RankedLinks out;
    out.by_link_.reserve(a.size() + b.size());
    std::vector<std::uint32_t> places_a(a.size()), places_b(b.size()); // in `out`
    for (std::size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const auto here = static_cast<std::uint32_t>(out.by_link_.size());
        if (k == b.size() || (i < a.size() && a[i].link < b[k].link)) {
            places_a[i] = here;
            out.by_link_.push_back(a[i++]);
            continue;
        }
        if (i < a.size() && a[i].link == b[k].link)
            places_a[i++] = covered;
        places_b[k] = here;
        out.by_link_.push_back(b[k++]);
    }
    out.by_rank_.reserve(out.by_link_.size());
    auto change = changes.by_rank_.begin();
    for (const auto place : base.by_rank_) {
        if (places_a[place] == covered)
            continue;
        for (; change != changes.by_rank_.end() && b[*change] < a[place]; ++change)
            out.by_rank_.push_back(places_b[*change]);
        out.by_rank_.push_back(places_a[place]);
    }
    for (; change != changes.by_rank_.end(); ++change)
        out.by_rank_.push_back(places_b[*change]);
    return out;
}

const RankedLink* RankedLinks::find(LinkId link) const {
    const auto found = std::ranges::lower_bound(by_link_, link, {}, &RankedLink::link);
    return found != by_link_.end() && found->link == link ? &*found : nullptr;
}

const RankedLink* RankedLinks::find_from(std::size_t& from, LinkId link) const {
    auto low = from;
    for (std::size_t step = 1; low < by_link_.size() && by_link_[low].link < link; step *= 2) {
        from = low + 1;
        low += step;
    }
    const auto begin = by_link_.begin();
    const auto end = begin + static_cast<std::ptrdiff_t>(std::min(low + 1, by_link_.size()));
    const auto found =
        std::ranges::lower_bound(begin + static_cast<std::ptrdiff_t>(from), end, link, {}, &RankedLink::link);
    from = static_cast<std::size_t>(found - begin);
    return found != by_link_.end() && found->link == link ? &*found : nullptr;
}

std::size_t RankedLinks::bytes() const {
    return sizeof *this + by_link_.capacity() * sizeof(RankedLink) +
           by_rank_.capacity() * sizeof(by_rank_[0]);
}

Result<ClickRanking> ClickRanking::read(data::View& view, WorkspaceId workspace, RankedBy by,
                                        LinkId horizon) {
    ClickRanking out;
    out.by_ = by;
    out.epoch_ = TRY(folded_records(view));
    out.horizon_ = horizon;
    const auto ids = TRY(links_below(view, workspace, horizon));
    out.links_ = static_cast<std::int64_t>(ids.size());
    std::vector<RankedLink> ranked;
    ranked.reserve(ids.size());
    auto next = ids.begin();
    TRY(each_value(view, workspace, by, [&](LinkId link, std::int64_t value) {
        for (; next != ids.end() && *next < link; ++next)
            ranked.push_back({.value = 0, .link = *next});
        if (next != ids.end() && *next == link)
            ++next;
        ranked.push_back({.value = value, .link = link});
    }));
    for (; next != ids.end(); ++next)
        ranked.push_back({.value = 0, .link = *next});
    out.base_ = std::make_shared<RankedLinks>(std::move(ranked));
    out.changes_ = std::make_shared<RankedLinks>();
    return out;
}

ClickRanking ClickRanking::with(const RankedLinks& changes) const {
    auto out = *this;
    if (changes.size() == 0)
        return out;
    auto all = std::make_shared<RankedLinks>(RankedLinks::merge(*changes_, changes));
    if (all->size() > changes_max(base_->size())) {
        out.base_ = std::make_shared<RankedLinks>(RankedLinks::merge(*base_, *all));
        all = std::make_shared<RankedLinks>();
    }
    out.changes_ = std::move(all);
    return out;
}

ClickRanking ClickRanking::folded(const FoldedClicks& fold, std::span<const FoldedLink> links) const {
    std::vector<RankedLink> changed;
    changed.reserve(links.size());
    Cursor cursor;
    for (const auto& folded : links) {
        const auto before = value_from(cursor, folded.link).value_or(0);
        const auto last = fold.keeps_later ? std::max(before, folded.last.ms) : folded.last.ms;
        changed.push_back(
            {.value = by_ == RankedBy::clicks ? before + folded.clicks : last, .link = folded.link});
    }
    auto out = with(RankedLinks(std::move(changed)));
    out.epoch_ = fold.after;
    return out;
}

ClickRanking ClickRanking::grown(std::span<const LinkId> links, LinkId horizon) const {
    std::vector<RankedLink> unclicked;
    for (const auto& link : links)
        if (!value_of(link))
            unclicked.push_back({.value = 0, .link = link});
    auto out = with(RankedLinks(std::move(unclicked)));
    out.horizon_ = horizon;
    out.links_ += static_cast<std::int64_t>(links.size());
    return out;
}

std::optional<std::int64_t> ClickRanking::value_of(LinkId link) const {
    const auto* found = changes_->find(link);
    if (!found)
        found = base_->find(link);
    return found ? std::optional(found->value) : std::nullopt;
}

std::optional<std::int64_t> ClickRanking::value_from(Cursor& cursor, LinkId link) const {
    const auto* found = changes_->find_from(cursor.in_changes, link);
    if (!found)
        found = base_->find_from(cursor.in_base, link);
    return found ? std::optional(found->value) : std::nullopt;
}

Result<void> ClickRanking::walk(data::Order direction, const std::optional<RankedLink>& after,
                                std::span<const LinkId> others, const Visit& visit) const {
    std::array sequences{
        Sequence{.at = [&](std::size_t i) { return base_->ranked(i); }, .end = base_->size()},
        Sequence{.at = [&](std::size_t i) { return changes_->ranked(i); }, .end = changes_->size()},
        Sequence{.at = [&](std::size_t i) { return RankedLink{.value = 0, .link = others[i]}; },
                 .end = others.size()},
    };
    if (after)
        for (auto& sequence : sequences)
            sequence.begin_behind(direction, *after);
    for (;;) {
        Sequence* nearest = nullptr;
        RankedLink next;
        for (auto& sequence : sequences) {
            if (sequence.begin == sequence.end)
                continue;
            const auto here = sequence.next(direction);
            if (!nearest || (direction == data::Order::forward ? here < next : next < here)) {
                nearest = &sequence;
                next = here;
            }
        }
        if (!nearest)
            return {};
        nearest->pass(direction);
        const bool is_covered = nearest == sequences.data() && changes_->find(next.link);
        if (!is_covered && !TRY(visit(next)))
            return {};
    }
}

std::size_t ClickRanking::bytes_besides(const ClickRanking* other) const {
    return sizeof *this + (other && other->base_ == base_ ? 0 : base_->bytes()) +
           (other && other->changes_ == changes_ ? 0 : changes_->bytes());
}

} // namespace slashpost

#include "core/ops/click_order.h"

#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

using data::Bytes;

namespace {

// So many entries of an order are walked past while the totals of one link are looked up.
constexpr std::int64_t entries_per_lookup = 10;

// The link's place among links in the order of their ids; nothing when it is not there.
std::optional<std::size_t> place_in(const std::vector<std::pair<LinkId, ClickTotals>>& links, LinkId link) {
    const auto found = std::ranges::lower_bound(links, link, {}, [](const auto& one) { return one.first; });
    if (found == links.end() || found->first != link)
        return std::nullopt;
    return static_cast<std::size_t>(found - links.begin());
}

} // namespace

Result<const std::vector<std::pair<LinkId, ClickTotals>>*> ClickOrder::recent() {
    if (!recent_)
        recent_ = TRY(recent_clicks(view_, ctx_.workspace.id));
    return &*recent_;
}

Result<Bytes> ClickOrder::position(LinkId link) {
    auto totals = TRY(settled_clicks_of_link(view_, ctx_.workspace.id, link));
    const auto& links = *TRY(recent());
    if (const auto place = place_in(links, link))
        totals.add(links[*place].second);
    return click_order_place({.value = value_of(by_, totals), .link = link});
}

Result<std::vector<RankedLink>> ClickOrder::rank_recent() {
    const auto workspace = ctx_.workspace.id;
    const auto& links = *TRY(recent());
    std::vector<RankedLink> ranked(links.size());
    const auto rank = [&](std::size_t place, ClickTotals settled) {
        settled.add(links[place].second);
        ranked[place] = {.value = value_of(by_, settled), .link = links[place].first};
    };
    const auto all = TRY(schema().links.per_workspace.count(view_, workspace));
    if (std::ssize(links) * entries_per_lookup <= all) {
        for (std::size_t place = 0; place < links.size(); ++place)
            rank(place, TRY(settled_clicks_of_link(view_, workspace, links[place].first)));
        return ranked;
    }
    TRY(walk_click_order(
        view_, workspace, by_, data::Order::forward, {}, [&](const RankedLink& settled) -> Result<bool> {
            if (const auto place = place_in(links, settled.link))
                rank(*place, by_ == RankedBy::clicks
                                 ? ClickTotals{.clicks = settled.value, .last_click_at = {}}
                                 : ClickTotals{.clicks = 0, .last_click_at = Timestamp{settled.value}});
            return true;
        }));
    return ranked;
}

Result<void> ClickOrder::visit(data::Order direction, const std::optional<Bytes>& after,
                               const VisitId& visit) {
    const bool forward = direction == data::Order::forward;
    const auto before = [forward](const RankedLink& a, const RankedLink& b) {
        return forward ? a < b : b < a;
    };
    auto clicked = TRY(rank_recent()); // the next one last
    if (after)
        std::erase_if(clicked, [&, behind = ranked_at(*after)](const RankedLink& link) {
            return !before(behind, link);
        });
    std::ranges::sort(clicked, [&](const RankedLink& a, const RankedLink& b) { return before(b, a); });

    const auto& links = *TRY(recent());
    bool more = true;
    const auto visit_clicked = [&](const RankedLink* until) -> Result<void> {
        for (; more && !clicked.empty() && (!until || before(clicked.back(), *until)); clicked.pop_back())
            more = TRY(visit(clicked.back().link));
        return {};
    };
    TRY(walk_click_order(view_, ctx_.workspace.id, by_, direction, after,
                         [&](const RankedLink& settled) -> Result<bool> {
                             TRY(visit_clicked(&settled));
                             if (more && !place_in(links, settled.link))
                                 more = TRY(visit(settled.link));
                             return more;
                         }));
    return visit_clicked(nullptr);
}

} // namespace slashpost

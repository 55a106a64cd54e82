#include "core/ops/click_order.h"

#include "core/schema/schema.h"

#include <algorithm>

namespace slashpost {

using data::Bytes;

namespace {

using Clicked = std::pair<LinkId, ClickTotals>;

bool has(const std::vector<Clicked>& links, LinkId link) {
    const auto found = std::ranges::lower_bound(links, link, {}, &Clicked::first);
    return found != links.end() && found->first == link;
}

} // namespace

Result<const std::vector<std::pair<LinkId, ClickTotals>>*> ClickOrder::recent() {
    if (!recent_)
        recent_ = TRY(recent_clicks(view_, ctx_.workspace.id));
    return &*recent_;
}

Result<std::vector<RankedLink>> ClickOrder::rank(const std::vector<LinkId>& links) {
    auto ranked = TRY(rank_settled(view_, ctx_.workspace.id, by_, links));
    auto at = ranked.begin();
    for (const auto& [link, clicked] : *TRY(recent())) {
        at = std::lower_bound(at, ranked.end(), link,
                              [](const RankedLink& one, LinkId id) { return one.link < id; });
        if (at == ranked.end())
            break;
        if (at->link != link)
            continue;
        const auto more = value_of(by_, clicked);
        at->value = by_ == RankedBy::clicks ? at->value + more : std::max(at->value, more);
    }
    return ranked;
}

Result<void> ClickOrder::visit(data::Order direction, const std::optional<Bytes>& after,
                               const VisitId& visit) {
    const bool forward = direction == data::Order::forward;
    const auto before = [forward](const RankedLink& a, const RankedLink& b) {
        return forward ? a < b : b < a;
    };
    const auto& links = *TRY(recent());
    std::vector<LinkId> ids;
    ids.reserve(links.size());
    for (const auto& one : links)
        ids.push_back(one.first);
    auto clicked = TRY(rank(ids)); // the next one last
    if (after)
        std::erase_if(clicked, [&, behind = ranked_at(*after)](const RankedLink& link) {
            return !before(behind, link);
        });
    std::ranges::sort(clicked, [&](const RankedLink& a, const RankedLink& b) { return before(b, a); });

    bool more = true;
    const auto visit_clicked = [&](const RankedLink* until) -> Result<void> {
        for (; more && !clicked.empty() && (!until || before(clicked.back(), *until)); clicked.pop_back())
            more = TRY(visit(clicked.back().link));
        return {};
    };
    TRY(walk_click_order(view_, ctx_.workspace.id, by_, direction, after,
                         [&](const RankedLink& settled) -> Result<bool> {
                             TRY(visit_clicked(&settled));
                             if (more && !has(links, settled.link))
                                 more = TRY(visit(settled.link));
                             return more;
                         }));
    return visit_clicked(nullptr);
}

} // namespace slashpost

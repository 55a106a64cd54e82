#pragma once
// The orders of links by clicks: a page walks through a ranking in memory (core/schema/ranking_cache.h),
// which is exact for the context's view.
#include "core/access/context.h"
#include "core/schema/ranking_cache.h"

namespace slashpost {

class ClickOrder {
  public:
    ClickOrder(const Context& ctx, RankedBy by) : ctx_(ctx), view_(ctx.view()), by_(by) {}

    // The bytes by which links are compared in this order.
    Result<data::Bytes> position(LinkId link);
    // The first `max` of the links, which are given ascending, in this order, those that stand behind the
    // position `after`. `links` are all active, or all not.
    Result<std::vector<LinkId>> first(const std::vector<LinkId>& links, bool active, data::Order direction,
                                      const std::optional<data::Bytes>& after, std::size_t max);
    using VisitId = std::function<Result<bool>(LinkId)>; // false ends
    // Visits links of the workspace in order, behind the position `after`. All that are active, or all that
    // are not; some of the others, too.
    Result<void> visit(bool active, data::Order direction, const std::optional<data::Bytes>& after,
                       const VisitId& visit);

  private:
    // Links that are not in the ranking if they were never clicked, in order.
    struct Newer {
        std::vector<LinkId> all, wanted;
    };
    Result<Newer> links_from(LinkId horizon, bool active);
    // Of the view; `newer` are the links beyond its horizon.
    Result<RankingCache::Ranking> ranking(bool active, Newer& newer);
    Result<RankingCache::Ranking> get(LinkId horizon);
    Result<void> visit_sorted(bool active, data::Order direction, const std::optional<RankedLink>& after,
                              const ClickRanking& ranking, const VisitId& visit);

    const Context& ctx_;
    data::View& view_;
    const RankedBy by_;
};

} // namespace slashpost

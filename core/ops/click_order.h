#pragma once
// The orders of links by clicks, exact for the context's view: what is settled stands in an order on disk
// (core/schema/click_orders.h), and the links that were clicked in the hour that goes on are sorted and
// merged into it.
#include "core/access/context.h"
#include "core/schema/click_orders.h"

namespace slashpost {

class ClickOrder {
  public:
    ClickOrder(const Context& ctx, RankedBy by) : ctx_(ctx), view_(ctx.view()), by_(by) {}

    // The links, which ascend, each with what it is ranked by.
    Result<std::vector<RankedLink>> rank(const std::vector<LinkId>& links);
    using VisitId = std::function<Result<bool>(LinkId)>; // false ends
    // Visits all links of the workspace in order, behind the position `after`, active or not.
    Result<void> visit(data::Order direction, const std::optional<data::Bytes>& after, const VisitId& visit);

  private:
    // Of the hours that go on; read once.
    Result<const std::vector<std::pair<LinkId, ClickTotals>>*> recent();

    const Context& ctx_;
    data::View& view_;
    const RankedBy by_;
    std::optional<std::vector<std::pair<LinkId, ClickTotals>>> recent_;
};

} // namespace slashpost

#include "core/ops/link_lists.h"

#include "core/ops/link_details.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"

namespace slashpost {

Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems) {
    const auto order = read_order(page.order_by, problems);
    const auto last = TRY(read_last(ctx, schema().links, page.last, problems));
    TRY(problems.result("link"));

    LinkQuery query(ctx, filter);
    TRY(query.resolve());
    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (auto& link : TRY(query.page(order, page, last)))
        out.push_back(TRY(neighbours.details(std::move(link))));
    return out;
}

Result<std::int64_t> count_links(Context& ctx, const LinkFilter& filter, const Problems& problems) {
    TRY(problems.result("link"));
    LinkQuery query(ctx, filter);
    TRY(query.resolve());
    return query.count();
}

} // namespace slashpost

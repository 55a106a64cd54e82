#include "core/ops/link_lists.h"

#include "core/ops/link_details.h"
#include "core/ops/link_query.h"

namespace slashpost {

Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems) {
    const auto order = read_order(page.order_by, problems);
    std::optional<Link> last;
    if (!page.last.empty()) {
        if (const auto id = LinkId::parse(page.last))
            last = TRY(schema().links.find(ctx.view(), id->view()));
        if (!last || last->workspace != ctx.workspace.id)
            problems.add(invalid_format("last", "is not the id of a link of this workspace"));
    }
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

#include "core/ops/link_lists.h"

#include "core/ops/link_details.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"

#include <algorithm>

namespace slashpost {

std::vector<LinkFilter> halves_of(const LinkFilter& filter) {
    if (!filter.in_any_state)
        return {filter};
    std::vector<LinkFilter> halves(2, filter);
    halves[0].active = true;
    halves[1].active = false;
    return halves;
}

namespace {

// One page of links that are active or not: the first of both, in their order. Both are read without an
// offset, as it is one over all.
Result<std::vector<Link>> rows_of(Context& ctx, const LinkFilter& filter, LinkOrder order,
                                  const PageRequest& page, const std::optional<Link>& last) {
    if (!filter.in_any_state) {
        LinkQuery query(ctx, filter);
        TRY(query.resolve());
        return query.page(order, page, last);
    }
    auto both = page;
    both.limit += std::exchange(both.offset, 0);
    std::vector<std::pair<data::Bytes, Link>> rows;
    for (const auto& half : halves_of(filter)) {
        LinkQuery query(ctx, half);
        TRY(query.resolve());
        for (auto& link : TRY(query.page(order, both, last))) {
            auto place = TRY(query.position(order, link));
            rows.emplace_back(std::move(place), std::move(link));
        }
    }
    std::ranges::sort(rows, [&](const auto& a, const auto& b) {
        return page.direction == Direction::ascending ? a.first < b.first : b.first < a.first;
    });
    std::vector<Link> out;
    for (std::size_t i = page.offset; i < rows.size() && out.size() < page.limit; ++i)
        out.push_back(std::move(rows[i].second));
    return out;
}

} // namespace

Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems) {
    const auto order = read_order(page.order_by, problems);
    const auto last = TRY(read_last(ctx, schema().links, page.last, problems));
    TRY(problems.result("link"));

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (auto& link : TRY(rows_of(ctx, filter, order, page, last)))
        out.push_back(TRY(neighbours.details(std::move(link))));
    return out;
}

Result<std::int64_t> count_links(Context& ctx, const LinkFilter& filter, const Problems& problems) {
    TRY(problems.result("link"));
    std::int64_t count = 0;
    for (const auto& half : halves_of(filter)) {
        LinkQuery query(ctx, half);
        TRY(query.resolve());
        count += TRY(query.count());
    }
    return count;
}

} // namespace slashpost

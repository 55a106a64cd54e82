#include "core/ops/link_search.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/ops/indexed_search.h"
#include "core/ops/link_details.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"

#include <algorithm>
#include <compare>
#include <queue>

namespace slashpost {

namespace {

using search::Fit;
using Place = FoundPlace; // the less, the earlier

// A destination is searched as it is stored, and as people read it.
bool occurs_in_destination(const FoldedTerm& term, const std::string& destination) {
    return term.in(destination) ||
           (destination.find('%') != destination.npos && term.in(percent_decoded(destination)));
}

std::optional<Place> place_of(const FoldedTerm& term, const Link& link) {
    switch (term.match(link.slashtag)) {
    case FoldedTerm::Match::whole:
        return Place{Fit::slashtag_is, link.id};
    case FoldedTerm::Match::at_begin:
        return Place{Fit::slashtag_begins, link.id};
    case FoldedTerm::Match::inside:
        return Place{Fit::slashtag_contains, link.id};
    case FoldedTerm::Match::none:
        break;
    }
    if (term.in(link.title))
        return Place{Fit::title, link.id};
    if (occurs_in_destination(term, link.destination))
        return Place{Fit::destination, link.id};
    return std::nullopt;
}

// Calls `visit(const Place&)` for each link found, in no order.
template <class Visit>
Result<void> each_found(LinkQuery& query, const FoldedTerm& term, Visit&& visit) {
    return query.each([&](const Link& link) -> Result<bool> {
        if (const auto place = place_of(term, link))
            visit(*place);
        return true;
    });
}

// Without an index, by reading every link that passes the filter. Keeps no more than the places wanted.
Result<std::vector<LinkId>> first_found(LinkQuery& query, const FoldedTerm& term, std::size_t wanted,
                                        const std::optional<Place>& after) {
    std::priority_queue<Place> best; // the last of them on top
    TRY(each_found(query, term, [&](const Place& place) {
        if (after && place <= *after)
            return;
        best.push(place);
        if (best.size() > wanted)
            best.pop();
    }));
    std::vector<LinkId> ids;
    for (; !best.empty(); best.pop())
        ids.push_back(best.top().id);
    std::ranges::reverse(ids);
    return ids;
}

} // namespace

Result<std::vector<LinkDetails>> search_links(Context& ctx, const LinkSearch& search, const PageRequest& page,
                                              Problems problems) {
    const auto last = TRY(read_last(ctx, schema().links, page.last, problems));
    TRY(problems.result("link"));

    const FoldedTerm term(search.term);
    const auto after = last ? place_of(term, *last) : std::nullopt;
    const auto wanted = std::size_t{page.limit} + page.offset;
    LinkQuery query(ctx, search.filter);
    TRY(query.resolve());
    auto indexed = TRY(query.passing());
    const auto ids =
        indexed ? TRY(IndexedSearch(query, std::move(*indexed), fold_case(search.term)).first(wanted, after))
                : TRY(first_found(query, term, wanted, after));

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (std::size_t i = page.offset; i < ids.size(); ++i)
        if (auto link = TRY(schema().links.find(ctx.view(), ids[i].view())))
            out.push_back(TRY(neighbours.details(*std::move(link))));
    return out;
}

Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, const Problems& problems) {
    TRY(problems.result("link"));
    LinkQuery query(ctx, search.filter);
    TRY(query.resolve());
    if (auto indexed = TRY(query.passing()))
        return IndexedSearch(query, std::move(*indexed), fold_case(search.term)).count();
    std::int64_t count = 0;
    TRY(each_found(query, FoldedTerm(search.term), [&](const Place&) { ++count; }));
    return count;
}

} // namespace slashpost

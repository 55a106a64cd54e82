#include "core/ops/link_search.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "core/ops/link_details.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"

#include <algorithm>
#include <compare>
#include <queue>

namespace slashpost {

namespace {

// How well a link matches, best first.
enum class Fit : std::uint8_t { slashtag_is, slashtag_begins, slashtag_contains, title, destination };

// Where a link stands among those found; the less, the earlier.
struct Place {
    Fit fit = Fit::slashtag_is;
    LinkId id;
    std::strong_ordering operator<=>(const Place& other) const {
        return fit != other.fit ? fit <=> other.fit : other.id <=> id;
    }
};

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
Result<void> each_found(Context& ctx, const LinkSearch& search, Visit&& visit) {
    const FoldedTerm term(search.term);
    LinkQuery query(ctx, search.filter);
    TRY(query.resolve());
    return query.each([&](const Link& link) -> Result<bool> {
        if (const auto place = place_of(term, link))
            visit(*place);
        return true;
    });
}

} // namespace

Result<std::vector<LinkDetails>> search_links(Context& ctx, const LinkSearch& search, const PageRequest& page,
                                              Problems problems) {
    const auto last = TRY(read_last(ctx, schema().links, page.last, problems));
    TRY(problems.result("link"));

    const auto after = last ? place_of(FoldedTerm(search.term), *last) : std::nullopt;
    const auto wanted = std::size_t{page.limit} + page.offset;
    std::priority_queue<Place> best; // the last of them on top
    TRY(each_found(ctx, search, [&](const Place& place) {
        if (after && place <= *after)
            return;
        best.push(place);
        if (best.size() > wanted)
            best.pop();
    }));
    std::vector<LinkId> ids; // last first
    for (; best.size() > page.offset; best.pop())
        ids.push_back(best.top().id);

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    out.reserve(ids.size());
    for (auto id = ids.rbegin(); id != ids.rend(); ++id)
        if (auto link = TRY(schema().links.find(ctx.view(), id->view())))
            out.push_back(TRY(neighbours.details(*std::move(link))));
    return out;
}

Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, const Problems& problems) {
    TRY(problems.result("link"));
    std::int64_t count = 0;
    TRY(each_found(ctx, search, [&](const Place&) { ++count; }));
    return count;
}

} // namespace slashpost

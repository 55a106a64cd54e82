#include "core/ops/link_search.h"

#include "core/base/text.h"
#include "core/base/url.h"
#include "core/ops/indexed_search.h"
#include "core/ops/link_details.h"
#include "core/ops/link_query.h"
#include "core/ops/row_lists.h"
#include "core/ops/short_address.h"

#include <algorithm>
#include <compare>
#include <queue>

namespace slashpost {

namespace {

using search::Fit;
using Place = FoundPlace; // the less, the earlier

// A destination is searched as it is stored, and as people read it.
bool occurs_in_destination(const FoldedTerm& term, const std::string& destination) {
    return term.in(destination) || term.in(readable_address(destination));
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

// The newest link that passes and has this short address, of which there is one unless they are deleted.
Result<std::optional<Link>> find_addressed(Context& ctx, LinkQuery& query, std::string_view term) {
    std::optional<Link> found;
    const auto address = TRY(read_short_address(ctx.view(), term));
    if (!address)
        return found;
    TRY(query.each_called(fold_case(address->slashtag_key), std::nullopt, [&](Link link) -> Result<bool> {
        if (link.domain == address->domain && link.slashtag_key == address->slashtag_key)
            found = std::move(link);
        return !found;
    }));
    return found;
}

class Search {
  public:
    Search(Context& ctx, const LinkSearch& search)
        : ctx_(ctx),
          term_(search.term),
          query_(ctx, search.filter) {}

    // Call once, first.
    Result<void> begin(std::string_view term) {
        TRY(query_.resolve());
        addressed_ = TRY(find_addressed(ctx_, query_, term));
        indexed_ = TRY(query_.passing());
        return {};
    }

    // The first `wanted` behind `last`, in order.
    Result<std::vector<LinkId>> first(std::size_t wanted, const std::optional<Link>& last) {
        std::vector<LinkId> out;
        if (addressed_ && !last)
            out.push_back(addressed_->id);
        const auto after = last && !is_addressed(last->id) ? place_of(term_, *last) : std::nullopt;
        for (const auto& id : TRY(first_by_text(wanted + 1, after))) // one more, as one may be there already
            if (!is_addressed(id))
                out.push_back(id);
        out.resize(std::min(out.size(), wanted));
        return out;
    }

    Result<std::int64_t> count() {
        std::int64_t count = addressed_ && !place_of(term_, *addressed_) ? 1 : 0;
        if (indexed_)
            return count + TRY(IndexedSearch(query_, *std::move(indexed_), term_.form()).count());
        TRY(each_found(query_, term_, [&](const Place&) { ++count; }));
        return count;
    }

  private:
    [[nodiscard]] bool is_addressed(LinkId id) const { return addressed_ && addressed_->id == id; }
    Result<std::vector<LinkId>> first_by_text(std::size_t wanted, const std::optional<Place>& after) {
        if (indexed_)
            return IndexedSearch(query_, *std::move(indexed_), term_.form()).first(wanted, after);
        return first_found(query_, term_, wanted, after);
    }

    Context& ctx_;
    FoldedTerm term_;
    LinkQuery query_;
    std::optional<Link> addressed_; // the term is its short address
    std::optional<PassingLinks> indexed_;
};

// Of what is left when what is blank around it is gone.
void check_term(std::string_view term, Problems& problems) {
    if (count_code_points(without_blanks(term)) < search_term_min &&
        count_code_points(term) >= search_term_min)
        problems.add(invalid_length("term", search_term_min, search_term_max));
}

} // namespace

Result<std::vector<LinkDetails>> search_links(Context& ctx, const LinkSearch& search, const PageRequest& page,
                                              Problems problems) {
    const auto last = TRY(read_last(ctx, schema().links, page.last, problems));
    check_term(search.term, problems);
    TRY(problems.result("link"));

    Search links(ctx, search);
    TRY(links.begin(search.term));
    const auto ids = TRY(links.first(std::size_t{page.limit} + page.offset, last));

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (std::size_t i = page.offset; i < ids.size(); ++i)
        if (auto link = TRY(schema().links.find(ctx.view(), ids[i].view())))
            out.push_back(TRY(neighbours.details(*std::move(link))));
    return out;
}

Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, Problems problems) {
    check_term(search.term, problems);
    TRY(problems.result("link"));
    Search links(ctx, search);
    TRY(links.begin(search.term));
    return links.count();
}

} // namespace slashpost

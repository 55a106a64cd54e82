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
#include <deque>
#include <queue>

namespace slashpost {

namespace {

using search::Fit;
using Rank = SearchRank; // the less, the earlier

// A destination is searched as it is stored, and as people read it.
bool occurs_in_destination(const FoldedTerm& term, const std::string& destination) {
    return term.in(destination) || term.in(readable_address(destination));
}

std::optional<Rank> place_of(const FoldedTerm& term, const Link& link) {
    switch (term.match(link.slashtag)) {
    case FoldedTerm::Match::whole:
        return Rank{Fit::slashtag_is, link.id};
    case FoldedTerm::Match::at_begin:
        return Rank{Fit::slashtag_begins, link.id};
    case FoldedTerm::Match::inside:
        return Rank{Fit::slashtag_contains, link.id};
    case FoldedTerm::Match::none:
        break;
    }
    if (term.in(link.title))
        return Rank{Fit::title, link.id};
    if (occurs_in_destination(term, link.destination))
        return Rank{Fit::destination, link.id};
    return std::nullopt;
}

// Calls `visit(const Rank&)` for each link found, in no order.
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
                                        const std::optional<Rank>& after) {
    std::priority_queue<Rank> best; // the last of them on top
    TRY(each_found(query, term, [&](const Rank& place) {
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
    if (found)
        return found;
    auto holder = TRY(
        schema().links.find_by(schema().links.short_url, ctx.view(), address->domain, address->slashtag_key));
    if (holder && TRY(query.passes(*holder))) // by one of its other slashtags
        found = std::move(holder);
    return found;
}

// The search among links that are active, or among the others.
class Search {
  public:
    // Both outlive it.
    Search(Context& ctx, const FoldedTerm& term, const LinkFilter& filter)
        : ctx_(ctx),
          term_(term),
          query_(ctx, filter) {}

    // Call once, first. `term` as given.
    Result<void> begin(std::string_view term) {
        TRY(query_.resolve());
        addressed_ = TRY(find_addressed(ctx_, query_, term));
        indexed_ = TRY(query_.passing());
        return {};
    }

    // Nothing for a link that is not found.
    [[nodiscard]] std::optional<Rank> place(const Link& link) const {
        return is_addressed(link.id) ? Rank{Fit::address_is, link.id} : place_of(term_, link);
    }

    // The first `wanted` behind `after`, in order.
    Result<std::vector<LinkId>> first(std::size_t wanted, const std::optional<Rank>& after) {
        std::vector<LinkId> out;
        if (addressed_ && (!after || *after < Rank{Fit::address_is, addressed_->id}))
            out.push_back(addressed_->id);
        const auto behind = after && after->fit != Fit::address_is ? after : std::nullopt;
        for (const auto& id : TRY(first_by_text(wanted + 1, behind))) // one more, as one may be there already
            if (!is_addressed(id))
                out.push_back(id);
        out.resize(std::min(out.size(), wanted));
        return out;
    }

    Result<std::int64_t> count() {
        std::int64_t count = addressed_ && !place_of(term_, *addressed_) ? 1 : 0;
        if (indexed_)
            return count + TRY(IndexedSearch(query_, *std::move(indexed_), term_.form()).count());
        TRY(each_found(query_, term_, [&](const Rank&) { ++count; }));
        return count;
    }

  private:
    [[nodiscard]] bool is_addressed(LinkId id) const { return addressed_ && addressed_->id == id; }
    Result<std::vector<LinkId>> first_by_text(std::size_t wanted, const std::optional<Rank>& after) {
        if (indexed_)
            return IndexedSearch(query_, *std::move(indexed_), term_.form()).first(wanted, after);
        return first_found(query_, term_, wanted, after);
    }

    Context& ctx_;
    const FoldedTerm& term_;
    LinkQuery query_;
    std::optional<Link> addressed_; // the term is its short address
    std::optional<PassingLinks> indexed_;
};

// In the order in which both sides of a filter are found.
Result<std::vector<Link>> found_in_both(Context& ctx, std::deque<Search>& halves, std::size_t wanted,
                                        const std::optional<Rank>& after) {
    std::vector<std::pair<Rank, Link>> found;
    for (auto& half : halves)
        for (const auto& id : TRY(half.first(wanted, after)))
            if (auto link = TRY(schema().links.find(ctx.view(), id.view())))
                if (const auto place = half.place(*link))
                    found.emplace_back(*place, *std::move(link));
    std::ranges::sort(found, {}, &std::pair<Rank, Link>::first);
    std::vector<Link> out;
    out.reserve(found.size());
    for (auto& [place, link] : found)
        out.push_back(std::move(link));
    return out;
}

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

    const FoldedTerm term(search.term);
    const auto filters = halves_of(search.filter);
    std::deque<Search> halves;
    std::optional<Rank> after;
    for (const auto& filter : filters) {
        TRY(halves.emplace_back(ctx, term, filter).begin(search.term));
        if (const auto place = last ? halves.back().place(*last) : std::nullopt;
            place && (!after || place < after))
            after = place;
    }
    const auto wanted = std::size_t{page.limit} + page.offset;
    std::vector<Link> found;
    if (halves.size() == 1) { // so the offset is passed over without a look at rows
        const auto ids = TRY(halves.front().first(wanted, after));
        for (std::size_t i = page.offset; i < ids.size(); ++i)
            if (auto link = TRY(schema().links.find(ctx.view(), ids[i].view())))
                found.push_back(*std::move(link));
    } else {
        found = TRY(found_in_both(ctx, halves, wanted, after));
        found.erase(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min<std::size_t>(page.offset, found.size())));
    }

    LinkNeighbours neighbours(ctx);
    std::vector<LinkDetails> out;
    for (std::size_t i = 0; i < found.size() && i < page.limit; ++i)
        out.push_back(TRY(neighbours.details(std::move(found[i]))));
    return out;
}

Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, Problems problems) {
    check_term(search.term, problems);
    TRY(problems.result("link"));
    const FoldedTerm term(search.term);
    std::int64_t count = 0;
    for (const auto& filter : halves_of(search.filter)) {
        Search half(ctx, term, filter);
        TRY(half.begin(search.term));
        count += TRY(half.count());
    }
    return count;
}

} // namespace slashpost

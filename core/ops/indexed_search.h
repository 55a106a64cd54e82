#pragma once
// Search by the index of a workspace (core/search): which links may hold a term is known from postings, and
// their folded texts tell whether they do. A page is read off the best candidates first, so it costs little
// even where most links hold the term.
#include "core/ops/link_query.h"

namespace slashpost {

// Where a link stands among those found; the less, the earlier.
struct SearchRank {
    search::Fit fit = search::Fit::slashtag_is;
    LinkId id;
    std::strong_ordering operator<=>(const SearchRank& other) const {
        return fit != other.fit ? fit <=> other.fit : other.id <=> id;
    }
    bool operator==(const SearchRank&) const = default;
};

class IndexedSearch {
  public:
    // `term` is in the form of search_form. The query is resolved, and what it passed is `found`.
    IndexedSearch(LinkQuery& query, PassingLinks found, std::string term);

    Result<std::int64_t> count();
    // The first `wanted` behind `after`, in order.
    Result<std::vector<LinkId>> first(std::size_t wanted, const std::optional<SearchRank>& after);

  private:
    using Candidates = search::Reader::Candidates;
    Result<std::vector<LinkId>> first_of_all(const search::DocumentSet& candidates, std::size_t wanted,
                                             const std::optional<SearchRank>& after);
    Result<void> add_of_fit(search::Fit fit, const search::DocumentSet& candidates,
                            const std::optional<LinkId>& after, std::size_t wanted, std::vector<LinkId>& out);
    Result<std::optional<search::Fit>> fit_of(const Link& link) const;

    LinkQuery& query_;
    PassingLinks found_;
    std::string term_;
    bool has_parts_; // the index knows parts of the term
};

} // namespace slashpost

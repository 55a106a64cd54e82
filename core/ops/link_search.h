#pragma once
// Search for links (interface 4.1, wire "Lists"): those in which a term occurs, ignoring case and accents,
// best first. In this order: the term is the link's short address; the slashtag is the term, begins with it,
// contains it; the title contains it; the destination does, as stored or as people read it. Among equals the
// newest first.
//
// A workspace of some size has an index for it (core/search); a small one, or one of which very much was just
// written, is searched by reading every link that passes the filter. The result is exact either way, and what
// is remembered meanwhile of links is no more than the places of one page and its offset.
#include "core/ops/link_lists.h"

namespace slashpost {

inline constexpr std::size_t search_term_min = 2, search_term_max = 255; // in characters

struct LinkSearch {
    std::string term;
    LinkFilter filter;
};

// Of the page only limit, offset and `last` count. A link named by `last` in which the term does not occur
// any more has no place: the search begins anew, so that nothing is missed. Fails as invalid on `last` when
// it names nothing.
Result<std::vector<LinkDetails>> search_links(Context& ctx, const LinkSearch& search, const PageRequest& page,
                                              Problems problems = {});
Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, Problems problems = {});

} // namespace slashpost

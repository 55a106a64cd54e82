#pragma once
// Search for links (interface 4.1, wire "Lists"): those in which a term occurs, ignoring case, best first. In
// this order: the slashtag is the term, begins with it, contains it; the title contains it; the destination
// does. Among equals the newest first.
//
// A workspace of some size has an index for it (core/search); a small one, or one of which very much was just
// written, is searched by reading every link that passes the filter. The result is exact either way, and what
// is remembered meanwhile of links is no more than the places of one page and its offset.
#include "core/ops/link_lists.h"

namespace slashpost {

struct LinkSearch {
    std::string term;
    LinkFilter filter;
};

// Of the page only limit, offset and `last` count. A link named by `last` in which the term does not occur
// any more has no place: the search begins anew, so that nothing is missed. Fails as invalid on `last` when
// it names nothing.
Result<std::vector<LinkDetails>> search_links(Context& ctx, const LinkSearch& search, const PageRequest& page,
                                              Problems problems = {});
Result<std::int64_t> count_found_links(Context& ctx, const LinkSearch& search, const Problems& problems = {});

} // namespace slashpost

#pragma once
// Lists and counts of links (wire "Lists"). Pages are complete and exact whatever the filters, and counts
// are true at the second.
#include "core/base/page.h"
#include "core/ops/links.h"

#include <span>

namespace slashpost {

struct LinkFilter {
    std::vector<DomainId> domains;         // any of these; empty: all
    std::vector<std::string> domain_names; // any of these full names, or ids; empty: all
    std::string slashtag;                  // exact, by the domain's case rule; empty: all
    std::vector<AccountId> creators;       // any of these; empty: all
    std::vector<TagId> tags;               // any of these; empty: all
    std::optional<bool> favourite;
    bool active = true;                     // false: expired, paused and deleted ones
    bool in_any_state = false;              // whatever `active` says
    std::optional<Timestamp> created_from;  // inclusive
    std::optional<Timestamp> created_until; // exclusive
};

// Filters that say which of both: of links that are active, and of the others, or only one of them. No link
// passes two.
std::vector<LinkFilter> halves_of(const LinkFilter& filter);

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> link_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems = {});
Result<std::int64_t> count_links(Context& ctx, const LinkFilter& filter, const Problems& problems = {});

} // namespace slashpost

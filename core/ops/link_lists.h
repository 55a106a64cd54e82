#pragma once
// Lists and counts of links (wire "Lists"). Pages are complete and exact whatever the filters, and counts
// are true at the second.
#include "core/base/page.h"
#include "core/ops/links.h"

#include <span>

namespace slashpost {

struct LinkFilter {
    std::vector<DomainId> domains;   // any of these; empty: all
    std::string domain_name;         // exact full name; empty: all
    std::string slashtag;            // exact, by the domain's case rule; empty: all
    std::vector<AccountId> creators; // any of these; empty: all
    std::vector<TagId> tags;         // any of these; empty: all
    std::optional<bool> favourite;
    bool active = true;                     // false: expired, paused and deleted ones
    std::optional<Timestamp> created_from;  // inclusive
    std::optional<Timestamp> created_until; // exclusive
};

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> link_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<LinkDetails>> list_links(Context& ctx, const LinkFilter& filter, const PageRequest& page,
                                            Problems problems = {});
Result<std::int64_t> count_links(Context& ctx, const LinkFilter& filter, const Problems& problems = {});

} // namespace slashpost

#pragma once
// What the operations on the parts of a link share (interface 4.1, 4.2, 4.6; wire "Parts of a link").
//
// Links come from their door under the guard of a route, so their state was looked at. A guest may change
// only links it made. A change of the parts is a change of the link: its updated_at says so.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/link.h"
#include "core/model/link_parts.h"
#include "core/ops/destinations.h"

namespace slashpost {

// Of routing rules, and of rotator rules; so that all fit into one page.
inline constexpr std::size_t rules_per_link_max = 50;
// What a visit may have to look at is bounded, so that it takes less than a tenth of a millisecond:
// the row of parts as stored, the values of all conditions of a link's rules, and the time zones in them.
inline constexpr std::size_t link_parts_bytes_max = std::size_t{128} * 1024;
inline constexpr std::size_t condition_values_per_link_max = 500;
inline constexpr std::size_t time_zones_per_link_max = 10;

// The one place where parts are written, and where what visitors need of them is compiled. `parts` are
// those of the link, changed. Refused with LimitReached above one of the bounds, unless the link was above it
// before, when more was allowed, and is no further now.
Result<void> store_parts(Context& ctx, const Link& link, const LinkParts& parts);

// For a link that gets another address, or begins to pass paths on: adds a problem on `property`, which says
// so, when a destination among its parts leads back to it, or takes no path. `destinations` are those of the
// link.
Result<void> check_part_destinations(Context& ctx, const Link& link, DestinationCheck& destinations,
                                     Problems& problems, std::string_view property = "slashtag");

} // namespace slashpost

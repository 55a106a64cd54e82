#pragma once
// Several links made or deleted by one call: all of them or none, in the call's one transaction (wire
// "Link").
//
// Each item is treated as it would be alone, one after another, so what an item claims is taken for those
// behind it. Then all that was wrong is told at once: FieldErrors name the item ("[3].slashtag"), and the
// kind of the error is the first in the wire's order of checks: what does not exist, what may not be, what is
// not valid.
#include "core/ops/links.h"

#include <cstddef>

namespace slashpost {

// Links in calls whose maximum the interface leaves open (4.1: PUT; wire: DELETE).
inline constexpr std::size_t batch_links_max = 100;

struct LinkDraft {
    NewLink link;
    Problems problems; // that reading it found, as for create_link
};

// In the order of `drafts`, of which there are 1 to `count_max`. LimitReached if the plan does not include
// all.
Result<std::vector<LinkDetails>> create_links(Context& ctx, const std::vector<LinkDraft>& drafts,
                                              std::size_t count_max);

// Deletes each of 1 to batch_links_max links, `ids` as sent, and answers how many are deleted now and were
// not before: one that is named twice counts once. Each must be there, if only deleted, and the caller's to
// change.
Result<std::int64_t> delete_links(Context& ctx, const std::vector<std::string>& ids);

} // namespace slashpost

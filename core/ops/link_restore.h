#pragma once
// Putting a link back as it was before something happened to it (core/model/event.h).
#include "core/ops/links.h"

namespace slashpost {

// How many events may lie between then and now.
inline constexpr std::size_t restore_events_max = 1'000;

// Makes the link, a deleted one too, what it was before the event of its history with this id: its address,
// its destination, its fields, its rules and other parts; tags and scripts as far as they are still there.
// `link` comes from its door. What is put back is judged as if somebody changed the link to it now, and
// refused as that would be, among others because the address is somebody else's by now, or the external id
// another link's. Invalid on `event`
// for what is no event of the link, or made it.
Result<LinkDetails> restore_link(Context& ctx, const Link& link, std::string_view id, Problems problems = {});

} // namespace slashpost

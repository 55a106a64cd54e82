#pragma once
// Removes hours of statistics that are over 90 days old (core/schema/rollups.h); days stay.
//
// Once a day it walks from subject to subject: a subject's hours lie together, oldest first, so it looks at
// one row of those that are young and reads none of the others. Where it has come is stored with what it
// erased, so a walk that was cut off goes on.
//
//   space::meta   "rollups.pruned" -> day (4 bytes) of the walk, first key it has not looked at; no key: done
#include "core/access/context.h"

namespace slashpost {

inline constexpr std::uint32_t hours_kept_days = 90;

// One bounded batch; true when today's walk has not ended.
Result<bool> prune_hours(SystemContext& system);

} // namespace slashpost

#pragma once
// Moves hours of statistics that are over to where they stay (core/schema/recent_rollups.h).
#include "core/access/context.h"

namespace slashpost {

// One bounded batch; true when more hours may wait. An hour is over a minute after its end, when its clicks
// have been folded.
Result<bool> close_hours(SystemContext& system);

} // namespace slashpost

#pragma once
// Removes what is too old to be kept. Hours of statistics go after 90 days, or sooner, and days of statistics
// and deleted links after as many days as the operator says, if at all (Settings).
//
// Once a day each walk goes from subject to subject, or from link to link. A subject's hours lie together,
// oldest first, and so do its days, so it looks at one row of those that are young and reads none of the
// others. Where it has come is stored with what it erased, so a walk that was cut off goes on.
//
//   space::meta   "rollups.pruned" -> day (4 bytes) of the walk, first key it has not looked at; no key: done
//                 "links.pruned"   -> day (4 bytes) of the walk, last link it has looked at; 16 times ff:
//                 done
#include "core/access/context.h"

namespace slashpost {

// One bounded batch; true when today's walk has not ended.
Result<bool> prune_statistics(SystemContext& system);

// The same of links: erases those that were deleted long ago, with all that was counted of them. Nobody is
// told, as the deletion was told.
Result<bool> prune_deleted_links(SystemContext& system);

} // namespace slashpost

#pragma once
// Makes what was counted of a link nothing, as if it had just been made. What its clicks added to its tags,
// its domain and its workspace stays there: they were clicks all the same.
//
// One bounded transaction takes away the totals, what hours that go on have, and the last two days; so from
// its commit on the link shows none. Older days and hours, which nothing is added to any more, are erased by
// a job.
#include "core/access/context.h"
#include "core/model/link.h"
#include "core/model/work.h"

namespace slashpost {

// `link` is the row as stored. A click that was not folded yet counts afterwards.
Result<void> reset_statistics(SystemContext& system, const Link& link);

// Of the job: one bounded batch; true when nothing is left.
Result<bool> erase_old_statistics(SystemContext& system, const Job& job);

} // namespace slashpost

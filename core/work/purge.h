#pragma once
// Empties a workspace that was deleted, some hundred rows at a time: its links first, then what was shared
// with it or made for its links.
//
// The workspace was marked as deleted in the transaction that made the job. Nobody can enter it since, and
// entering reads its row, so nothing new comes into it. Its row and its members' stay: deleted links and
// cursors name them.
#include "core/access/context.h"
#include "core/model/work.h"

namespace slashpost {

// One batch; true when nothing is left. `job.subject` is the last expired link that was looked at.
Result<bool> purge_workspace(SystemContext& system, const Job& job);

} // namespace slashpost

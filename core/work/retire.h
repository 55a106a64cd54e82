#pragma once
// Deletes the links that a workspace has on a domain, some hundred at a time, when the domain's owner has
// taken it away from the workspace and says so.
//
// The workspace's row names the domain from the transaction on that makes the job, until the last batch. By
// that, visitors get what a deleted link gives (core/redirect/directory.h), callers find no such link
// (core/access/doors.h), and the domain is not shared with the workspace again; so no link comes behind the
// job's back. Only lists and counts of the workspace's links follow with the batches.
#include "core/access/context.h"
#include "core/model/work.h"

namespace slashpost {

// Part of the transaction that ends the sharing. Does nothing when it is under way already.
Result<void> begin_to_retire(SystemContext& system, DomainId domain, WorkspaceId workspace);

// One batch; true when nothing is left. `job.done` is the key of the last short address that was looked at.
Result<bool> retire_links(SystemContext& system, const Job& job);

} // namespace slashpost

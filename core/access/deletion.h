#pragma once
// What it means for a link to be deleted, whoever deletes it: a caller, or the purge of its workspace.
#include "core/access/context.h"
#include "core/model/link.h"

namespace slashpost {

// Remembers that the link's workspace gave up its address, for the quarantine.
Result<void> release_slashtag(const Desk& desk, const Link& link);

// Deletes the link softly: it stops redirecting, its slashtag is free and its parts go (interface 3.1).
// `link` is the row as stored and not deleted yet. Answers the row as it is then.
Result<Link> retire_link(const Desk& desk, const Link& link);

} // namespace slashpost

#pragma once
// The one way in which links' rows are written, whoever does it: a caller, the service, a purge. With the
// commit the redirect path forgets what it knew of the addresses.
#include "core/access/context.h"
#include "core/model/link.h"

namespace slashpost {

Result<void> insert_link(const SystemContext& system, const Link& link);
// `was` is the row as stored.
Result<void> change_link(const SystemContext& system, const Link& was, const Link& now);

// What is remembered of one of the link's addresses when its workspace gives it up now.
ReleasedSlashtag released_by(const Link& link, std::string_view slashtag_key, Timestamp now,
                             const Settings& settings);
// Remembers that, for the quarantine.
Result<void> release_slashtag(const SystemContext& system, const Link& link, std::string_view slashtag_key);

// Deletes the link softly: it stops redirecting, its slashtags are free and its parts go (interface 3.1).
// `link` is the row as stored and not deleted yet. Answers the row as it is then.
Result<Link> retire_link(const SystemContext& system, const Link& link);

} // namespace slashpost

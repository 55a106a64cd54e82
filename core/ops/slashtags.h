#pragma once
// Slashtags: what they may be, which are taken, and new ones that nobody can guess (wire "Link").
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/model/domain.h"
#include "core/model/link.h"

namespace slashpost {

// A slashtag as it is stored and shown: of letters that Unicode can spell in several ways, the usual one.
std::string shown_slashtag(std::string_view given);

// What a slashtag is unique by on its domain.
std::string slashtag_key(const Domain& domain, std::string_view slashtag);

// Adds a problem on `slashtag`, as it is shown, when it has characters that the domain does not allow, breaks
// the domain's lengths, which count characters, takes more than slashtag_length_limit bytes, or is reserved.
void check_slashtag(const Domain& domain, std::string_view slashtag, Problems& problems);

// What keeps the workspace from taking the slashtag now, as a problem of `slashtag`: another link holds it,
// or another owner gave it up and its quarantine is not over. No quarantine keeps owners of workspaces from
// what any of theirs gave up, nor the domain's owner from its own addresses. A link of a deleted workspace,
// or of one that the domain was taken from with its links, has given its slashtag up, whether or not its row
// says so yet.
Result<std::optional<FieldError>> slashtag_is_taken(Context& ctx, const Domain& domain,
                                                    std::string_view slashtag_key);

// A free slashtag of lower-case letters and digits without look-alikes, as short as keeps the odds of a
// collision below 1 in 1,000, at least 5 (or what the domain allows), without reserved or blocked words.
// Refused with LimitReached when none can be found.
Result<std::string> generate_slashtag(Context& ctx, const Domain& domain);

// To be called when a link takes an address that is not taken, before it is written. Forgets that it was
// given up (core/access/link_rows.h), and deletes the link that has done so without its row saying so yet.
Result<void> claim_slashtag(Context& ctx, const Link& link, std::string_view slashtag_key);

} // namespace slashpost

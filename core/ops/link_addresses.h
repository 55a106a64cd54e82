#pragma once
// Where a link is found: its domain, its slashtag and its other ones there (interface 2.1, wire "Link").
#include "core/ops/links.h"

namespace slashpost {

// Fails as not found (source domain) for one that is absent or not shared.
Result<Domain> choose_domain(Context& ctx, const DomainChoice& choice);
// What a revoked domain blocks (interface 3.3), whatever the call is that asks for it.
Result<void> need_in_force(const Domain& domain);
// A link may come to a domain that is verified, active and in force (interface 3.3).
Result<void> admit_domain(const Domain& domain, Problems& problems);

// Checks a slashtag that a caller chose for the link `was`, or a new one (null). What that has is free for
// it.
Result<void> check_chosen_slashtag(Context& ctx, const Domain& domain, const Link* was,
                                   const std::string& slashtag, Problems& problems);
// Other slashtags of such a link, beside its own, which has that key; problems have the names aliases[0] and
// so on.
Result<std::vector<LinkAlias>> read_aliases(Context& ctx, const Domain& domain, const Link* was,
                                            std::string_view own_key, const std::vector<std::string>& given,
                                            Problems& problems);
// The addresses of a changed link: where it moves, and under which slashtags. `link` is as it is stored, and
// `domain` is its.
Result<void> change_address(Context& ctx, const LinkChange& change, Link& link, Domain& domain,
                            Problems& problems);
// Takes what is new of the link's addresses, and gives up what it has no longer. `was`: null when it had
// none.
Result<void> claim_addresses(Context& ctx, const Link* was, const Link& now);

} // namespace slashpost

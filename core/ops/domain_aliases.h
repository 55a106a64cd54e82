#pragma once
// Further names of a domain, under which visitors find the same links (wire "Domains").
//
// A name is proved as the domain's first one is: by a TXT record of its own, which names the same
// registration. "www." before a name that is verified needs no proof, as who has a name has those below it.
// Until a name is verified nobody is answered under it, and until then others may have it, too.
#include "core/ops/account_domains.h"

namespace slashpost {

// Carries out what `change` says about further names. Adds a problem on "aliases[1]" for one that is no name
// of a host, is there twice, is the dashboard's, is a name of another domain, or is where the domain itself
// leads to.
Result<void> change_aliases(SystemContext& system, const DomainChange& change, Domain& domain,
                            Problems& problems);

// Null when the domain has no further name like this, in any spelling.
[[nodiscard]] const DomainAlias* find_alias(const Domain& domain, std::string_view name);

// Verifies the further name when its record is among `texts`, those found at the record's name. Fails as
// verify_domain does, and as invalid with NotVerified while the domain itself is not verified.
Result<Domain> verify_alias(Context& ctx, const Domain& domain, const DomainAlias& alias,
                            std::span<const std::string> texts);

} // namespace slashpost

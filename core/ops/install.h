#pragma once
// The first start of an installation: what a newcomer needs to make a link within a minute.
#include "core/ops/accounts.h"
#include "core/ops/domains.h"

namespace slashpost {

struct Installed {
    Account account;
    Domain domain;
    IssuedKey key;
};

// In a store without accounts: an account "admin" with its default workspace, a verified service domain of
// the name given, shared with it and the default for links that name none, and a key. Refused with Conflict
// in any other store.
Result<Installed> install(SystemContext& system, std::string_view domain_name);

} // namespace slashpost

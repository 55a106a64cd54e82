#include "core/ops/installation.h"

#include "core/base/errors.h"
#include "core/schema/store.h"

namespace slashpost {

Result<Installation> install(Desk& desk, std::string_view domain_name) {
    if (!TRY(store_is_empty(desk.txn)))
        return refused("Conflict", "store", "This installation has accounts already.");
    Installation made;
    made.domain = TRY(add_domain(desk, {.full_name = std::string(domain_name), .verified = true}));
    TRY(set_default_domain(desk.txn, made.domain.id));
    made.account = TRY(create_account(desk, {.username = "admin", .full_name = "Administrator"}));
    made.key = TRY(create_key(desk, made.account, "First key"));
    return made;
}

} // namespace slashpost

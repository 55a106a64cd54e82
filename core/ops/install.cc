#include "core/ops/install.h"

#include "core/base/errors.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

namespace slashpost {

Result<Installed> install(SystemContext& system, std::string_view domain_name) {
    if (!TRY(store_is_empty(system.txn)))
        return refused("Conflict", "store", "This installation has accounts already.");
    Installed made;
    made.domain = TRY(add_domain(system, {.full_name = std::string(domain_name), .verified = true}));
    TRY(set_default_domain(system.txn, made.domain.id));
    made.account = TRY(create_account(system, {.username = "admin", .full_name = "Administrator"}));
    const auto plain = made.account;
    made.account.is_operator = true;
    TRY(schema().accounts.update(system.txn, plain, made.account));
    made.key = TRY(create_key(system, made.account, "First key"));
    return made;
}

} // namespace slashpost

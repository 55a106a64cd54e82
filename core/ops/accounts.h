#pragma once
// Accounts and their API keys, made and managed by the operator.
#include "core/access/context.h"

namespace slashpost {

struct NewAccount {
    std::string username; // 1 to 255 characters; unique, ignoring case
    std::string email;
    std::string full_name;
};

// The account, its default workspace ("Main workspace", classic) with it as owner, and the installation's
// default domain shared with that, when there is one. Fails as invalid.
Result<Account> create_account(SystemContext& system, const NewAccount& in);
// Fails as not found. `name` is a username or an account's id.
Result<Account> find_account(data::View& view, std::string_view name);
// In the order of creation.
Result<std::vector<Account>> list_accounts(data::View& view);

// At most two of those that have the e-mail address, ignoring case: nobody has proved that an address is
// theirs alone.
Result<std::vector<Account>> accounts_with_email(data::View& view, std::string_view email);

struct IssuedKey {
    ApiKey row;
    std::string key; // shown to its owner once and never stored
};

Result<IssuedKey> create_key(SystemContext& system, const Account& account, std::string_view name,
                             const KeyLimits& limits = {});
Result<std::vector<ApiKey>> list_keys(data::View& view, AccountId account);
// From the commit on the key is refused. Fails as not found.
Result<ApiKey> revoke_key(SystemContext& system, std::string_view key_id);

} // namespace slashpost

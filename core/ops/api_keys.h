#pragma once
// The API keys of the caller's account, as it makes and revokes them itself. The operator's are in
// accounts.h.
#include "core/base/errors.h"
#include "core/ops/accounts.h"

namespace slashpost {

inline constexpr std::size_t keys_per_account_max = 50;

struct NewKey {
    std::string name; // what it is for; may be empty
    KeyLimits limits; // the workspace is one that the account works in
};

// In the order of creation.
Result<std::vector<ApiKey>> list_own_keys(Context& ctx);
// Fails as invalid; is refused with LimitReached for one key too many. Who calls with a key that has an end
// makes none that is good for longer; keys with other limits make none (Guard::limited_keys).
Result<IssuedKey> create_own_key(Context& ctx, const NewKey& in, Problems problems = {});
// What the one workspace is called that the key is for; empty when it is gone.
Result<std::string> workspace_of_key(Context& ctx, const ApiKey& key);
// From the commit on the key is refused. One of somebody else fails as not found.
Result<ApiKey> revoke_own_key(Context& ctx, std::string_view key_id);

} // namespace slashpost

#pragma once
// What an account has and how much of it is used (interface 2.2 and 4.5, wire "Workspaces, people").
#include "core/access/limits.h"

namespace slashpost {

struct LimitUse {
    std::int64_t used = 0;
    std::optional<std::int64_t> included; // nothing: as many as one likes
};

struct AccountDetails {
    Account account;
    Plan plan;
    LimitUse links, workspaces, domains, teammates, tags, scripts;
    std::int64_t clicks = 0; // in all its workspaces
    std::int64_t sessions = 0;
    std::int64_t clicks_this_month = 0; // of UTC
};

// The caller, in the account's scope.
Result<AccountDetails> describe_account(Context& ctx);

struct OwnedFeature {
    Feature feature = Feature::none;
    bool revoked = false;
};

// Those of the workspace's owner: by its plan and on its own, revoked ones too unless `revoked` picks.
std::vector<OwnedFeature> list_features(const Context& ctx, std::optional<bool> revoked);

} // namespace slashpost

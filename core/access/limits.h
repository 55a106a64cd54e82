#pragma once
// What a plan includes, how much of a limit is used, and whether there may be one more.
//
// Limits are those of whoever pays: the owner of the workspace that something is made in (Context::payer).
#include "core/access/context.h"
#include "core/model/plan.h"

namespace slashpost {

inline constexpr std::int64_t invites_per_day_default = 100; // interface 8

// The plan of an account. Fails with a fault when the account names one that is not there.
Result<Plan> plan_of(data::View& view, const Account& account);

// Nothing: as many as one likes.
std::optional<std::int64_t> limit_of(const Plan& plan, Limit limit);

// How much the account uses. Not for invites_per_day, which whoever sends them counts.
Result<std::int64_t> used_of(data::View& view, AccountId account, Limit limit);

// Calls `visit(const Workspace&)`, which answers Result<void>, for each workspace that the account owns and
// can see, oldest first.
Result<void> each_owned_workspace(data::View& view, AccountId account,
                                  const std::function<Result<void>(const Workspace&)>& visit);

// Refused with LimitReached when `used` and `more` together are above the limit. Only reads, so it promises
// nothing to a later commit.
Result<void> check_more(const Context& ctx, Limit limit, std::int64_t used, std::int64_t more);
// Refused with LimitReached when `used` and `more` together are above the limit. To be called in the
// transaction that makes the things, whose commit then cannot meet another that uses up the same rest.
Result<void> admit_more(Context& ctx, Limit limit, std::int64_t used, std::int64_t more = 1);
// The same where used_of says how much is used.
Result<void> admit_more(Context& ctx, Limit limit);
// The same for a whole workspace with all that is in it, which is about to become the payer's.
Result<void> admit_workspace(Context& ctx, const Workspace& workspace);

} // namespace slashpost

#pragma once
// Plans as the operator manages them, and which account has which.
#include "core/access/context.h"
#include "core/base/change.h"

namespace slashpost {

// What to do to a plan; for limits and rates, cleared means: no bound, or as the installation says.
struct PlanChange {
    Change<std::string> category;
    Change<std::vector<std::string>> features; // names; cleared: every feature, also those to come
    Change<std::int64_t> links;                // 0 up, as all limits
    Change<std::int64_t> workspaces;
    Change<std::int64_t> domains;
    Change<std::int64_t> teammates;
    Change<std::int64_t> tags;
    Change<std::int64_t> scripts;
    Change<std::int64_t> invites_per_day;
    Change<std::uint32_t> rate_requests;       // 0: no limit
    Change<std::uint32_t> rate_period_seconds; // 1 to a day
};
inline constexpr std::int64_t plan_limit_max = 2'147'483'647; // what "as many as one likes" is shown as

// In the order of their names; with the default plan, also when nobody changed it.
Result<std::vector<Plan>> list_plans(data::View& view);
// Fails as not found.
Result<Plan> find_plan(data::View& view, std::string_view name);
// `name` is 1 to 40 of a-z, 0-9, "-" and "_". Fails as invalid with all problems at once.
Result<Plan> create_plan(SystemContext& system, std::string_view name, const PlanChange& change);
Result<Plan> change_plan(SystemContext& system, const Plan& plan, const PlanChange& change);

// What an account has. `plan` names one; cleared: the default plan.
struct AccountPlanChange {
    Change<std::string> plan;
    Change<std::vector<std::string>> granted_features; // all of them; cleared: none
    Change<std::vector<std::string>> revoked_features;
};
Result<Account> change_account_plan(SystemContext& system, const Account& account,
                                    const AccountPlanChange& change);

} // namespace slashpost

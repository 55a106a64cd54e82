#include "core/ops/plans.h"

#include "core/access/features.h"
#include "core/base/errors.h"
#include "core/ops/field_rules.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

void check_features(std::string_view property, const Change<std::vector<std::string>>& names,
                    Problems& problems) {
    if (!names.is_set())
        return;
    for (const auto& name : names.value())
        if (!parse_feature(name))
            problems.add(invalid_format(property, fmt::format("names no feature: '{}'", name)));
}

void change_limits(const PlanChange& change, PlanLimits& limits) {
    change.links.apply_to(limits.links);
    change.workspaces.apply_to(limits.workspaces);
    change.domains.apply_to(limits.domains);
    change.teammates.apply_to(limits.teammates);
    change.tags.apply_to(limits.tags);
    change.scripts.apply_to(limits.scripts);
    change.invites_per_day.apply_to(limits.invites_per_day);
}

// `plan` with the change, checked.
Result<Plan> changed_plan(const SystemContext& system, Plan plan, const PlanChange& change) {
    Problems problems;
    change.category.apply_to(plan.category);
    check_features("features", change.features, problems);
    change.features.apply_to(plan.features);
    if (!change.features.is_keep())
        plan.everything = change.features.is_clear();
    change_limits(change, plan.limits);
    change.rate_requests.apply_to(plan.rate_requests);
    change.rate_period_seconds.apply_to(plan.rate_period_seconds);
    check_plan(plan, problems);
    TRY(problems.result("plan"));
    plan.updated_at = system.now;
    return plan;
}

Result<std::optional<Plan>> stored_plan(data::View& view, std::string_view name) {
    return schema().plans.find(view, Plan::primary_of({.name = std::string(name)}));
}

} // namespace

Result<std::vector<Plan>> list_plans(data::View& view) {
    std::vector<Plan> out;
    TRY(schema().plans.each(view, [&](const Plan& plan) -> Result<bool> {
        out.push_back(plan);
        return true;
    }));
    if (std::ranges::find(out, Plan::default_name, &Plan::name) == out.end())
        out.emplace_back();
    std::ranges::sort(out, {}, &Plan::name);
    return out;
}

Result<Plan> find_plan(data::View& view, std::string_view name) {
    if (auto plan = TRY(stored_plan(view, name)))
        return std::move(*plan);
    if (name == Plan::default_name)
        return Plan{};
    return not_found("plan", name);
}

Result<Plan> create_plan(SystemContext& system, std::string_view name, const PlanChange& change) {
    Problems problems;
    check_plan_name(name, problems);
    if (problems.none() && (name == Plan::default_name || TRY(stored_plan(system.txn, name))))
        problems.add(already_exists("name"));
    TRY(problems.result("plan"));
    auto plan = TRY(changed_plan(system, {.name = std::string(name), .created_at = system.now}, change));
    TRY(schema().plans.insert(system.txn, plan));
    return plan;
}

Result<Plan> change_plan(SystemContext& system, const Plan& plan, const PlanChange& change) {
    auto changed = TRY(changed_plan(system, plan, change));
    if (const auto stored = TRY(stored_plan(system.txn, plan.name))) {
        TRY(schema().plans.update(system.txn, *stored, changed));
    } else { // the default plan as it comes
        changed.created_at = system.now;
        TRY(schema().plans.insert(system.txn, changed));
    }
    return changed;
}

Result<Account> change_account_plan(SystemContext& system, const Account& account,
                                    const AccountPlanChange& change) {
    auto changed = account;
    Problems problems;
    check_features("grant", change.granted_features, problems);
    check_features("revoke", change.revoked_features, problems);
    TRY(problems.result("account"));
    change.granted_features.apply_to(changed.granted_features);
    change.revoked_features.apply_to(changed.revoked_features);
    if (change.plan.is_set())
        changed.plan = TRY(find_plan(system.txn, change.plan.value())).name;
    else if (change.plan.is_clear())
        changed.plan.clear();
    if (changed.plan == Plan::default_name)
        changed.plan.clear();
    if (changed.plan != account.plan)
        changed.plan_since = system.now;
    TRY(schema().accounts.update(system.txn, account, changed));
    return changed;
}

} // namespace slashpost

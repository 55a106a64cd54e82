#include "core/ops/plans.h"

#include "core/access/features.h"
#include "core/base/errors.h"
#include "core/base/text.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t name_length_max = 40;
constexpr std::size_t category_length_max = 255;
constexpr std::uint32_t rate_requests_max = 2'147'483'647;
constexpr std::uint32_t rate_period_max = 24 * 3600;

bool is_plan_name(std::string_view name) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    };
    return !name.empty() && name.size() <= name_length_max && std::ranges::all_of(name, fits);
}

void check_features(std::string_view property, const Change<std::vector<std::string>>& names,
                    Problems& problems) {
    if (!names.is_set())
        return;
    for (const auto& name : names.value())
        if (!parse_feature(name))
            problems.add(invalid_format(property, fmt::format("names no feature: '{}'", name)));
}

void change_limit(std::string_view property, const Change<std::int64_t>& change,
                  std::optional<std::int64_t>& limit, Problems& problems) {
    change.apply_to(limit);
    if (limit && (*limit < 0 || *limit > plan_limit_max))
        problems.add(out_of_range(property, fmt::format("must be 0 to {}", plan_limit_max)));
}

void change_limits(const PlanChange& change, PlanLimits& limits, Problems& problems) {
    change_limit("links", change.links, limits.links, problems);
    change_limit("workspaces", change.workspaces, limits.workspaces, problems);
    change_limit("domains", change.domains, limits.domains, problems);
    change_limit("teammates", change.teammates, limits.teammates, problems);
    change_limit("tags", change.tags, limits.tags, problems);
    change_limit("scripts", change.scripts, limits.scripts, problems);
    change_limit("invites", change.invites_per_day, limits.invites_per_day, problems);
}

// `plan` with the change, checked.
Result<Plan> changed_plan(const Desk& desk, Plan plan, const PlanChange& change) {
    Problems problems;
    change.category.apply_to(plan.category);
    if (!is_utf8(plan.category) || has_control(plan.category) ||
        count_code_points(plan.category) > category_length_max)
        problems.add(invalid_length("category", 0, category_length_max));
    check_features("features", change.features, problems);
    change.features.apply_to(plan.features);
    if (!change.features.is_keep())
        plan.everything = change.features.is_clear();
    change_limits(change, plan.limits, problems);
    change.rate_requests.apply_to(plan.rate_requests);
    if (plan.rate_requests.value_or(0) > rate_requests_max)
        problems.add(out_of_range("rate", fmt::format("must be 0 to {}", rate_requests_max)));
    change.rate_period_seconds.apply_to(plan.rate_period_seconds);
    if (const auto period = plan.rate_period_seconds.value_or(1); period < 1 || period > rate_period_max)
        problems.add(out_of_range("period", fmt::format("must be 1 to {} seconds", rate_period_max)));
    TRY(problems.result("plan"));
    plan.updated_at = desk.now;
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

Result<Plan> create_plan(Desk& desk, std::string_view name, const PlanChange& change) {
    Problems problems;
    if (!is_plan_name(name))
        problems.add(invalid_format("name", "must be 1 to 40 of a-z, 0-9, - and _"));
    else if (name == Plan::default_name || TRY(stored_plan(desk.txn, name)))
        problems.add(already_exists("name"));
    TRY(problems.result("plan"));
    auto plan = TRY(changed_plan(desk, {.name = std::string(name), .created_at = desk.now}, change));
    TRY(schema().plans.insert(desk.txn, plan));
    return plan;
}

Result<Plan> change_plan(Desk& desk, const Plan& plan, const PlanChange& change) {
    auto changed = TRY(changed_plan(desk, plan, change));
    if (const auto stored = TRY(stored_plan(desk.txn, plan.name))) {
        TRY(schema().plans.update(desk.txn, *stored, changed));
    } else { // the default plan as it comes
        changed.created_at = desk.now;
        TRY(schema().plans.insert(desk.txn, changed));
    }
    return changed;
}

Result<Account> change_account_plan(Desk& desk, const Account& account, const AccountPlanChange& change) {
    auto changed = account;
    Problems problems;
    check_features("grant", change.granted_features, problems);
    check_features("revoke", change.revoked_features, problems);
    TRY(problems.result("account"));
    change.granted_features.apply_to(changed.granted_features);
    change.revoked_features.apply_to(changed.revoked_features);
    if (change.plan.is_set())
        changed.plan = TRY(find_plan(desk.txn, change.plan.value())).name;
    else if (change.plan.is_clear())
        changed.plan.clear();
    if (changed.plan == Plan::default_name)
        changed.plan.clear();
    if (changed.plan != account.plan)
        changed.plan_since = desk.now;
    TRY(schema().accounts.update(desk.txn, account, changed));
    return changed;
}

} // namespace slashpost

#include "core/access/limits.h"

#include "core/base/errors.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

// space::plans   ff | account | limit -> anything
//
// A sum is not tracked, so two transactions could both see the last free place. Near the limit both also
// write this mark, and one of them runs again. "Near" is more than all workers together can be about to use,
// one each; those that use several at once always write it.
constexpr std::int64_t near_limit = 16'384;

data::Bytes mark_key(AccountId account, Limit limit) { return data::key(std::uint8_t{0xff}, account, limit); }

// What one of it is called: the source of the error.
std::string_view resource_of(Limit limit) {
    switch (limit) {
    case Limit::links:
        return "link";
    case Limit::workspaces:
        return "workspace";
    case Limit::domains:
        return "domain";
    case Limit::teammates:
        return "teammate";
    case Limit::tags:
        return "tag";
    case Limit::scripts:
        return "script";
    case Limit::invites_per_day:
        return "invite";
    }
    return "";
}

Result<std::int64_t> used_in(data::View& view, const Workspace& workspace, Limit limit) {
    switch (limit) {
    case Limit::links:
        return schema().links.kept.count(view, workspace.id);
    case Limit::teammates:
        return TRY(schema().members.per_workspace.count(view, workspace.id)) - 1; // the owner is none
    case Limit::tags:
        return schema().tags.per_workspace.count(view, workspace.id);
    case Limit::scripts:
        return schema().scripts.per_workspace.count(view, workspace.id);
    case Limit::workspaces:
    case Limit::domains:
    case Limit::invites_per_day:
        break;
    }
    return fault("this limit is not counted by workspace");
}

} // namespace

Result<Plan> plan_of(data::View& view, const Account& account) {
    const auto& name = account.plan.empty() ? std::string(Plan::default_name) : account.plan;
    auto plan = TRY(schema().plans.find(view, Plan::primary_of({.name = name})));
    if (!plan && name != Plan::default_name)
        return fault(
            fmt::format("account {} has the plan '{}', which does not exist", account.id.hex(), name));
    return plan ? std::move(*plan) : Plan{};
}

std::optional<std::int64_t> limit_of(const Plan& plan, Limit limit) {
    const auto& limits = plan.limits;
    switch (limit) {
    case Limit::links:
        return limits.links;
    case Limit::workspaces:
        return limits.workspaces;
    case Limit::domains:
        return limits.domains;
    case Limit::teammates:
        return limits.teammates;
    case Limit::tags:
        return limits.tags;
    case Limit::scripts:
        return limits.scripts;
    case Limit::invites_per_day:
        return limits.invites_per_day.value_or(invites_per_day_default);
    }
    return std::nullopt;
}

Result<void> each_owned_workspace(data::View& view, AccountId account,
                                  const std::function<Result<void>(const Workspace&)>& visit) {
    const auto& table = schema().workspaces;
    return table.by_owner.walk(view, {.scope = data::key(account)},
                               [&](data::BytesView primary) -> Result<bool> {
                                   if (const auto workspace = TRY(table.find(view, primary)))
                                       TRY(visit(*workspace));
                                   return true;
                               });
}

Result<std::int64_t> used_of(data::View& view, AccountId account, Limit limit) {
    if (limit == Limit::workspaces)
        return schema().workspaces.per_owner.count(view, account);
    if (limit == Limit::domains)
        return schema().domains.per_owner.count(view, account);
    std::int64_t used = 0;
    TRY(each_owned_workspace(view, account, [&](const Workspace& workspace) -> Result<void> {
        used += TRY(used_in(view, workspace, limit));
        return {};
    }));
    return used;
}

Result<void> check_more(const Context& ctx, Limit limit, std::int64_t used, std::int64_t more) {
    const auto max = limit_of(ctx.plan, limit);
    if (max && used + more > *max)
        return refused("LimitReached", resource_of(limit),
                       fmt::format("The plan includes {} of these, and {} are used.", *max, used));
    return {};
}

Result<void> admit_more(Context& ctx, Limit limit, std::int64_t used, std::int64_t more) {
    const auto max = limit_of(ctx.plan, limit);
    if (!max)
        return {};
    TRY(check_more(ctx, limit, used, more));
    if (more == 1 && *max - used > near_limit)
        return {};
    const auto mark = mark_key(ctx.payer.id, limit);
    TRY(ctx.txn().get(space::plans, mark));
    return ctx.txn().put(space::plans, mark, data::key(ctx.now, used));
}

Result<void> admit_more(Context& ctx, Limit limit) {
    if (!limit_of(ctx.plan, limit))
        return {};
    return admit_more(ctx, limit, TRY(used_of(ctx.view(), ctx.payer.id, limit)));
}

Result<void> admit_workspace(Context& ctx, const Workspace& workspace) {
    TRY(admit_more(ctx, Limit::workspaces));
    for (const auto limit : {Limit::links, Limit::teammates, Limit::tags, Limit::scripts})
        if (limit_of(ctx.plan, limit))
            TRY(admit_more(ctx, limit, TRY(used_of(ctx.view(), ctx.payer.id, limit)),
                           TRY(used_in(ctx.view(), workspace, limit))));
    return {};
}

} // namespace slashpost

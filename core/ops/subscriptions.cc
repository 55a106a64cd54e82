#include "core/ops/subscriptions.h"

#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"

#include <chrono>

namespace slashpost {

namespace {

// Days since 1970, as day_of() counts them.
std::uint32_t first_day_of_month(std::uint32_t day) {
    const std::chrono::year_month_day date{std::chrono::sys_days{std::chrono::days{day}}};
    return day + 1 - static_cast<unsigned>(date.day());
}

} // namespace

Result<AccountDetails> describe_account(Context& ctx) {
    AccountDetails out{.account = ctx.account, .plan = ctx.plan};
    const auto use = [&](Limit limit) -> Result<LimitUse> {
        return LimitUse{.used = TRY(used_of(ctx.view(), ctx.account.id, limit)),
                        .included = limit_of(ctx.plan, limit)};
    };
    out.links = TRY(use(Limit::links));
    out.workspaces = TRY(use(Limit::workspaces));
    out.domains = TRY(use(Limit::domains));
    out.teammates = TRY(use(Limit::teammates));
    out.tags = TRY(use(Limit::tags));
    out.scripts = TRY(use(Limit::scripts));
    const auto today = day_of(ctx.now);
    RollupReader rollups(ctx.view());
    TRY(each_owned_workspace(ctx.view(), ctx.account.id, [&](const Workspace& workspace) -> Result<void> {
        out.clicks += TRY(clicks_of_workspace(ctx.view(), workspace.id)).clicks;
        out.sessions += TRY(rollups.lifetime(Subject::of(workspace.id))).sum(group::sessions);
        out.clicks_this_month +=
            TRY(clicks_of_days(ctx.view(), workspace.id, first_day_of_month(today), today));
        return {};
    }));
    return out;
}

std::vector<OwnedFeature> list_features(const Context& ctx, std::optional<bool> revoked) {
    std::vector<OwnedFeature> out;
    for (const auto feature : all_features) {
        const bool is_off = is_revoked(ctx.payer, feature);
        if ((is_off || owns_feature(ctx.payer, ctx.plan, feature)) && revoked.value_or(is_off) == is_off)
            out.push_back({.feature = feature, .revoked = is_off});
    }
    return out;
}

} // namespace slashpost

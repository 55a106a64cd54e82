#include "core/access/service.h"

#include "core/access/limits.h"
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t api_key_characters_max = 256;

} // namespace

Result<Caller> Service::authenticate(std::string_view api_key) {
    if (api_key.empty() || api_key.size() > api_key_characters_max)
        return unauthenticated();
    const auto hash = sha256(api_key);
    return engine_.read([&](data::View& view) -> Result<Caller> {
        const auto stored = TRY(schema().api_keys.find_by(schema().api_keys.by_hash, view, hash));
        if (!stored || !equal_in_constant_time(stored->hash, hash))
            return unauthenticated();
        const auto account = TRY(schema().accounts.find(view, stored->account.view()));
        if (!account)
            return unauthenticated();
        const auto plan = TRY(plan_of(view, *account));
        return Caller{.account = stored->account,
                      .key = stored->id,
                      .rate = {.requests = plan.rate_requests, .period_seconds = plan.rate_period_seconds}};
    });
}

Result<void> Service::enter(Context& ctx, const Caller& caller, std::string_view workspace_text) {
    auto account = TRY(schema().accounts.find(ctx.view(), caller.account.view()));
    if (!account)
        return unauthenticated();
    ctx.account = std::move(*account);
    if (ctx.guard.scope == Scope::account) {
        ctx.payer = ctx.account;
        ctx.plan = TRY(plan_of(ctx.view(), ctx.payer));
        return admit(ctx);
    }

    const auto id = workspace_text.empty() ? std::optional(ctx.account.default_workspace)
                                           : WorkspaceId::parse(workspace_text);
    const auto absent = [&] {
        return not_found("workspace", workspace_text.empty() ? id->hex() : std::string(workspace_text));
    };
    if (!id)
        return absent();
    auto workspace = TRY(schema().workspaces.find(ctx.view(), id->view()));
    const auto member = TRY(
        schema().members.find(ctx.view(), Member::primary_of({.workspace = *id, .account = caller.account})));
    if (!workspace || !member || workspace->hidden())
        return absent();
    ctx.workspace = std::move(*workspace);
    ctx.role = member->role;
    if (ctx.role < ctx.guard.role)
        return ctx.guard.too_low == TooLow::not_found ? absent() : forbidden("workspace");

    ctx.payer = ctx.account;
    if (ctx.workspace.owner != ctx.account.id) {
        auto owner = TRY(schema().accounts.find(ctx.view(), ctx.workspace.owner.view()));
        if (!owner)
            return fault("a workspace's owner is missing");
        ctx.payer = std::move(*owner);
    }
    ctx.plan = TRY(plan_of(ctx.view(), ctx.payer));
    return admit(ctx);
}

Result<void> Service::admit(const Context& ctx) {
    const auto& guard = ctx.guard;
    if (guard.feature != Feature::none && !ctx.has(guard.feature))
        return feature_not_included(to_string(guard.feature));
    if (guard.scope == Scope::account)
        return {};
    if (guard.refuses_revoked() && ctx.workspace.revoked)
        return refused("RevokedWorkspace", "workspace", "The workspace is revoked.");
    if (!contains(guard.types, ctx.workspace.type))
        return refused("WrongWorkspaceType", "workspace",
                       "This is not possible in a workspace of this type.");
    return {};
}

Result<void> Service::expire_links(Timestamp now) {
    while (expiry_.may_be_due(now)) {
        const auto version = expiry_.version();
        const auto next = TRY(engine_.read([](data::View& view) { return next_expiry(view); }));
        expiry_.found(next, version);
        if (!next || *next > now)
            return {};
        const auto settled =
            run_as_operator([&](SystemContext& system) { return expire_due_links(system, now); });
        if (settled.has_value())
            continue;
        if (settled.error().kind == ErrorKind::fault)
            return std::unexpected(settled.error());
        return {};
    }
    return {};
}

} // namespace slashpost

#include "core/ops/api_keys.h"

#include "core/ops/field_rules.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

Result<void> check_limits(Context& ctx, const KeyLimits& limits, Problems& problems) {
    if (!limits.workspace.empty()) {
        const auto workspace = TRY(schema().workspaces.find(ctx.view(), limits.workspace.view()));
        const auto member = TRY(schema().members.find(
            ctx.view(), Member::primary_of({.workspace = limits.workspace, .account = ctx.account.id})));
        if (!workspace || workspace->hidden() || !member)
            problems.add(unknown_reference("workspace"));
    }
    const auto& own_end = ctx.caller.limits.expires_at;
    if (limits.expires_at && *limits.expires_at <= ctx.now)
        problems.add(out_of_range("expiresAt", "must be in the future"));
    else if (own_end && (!limits.expires_at || *limits.expires_at > *own_end))
        problems.add(
            out_of_range("expiresAt", fmt::format("must be no later than {}, when the key that you call "
                                                  "with ends",
                                                  to_iso(*own_end))));
    return {};
}

} // namespace

Result<std::vector<ApiKey>> list_own_keys(Context& ctx) { return list_keys(ctx.view(), ctx.account.id); }

Result<IssuedKey> create_own_key(Context& ctx, const NewKey& in, Problems problems) {
    check_key_name(in.name, problems);
    TRY(check_limits(ctx, in.limits, problems));
    TRY(problems.result("key"));
    if (TRY(list_own_keys(ctx)).size() >= keys_per_account_max)
        return refused("LimitReached", "key",
                       fmt::format("An account has at most {} keys; revoke one that is not used any more.",
                                   keys_per_account_max));
    auto system = ctx.system_context();
    return create_key(system, ctx.account, in.name, in.limits);
}

Result<std::string> workspace_of_key(Context& ctx, const ApiKey& key) {
    const auto workspace = TRY(schema().workspaces.find(ctx.view(), key.workspace.view()));
    return workspace ? workspace->name : std::string();
}

Result<ApiKey> revoke_own_key(Context& ctx, std::string_view key_id) {
    const auto id = ApiKeyId::parse(key_id);
    auto key = id ? TRY(schema().api_keys.find(ctx.txn(), id->view())) : std::optional<ApiKey>();
    if (!key || key->account != ctx.account.id)
        return not_found("key", key_id);
    TRY(schema().api_keys.remove(ctx.txn(), *key));
    return std::move(*key);
}

} // namespace slashpost

#include "core/access/service.h"

#include "core/access/app_tokens.h"
#include "core/access/limits.h"
#include "core/base/errors.h"
#include "core/base/secret.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

constexpr std::size_t api_key_characters_max = 256;
constexpr std::size_t token_characters = 64; // make_token

OwnRate rate_of(const Plan& plan) {
    return {.requests = plan.rate_requests, .period_seconds = plan.rate_period_seconds};
}

} // namespace

Result<Caller> Service::authenticate(std::string_view api_key) {
    if (api_key.empty() || api_key.size() > api_key_characters_max)
        return unauthenticated();
    if (const auto grant = grant_of_token(AppTokenKind::access, api_key))
        return authenticate_application(*grant, api_key);
    const auto hash = sha256(api_key);
    const auto now = clock_.now();
    return engine_.read([&](data::View& view) -> Result<Caller> {
        const auto stored = TRY(schema().api_keys.find_by(schema().api_keys.by_hash, view, hash));
        if (!stored || !equal_in_constant_time(stored->hash, hash) ||
            (stored->expires_at && now >= *stored->expires_at))
            return unauthenticated();
        const auto account = TRY(schema().accounts.find(view, stored->account.view()));
        if (!account || account->suspended_at)
            return unauthenticated();
        uses_.note(*stored, now);
        return Caller{.account = stored->account,
                      .key = stored->id,
                      .rate = rate_of(TRY(plan_of(view, *account))),
                      .limits = stored->limits(),
                      .session = {}};
    });
}

Result<Caller> Service::authenticate_application(GrantId id, std::string_view access_token) {
    const auto now = clock_.now();
    return engine_.read([&](data::View& view) -> Result<Caller> {
        const auto grant = TRY(schema().grants.find(view, id.view()));
        if (!grant || !opens(*grant, access_token, now))
            return unauthenticated();
        const auto account = TRY(schema().accounts.find(view, grant->account.view()));
        if (!account || account->suspended_at || !TRY(application_in_force(view, grant->application)))
            return unauthenticated();
        uses_.note(*grant, now);
        return Caller{.account = grant->account,
                      .key = {},
                      .rate = rate_of(TRY(plan_of(view, *account))),
                      .limits = {.workspace = grant->workspace, .expires_at = {}},
                      .session = {},
                      .grant = grant->id,
                      .application = grant->application,
                      .scopes = scopes_of(*grant, access_token)};
    });
}

Result<Caller> Service::authenticate_session(std::string_view token) {
    if (token.size() != token_characters)
        return signed_out();
    const auto hash = sha256(token);
    const auto now = clock_.now();
    return engine_.read([&](data::View& view) -> Result<Caller> {
        const auto stored = TRY(schema().sessions.find_by(schema().sessions.by_token, view, hash));
        if (!stored || !equal_in_constant_time(stored->token_hash, hash) || now >= stored->ends_at())
            return signed_out();
        const auto account = TRY(schema().accounts.find(view, stored->account.view()));
        if (!account || account->suspended_at)
            return signed_out();
        uses_.note(*stored, now);
        return Caller{.account = stored->account,
                      .key = {},
                      .rate = rate_of(TRY(plan_of(view, *account))),
                      .limits = {},
                      .session = stored->id};
    });
}

Result<void> Service::check_in_force(const Caller& caller) {
    const auto now = clock_.now();
    return engine_.read([&](data::View& view) -> Result<void> {
        const auto account = TRY(schema().accounts.find(view, caller.account.view()));
        const bool is_let_in = account && !account->suspended_at;
        if (!caller.session.empty()) {
            const auto session = TRY(schema().sessions.find(view, caller.session.view()));
            return is_let_in && session && now < session->ends_at() ? Result<void>() : signed_out();
        }
        if (!caller.grant.empty()) {
            const auto grant = TRY(schema().grants.find(view, caller.grant.view()));
            return is_let_in && grant && now < grant->access_ends_at &&
                           TRY(application_in_force(view, grant->application))
                       ? Result<void>()
                       : unauthenticated();
        }
        const auto key = TRY(schema().api_keys.find(view, caller.key.view()));
        return is_let_in && key && (!key->expires_at || now < *key->expires_at) ? Result<void>()
                                                                                : unauthenticated();
    });
}

Result<bool> Service::book_uses() {
    const auto noted = uses_.take();
    if (noted.keys.empty() && noted.sessions.empty() && noted.grants.empty())
        return false;
    TRY(run_as_operator([&](SystemContext& system) { return slashpost::book_uses(system, noted); }));
    return true;
}

Result<void> Service::admit_key(const Caller& caller, const Guard& guard) {
    const auto& limits = caller.limits;
    const auto refuse = [](std::string message) {
        return refused("LimitedKey", "apikey", std::move(message));
    };
    if (limits.read_only && guard.access == Access::write)
        return refuse("This key may only read.");
    if (guard.limited_keys == LimitedKeys::all)
        return {};
    if (limits.links_only && guard.limited_keys != LimitedKeys::links)
        return refuse("This key is for links only.");
    if (!limits.workspace.empty() && guard.scope == Scope::account)
        return refuse("This key is for one workspace only.");
    return {};
}

Result<void> Service::enter(Context& ctx, const Caller& caller, std::string_view workspace_text) {
    auto account = TRY(schema().accounts.find(ctx.view(), caller.account.view()));
    if (!account || account->suspended_at)
        return unauthenticated();
    TRY(admit_key(caller, ctx.guard));
    ctx.caller = caller;
    ctx.account = std::move(*account);
    if (ctx.guard.scope == Scope::account) {
        ctx.payer = ctx.account;
        ctx.plan = TRY(plan_of(ctx.view(), ctx.payer));
        return admit(ctx);
    }

    const auto& only = caller.limits.workspace;
    const auto usual = only.empty() ? ctx.account.default_workspace : only;
    const auto id = workspace_text.empty() ? std::optional(usual) : WorkspaceId::parse(workspace_text);
    const auto absent = [&] {
        return not_found("workspace", workspace_text.empty() ? id->hex() : std::string(workspace_text));
    };
    if (!id || (!only.empty() && *id != only))
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

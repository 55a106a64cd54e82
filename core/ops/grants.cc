#include "core/ops/grants.h"

#include "core/access/app_tokens.h"
#include "core/access/ended_rows.h"
#include "core/base/errors.h"
#include "core/base/sealed.h"
#include "core/base/secret.h"
#include "core/ops/applications.h"
#include "core/schema/schema.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace slashpost {

namespace {

const GrantTable& grants() { return schema().grants; }

std::unexpected<AppRefusal> invalid_grant(std::string_view description) {
    return std::unexpected(AppRefusal{.code = "invalid_grant", .description = std::string(description)});
}

std::unexpected<AppRefusal> invalid_scope(std::string_view description) {
    return std::unexpected(AppRefusal{.code = "invalid_scope", .description = std::string(description)});
}

// By the application, then those first that were not used for longest.
Result<std::vector<Grant>> grants_at(data::View& view, const data::Bytes& scope) {
    std::vector<Grant> out;
    TRY(grants().by_account.walk(view, {.scope = scope}, [&](data::BytesView primary) -> Result<bool> {
        if (auto grant = TRY(grants().find(view, primary)))
            out.push_back(*std::move(grant));
        return true;
    }));
    return out;
}

Result<void> check_workspace(Context& ctx, WorkspaceId workspace) {
    if (workspace.empty())
        return {};
    const auto row = TRY(schema().workspaces.find(ctx.view(), workspace.view()));
    const auto member = TRY(schema().members.find(
        ctx.view(), Member::primary_of({.workspace = workspace, .account = ctx.account.id})));
    if (!row || row->hidden() || !member)
        return invalid("connection", {unknown_reference("workspace")});
    return {};
}

// Makes room for one more grant, or is refused.
Result<void> make_room(Context& ctx, ApplicationId application) {
    std::set<ApplicationId> connected{application};
    std::vector<Grant> same;
    for (auto& grant : TRY(grants_at(ctx.view(), data::key(ctx.account.id)))) {
        connected.insert(grant.application);
        if (grant.application == application)
            same.push_back(std::move(grant));
    }
    if (connected.size() > connections_per_account_max)
        return refused("LimitReached", "connection",
                       fmt::format("An account is connected to at most {} applications; disconnect one that "
                                   "is not used any more.",
                                   connections_per_account_max));
    for (std::size_t i = 0; i + grants_per_connection_max <= same.size(); ++i)
        TRY(grants().remove(ctx.txn(), same[i]));
    return {};
}

Result<Grant> begin_grant(Context& ctx, const Consent& consent) {
    TRY(check_workspace(ctx, consent.workspace));
    TRY(make_room(ctx, consent.application.id));
    const auto id = ctx.ids.next<GrantId>();
    return Grant{.id = id,
                 .account = ctx.account.id,
                 .application = consent.application.id,
                 .scopes = consent.wish.scopes,
                 .workspace = consent.workspace,
                 .created_at = id.made_at(),
                 .used_at = id.made_at(),
                 .code_hash = {},
                 .redirect = consent.redirect,
                 .challenge = consent.wish.challenge,
                 .access_hash = {},
                 .old_access_hash = {},
                 .refresh_hash = {},
                 .old_refresh_hash = {},
                 .sealed = {},
                 .access_scopes = {},
                 .old_access_scopes = {},
                 .unknown = {}};
}

// The access token of before goes on until its end. `scopes` are of the new one, and all of them the grant's.
IssuedTokens give_tokens(Grant& grant, const std::vector<AppScope>& scopes, bool refreshable, Timestamp now,
                         Random& random) {
    IssuedTokens out{.access = make_app_token(AppTokenKind::access, grant.id, random),
                     .refresh = refreshable ? make_app_token(AppTokenKind::refresh, grant.id, random)
                                            : std::string(),
                     .expires_in_seconds = Grant::access_seconds,
                     .scopes = scopes};
    grant.old_access_hash = std::move(grant.access_hash);
    grant.old_access_ends_at = grant.access_ends_at;
    grant.old_access_scopes = std::move(grant.access_scopes);
    grant.access_hash = sha256(out.access);
    grant.access_scopes = covers(scopes, grant.scopes) ? std::vector<AppScope>() : scopes;
    grant.access_ends_at = now.plus_seconds(Grant::access_seconds);
    if (refreshable) {
        grant.refresh_hash = sha256(out.refresh);
        grant.refreshed_at = now;
    }
    grant.exchanged = true;
    grant.used_at = now;
    return out;
}

// Of the application, by a token of the kind; nothing when there is none, or its time is over.
Result<std::optional<Grant>> find_grant(SystemContext& system, const Application& application,
                                        AppTokenKind kind, std::string_view token) {
    const auto id = grant_of_token(kind, token);
    auto grant = id ? TRY(grants().find(system.txn, id->view())) : std::optional<Grant>();
    if (!grant || grant->application != application.id || grant->ends_at() <= system.now)
        return std::optional<Grant>();
    const auto account = TRY(schema().accounts.find(system.txn, grant->account.view()));
    if (!account || account->suspended_at)
        return std::optional<Grant>();
    return grant;
}

// What the old refresh token opens: the tokens that it was exchanged for.
std::string sealed_tokens(const IssuedTokens& tokens, std::string_view old_refresh, Random& random) {
    return seal(fmt::format("{} {}", tokens.access, tokens.refresh), old_refresh, random);
}

std::optional<IssuedTokens> same_answer(const Grant& grant, std::string_view old_refresh, Timestamp now) {
    if (now >= grant.refreshed_at.plus_seconds(Grant::grace_seconds) ||
        !equal_in_constant_time(grant.old_refresh_hash, sha256(old_refresh)))
        return std::nullopt;
    const auto text = unseal(grant.sealed, old_refresh);
    if (!text)
        return std::nullopt;
    const auto blank = text->find(' ');
    return IssuedTokens{.access = text->substr(0, blank),
                        .refresh = text->substr(blank + 1),
                        .expires_in_seconds = (grant.access_ends_at.ms - now.ms) / 1000,
                        .scopes = present_scopes(grant)};
}

void add_missing(std::vector<AppScope>& to, const std::vector<AppScope>& more) {
    for (const auto scope : more)
        if (!has_scope(to, scope))
            to.push_back(scope);
}

// Takes in one more grant of the same application. `everywhere`: one of them is for all workspaces.
Result<void> add_grant(data::View& view, Connection& to, const Grant& grant, bool& everywhere) {
    add_missing(to.scopes, grant.scopes);
    to.created_at = std::min(to.created_at, grant.created_at);
    to.used_at = std::max(to.used_at, grant.used_at);
    everywhere = everywhere || grant.workspace.empty();
    const bool known =
        std::ranges::find(to.workspaces, grant.workspace, &Workspace::id) != to.workspaces.end();
    if (everywhere)
        to.workspaces.clear();
    else if (auto row = known ? std::optional<Workspace>()
                              : TRY(schema().workspaces.find(view, grant.workspace.view())))
        to.workspaces.push_back(*std::move(row));
    return {};
}

} // namespace

Result<bool> is_allowed_already(Context& ctx, const Application& application, const AppWish& wish) {
    if (!application.keeps_secret() || wish.implicit)
        return false;
    for (const auto& grant : TRY(grants_at(ctx.view(), data::key(ctx.account.id, application.id))))
        if (grant.exchanged && grant.workspace.empty() && grant.ends_at() > ctx.now &&
            covers(grant.scopes, wish.scopes))
            return true;
    return false;
}

Result<std::string> issue_code(Context& ctx, const Consent& consent) {
    auto grant = TRY(begin_grant(ctx, consent));
    auto code = make_app_token(AppTokenKind::code, grant.id, ctx.random);
    grant.code_hash = sha256(code);
    TRY(grants().insert(ctx.txn(), grant));
    return code;
}

Result<IssuedTokens> issue_access_token(Context& ctx, const Consent& consent) {
    auto grant = TRY(begin_grant(ctx, consent));
    auto tokens = give_tokens(grant, grant.scopes, false, ctx.now, ctx.random);
    TRY(grants().insert(ctx.txn(), grant));
    return tokens;
}

Result<std::vector<Connection>> list_connections(Context& ctx) {
    std::vector<Connection> out;
    bool everywhere = false;
    std::optional<ApplicationId> last;
    for (const auto& grant : TRY(grants_at(ctx.view(), data::key(ctx.account.id)))) {
        if (!grant.exchanged || grant.ends_at() <= ctx.now)
            continue;
        if (last != grant.application) {
            auto application = TRY(application_in_force(ctx.view(), grant.application));
            if (!application)
                continue;
            auto owner = TRY(registered_by(ctx, *application));
            out.push_back({.application = *std::move(application),
                           .registered_by = std::move(owner),
                           .scopes = {},
                           .workspaces = {},
                           .created_at = grant.created_at,
                           .used_at = grant.used_at});
            everywhere = false;
            last = grant.application;
        }
        TRY(add_grant(ctx.view(), out.back(), grant, everywhere));
    }
    return out;
}

Result<Connection> end_connection(Context& ctx, std::string_view application_id) {
    const auto all = TRY(list_connections(ctx));
    const auto found = std::ranges::find_if(
        all, [&](const Connection& one) { return one.application.id.hex() == application_id; });
    if (found == all.end())
        return not_found("connection", application_id);
    for (const auto& grant : TRY(grants_at(ctx.view(), data::key(ctx.account.id, found->application.id))))
        TRY(grants().remove(ctx.txn(), grant));
    return *found;
}

Result<std::optional<Application>> identify_application(data::View& view, std::string_view client_id,
                                                        std::string_view secret) {
    auto application = TRY(find_application(view, client_id));
    if (application &&
        (application->keeps_secret() ? !equal_in_constant_time(application->secret_hash, sha256(secret))
                                     : !secret.empty()))
        application.reset();
    return application;
}

Result<OrRefusal<IssuedTokens>> exchange_code(SystemContext& system, const Application& application,
                                              const CodeExchange& exchange) {
    const auto grant = TRY(find_grant(system, application, AppTokenKind::code, exchange.code));
    if (!grant || !equal_in_constant_time(grant->code_hash, sha256(exchange.code)))
        return OrRefusal<IssuedTokens>(invalid_grant("The code is not known, or its minute is over."));
    if (grant->exchanged) { // two have it: neither keeps anything
        TRY(grants().remove(system.txn, *grant));
        return OrRefusal<IssuedTokens>(
            invalid_grant("The code was used before; what it gave is worth nothing any more."));
    }
    if (!exchange.redirect.empty() && exchange.redirect != grant->redirect)
        return OrRefusal<IssuedTokens>(invalid_grant("The code was sent to another redirect_uri."));
    if (!is_verifier_of(grant->challenge, exchange.verifier))
        return OrRefusal<IssuedTokens>(invalid_grant("code_verifier is not that of the code_challenge."));
    auto changed = *grant;
    auto tokens = give_tokens(changed, grant->scopes, has_scope(grant->scopes, AppScope::offline_access),
                              system.now, system.tools.random);
    TRY(grants().update(system.txn, *grant, changed));
    return OrRefusal<IssuedTokens>(std::move(tokens));
}

Result<OrRefusal<IssuedTokens>> refresh_tokens(SystemContext& system, const Application& application,
                                               std::string_view token, std::string_view scope) {
    const auto grant = TRY(find_grant(system, application, AppTokenKind::refresh, token));
    if (!grant || grant->refresh_hash.empty() || grant->refresh_ends_at() <= system.now)
        return OrRefusal<IssuedTokens>(
            invalid_grant("The refresh token is not known, or was not used for too long."));
    const auto scopes = scope.empty() ? OrRefusal<std::vector<AppScope>>(grant->scopes) : read_scopes(scope);
    if (!scopes.has_value() || !covers(grant->scopes, *scopes))
        return OrRefusal<IssuedTokens>(invalid_scope("scope names more than was allowed."));
    if (auto again = same_answer(*grant, token, system.now)) {
        if (!covers(*scopes, again->scopes)) // nobody gets a token that may more than was asked for
            return OrRefusal<IssuedTokens>(
                invalid_scope("The refresh token was used with more in scope a moment ago."));
        return OrRefusal<IssuedTokens>(*std::move(again));
    }
    if (!equal_in_constant_time(grant->refresh_hash, sha256(token))) { // two have it: neither keeps anything
        TRY(grants().remove(system.txn, *grant));
        return OrRefusal<IssuedTokens>(
            invalid_grant("The refresh token was used before; what it gave is worth nothing any more."));
    }
    auto changed = *grant;
    auto tokens = give_tokens(changed, *scopes, true, system.now, system.tools.random);
    changed.old_refresh_hash = grant->refresh_hash;
    changed.sealed = sealed_tokens(tokens, token, system.tools.random);
    TRY(grants().update(system.txn, *grant, changed));
    return OrRefusal<IssuedTokens>(std::move(tokens));
}

Result<void> revoke_app_token(SystemContext& system, const Application& application, std::string_view token) {
    const auto hash = sha256(token);
    if (const auto grant = TRY(find_grant(system, application, AppTokenKind::refresh, token))) {
        if (equal_in_constant_time(grant->refresh_hash, hash) ||
            equal_in_constant_time(grant->old_refresh_hash, hash))
            TRY(grants().remove(system.txn, *grant));
        return {};
    }
    const auto grant = TRY(find_grant(system, application, AppTokenKind::access, token));
    if (!grant || !opens(*grant, token, system.now))
        return {};
    auto changed = *grant;
    const bool is_old = equal_in_constant_time(grant->old_access_hash, hash);
    (is_old ? changed.old_access_ends_at : changed.access_ends_at) = system.now;
    return grants().update(system.txn, *grant, changed);
}

Result<std::optional<TokenFacts>> look_at_token(SystemContext& system, const Application& application,
                                                std::string_view token) {
    const bool is_refresh = grant_of_token(AppTokenKind::refresh, token).has_value();
    const auto grant = TRY(
        find_grant(system, application, is_refresh ? AppTokenKind::refresh : AppTokenKind::access, token));
    if (!grant)
        return std::optional<TokenFacts>();
    const auto hash = sha256(token);
    const bool good = is_refresh ? equal_in_constant_time(grant->refresh_hash, hash) &&
                                       system.now < grant->refresh_ends_at()
                                 : opens(*grant, token, system.now);
    if (!good)
        return std::optional<TokenFacts>();
    const auto account = TRY(schema().accounts.find(system.txn, grant->account.view()));
    const bool is_old = equal_in_constant_time(grant->old_access_hash, hash);
    return std::optional(TokenFacts{.username = account ? account->username : "",
                                    .account = grant->account,
                                    .scopes = is_refresh ? grant->scopes : scopes_of(*grant, token),
                                    .ends_at = is_refresh ? grant->refresh_ends_at()
                                               : is_old   ? grant->old_access_ends_at
                                                          : grant->access_ends_at,
                                    .is_refresh = is_refresh});
}

Result<bool> prune_grants(SystemContext& system) { return erase_ended(system, grants()); }

} // namespace slashpost

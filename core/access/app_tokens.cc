#include "core/access/app_tokens.h"

#include "core/base/secret.h"
#include "core/schema/schema.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

constexpr std::size_t id_characters = 32, secret_characters = 64;

std::string_view prefix_of(AppTokenKind kind) {
    switch (kind) {
    case AppTokenKind::code:
        return "spc_";
    case AppTokenKind::access:
        return "spa_";
    case AppTokenKind::refresh:
        return "spr_";
    }
    return {};
}

} // namespace

std::string make_app_token(AppTokenKind kind, GrantId grant, Random& random) {
    return fmt::format("{}{}{}", prefix_of(kind), grant.hex(), make_token(random));
}

std::optional<GrantId> grant_of_token(AppTokenKind kind, std::string_view text) {
    const auto prefix = prefix_of(kind);
    if (!text.starts_with(prefix) || text.size() != prefix.size() + id_characters + secret_characters)
        return std::nullopt;
    return GrantId::parse(text.substr(prefix.size(), id_characters));
}

bool opens(const Grant& grant, std::string_view access_token, Timestamp now) {
    const auto hash = sha256(access_token);
    return (equal_in_constant_time(grant.access_hash, hash) && now < grant.access_ends_at) ||
           (equal_in_constant_time(grant.old_access_hash, hash) && now < grant.old_access_ends_at);
}

const std::vector<AppScope>& present_scopes(const Grant& grant) {
    return grant.access_scopes.empty() ? grant.scopes : grant.access_scopes;
}

const std::vector<AppScope>& scopes_of(const Grant& grant, std::string_view access_token) {
    if (!equal_in_constant_time(grant.old_access_hash, sha256(access_token)))
        return present_scopes(grant);
    return grant.old_access_scopes.empty() ? grant.scopes : grant.old_access_scopes;
}

Result<std::optional<Application>> application_in_force(data::View& view, ApplicationId id) {
    auto application = TRY(schema().applications.find(view, id.view()));
    if (!application)
        return application;
    const auto owner = TRY(schema().accounts.find(view, application->account.view()));
    if (!owner || owner->suspended_at)
        application.reset();
    return application;
}

} // namespace slashpost

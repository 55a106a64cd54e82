#include "http/api/scopes.h"

#include "core/base/errors.h"
#include "http/api/resource_metadata.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace {

using enum AppScope;
constexpr std::optional<AppScope> nobody;

constexpr std::array rows{
    ScopeRow{.begins = "/account/keys", .ends = "", .read = nobody, .write = nobody},
    ScopeRow{.begins = "/account/sessions", .ends = "", .read = nobody, .write = nobody},
    ScopeRow{.begins = "/account/applications", .ends = "", .read = nobody, .write = nobody},
    ScopeRow{.begins = "/account/connections", .ends = "", .read = nobody, .write = nobody},
    ScopeRow{.begins = "", .ends = "/statistics", .read = statistics_read, .write = everything},
    ScopeRow{.begins = "", .ends = "/audit", .read = events_read, .write = everything},
    ScopeRow{.begins = "/events", .ends = "", .read = events_read, .write = everything},
    ScopeRow{.begins = "/links", .ends = "", .read = links_read, .write = links_write},
    ScopeRow{.begins = "/apps", .ends = "", .read = links_read, .write = links_write},
    ScopeRow{.begins = "/tags", .ends = "", .read = tags_read, .write = tags_write},
    ScopeRow{.begins = "/scripts", .ends = "", .read = scripts_read, .write = scripts_write},
    ScopeRow{.begins = "/domains", .ends = "", .read = domains_read, .write = domains_write},
    ScopeRow{.begins = "/conversions", .ends = "", .read = everything, .write = conversions_write},
    ScopeRow{.begins = "/webhooks", .ends = "", .read = webhooks_read, .write = webhooks_write},
    ScopeRow{.begins = "/workspaces/{workspace_id}/domains",
             .ends = "",
             .read = domains_read,
             .write = domains_write},
    ScopeRow{.begins = "/workspaces/{workspace_id}/teammates",
             .ends = "",
             .read = teammates_read,
             .write = teammates_write},
    ScopeRow{.begins = "/workspaces/{workspace_id}/invite",
             .ends = "",
             .read = teammates_read,
             .write = teammates_write},
    ScopeRow{.begins = "/workspaces", .ends = "", .read = workspaces_read, .write = workspaces_write},
    ScopeRow{.begins = "/account/workspaces", .ends = "", .read = workspaces_read, .write = everything},
    ScopeRow{.begins = "/account/teams", .ends = "", .read = workspaces_read, .write = everything},
    ScopeRow{.begins = "", .ends = "", .read = everything, .write = everything},
};

std::string_view name_of(AppScope scope) {
    const auto* const found =
        std::ranges::find(app_scopes, scope, &std::pair<std::string_view, AppScope>::second);
    return found == app_scopes.end() ? std::string_view() : found->first;
}

} // namespace

std::optional<AppScope> needed_scope(const Route& route) {
    const auto* const row = std::ranges::find_if(rows, [&](const ScopeRow& one) {
        return route.path.starts_with(one.begins) && route.path.ends_with(one.ends);
    });
    return route.guard.access == Access::read ? row->read : row->write;
}

bool may_call(const std::vector<AppScope>& scopes, const Route& route) {
    if (route.guard.access == Access::read && route.guard.limited_keys == LimitedKeys::all)
        return true;
    const auto needed = needed_scope(route);
    const auto has = [&](AppScope scope) { return std::ranges::find(scopes, scope) != scopes.end(); };
    return needed && (has(*needed) || has(everything));
}

std::unexpected<Error> scope_refused(const Route& route) {
    const auto needed = needed_scope(route);
    return refused("LimitedKey", "apikey",
                   needed
                       ? fmt::format("This token is not for that: it needs the scope {}.", name_of(*needed))
                       : std::string("This is open to no application."));
}

http::Header scope_challenge(const Route& route, const Settings* settings, const http::Request& request) {
    const auto needed = needed_scope(route);
    const auto metadata = metadata_parameter(settings, request);
    return {"WWW-Authenticate",
            fmt::format("Bearer error=\"insufficient_scope\"{}{}{}",
                        needed ? fmt::format(", scope=\"{}\"", name_of(*needed)) : std::string(),
                        metadata.empty() ? "" : ", ", metadata)};
}

} // namespace slashpost::api

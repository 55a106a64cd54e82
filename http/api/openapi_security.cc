#include "http/api/openapi_security.h"

#include "core/ops/app_requests.h"
#include "http/api/openapi_refusals.h"
#include "http/api/scopes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::string_view oauth_scheme = "oauth2";

constexpr std::array<std::pair<AppScope, std::string_view>, app_scopes.size()> scope_notes{{
    {AppScope::everything,
     "All that the account may do, but for keys, sessions and applications. It stands for every "
     "other scope."},
    {AppScope::offline_access,
     "To go on when the person is gone: a refresh token. It goes with another scope."},
    {AppScope::links_read, "Read links and what belongs to them."},
    {AppScope::links_write, "Make, change and delete links and what belongs to them."},
    {AppScope::tags_read, "Read tags."},
    {AppScope::tags_write, "Make, change and delete tags."},
    {AppScope::scripts_read, "Read scripts."},
    {AppScope::scripts_write, "Make, change and delete scripts."},
    {AppScope::domains_read, "Read domains and with whom they are shared."},
    {AppScope::domains_write, "Register, change, share and delete domains."},
    {AppScope::workspaces_read, "Read workspaces."},
    {AppScope::workspaces_write, "Make, change and delete workspaces."},
    {AppScope::teammates_read, "Read who works in a workspace, and invites."},
    {AppScope::teammates_write, "Invite people, change their roles and remove them."},
    {AppScope::statistics_read, "Read statistics."},
    {AppScope::conversions_write, "Report conversions."},
    {AppScope::events_read, "Read what happened in a workspace and to a link."},
    {AppScope::webhooks_read, "Read webhooks and their deliveries."},
    {AppScope::webhooks_write, "Make, change, try and delete webhooks."},
}};

json::object scopes_with_notes() {
    json::object out;
    for (const auto& [scope, note] : scope_notes)
        out[scope_text({scope})] = note;
    return out;
}

// RFC 6749 with PKCE; the addresses are those of /.well-known/oauth-authorization-server.
json::object oauth_of(std::string_view dashboard_url) {
    const auto token_url = fmt::format("{}/connect/token", dashboard_url);
    return {
        {"type", "oauth2"},
        {"description",
         "The token of an application that a person allowed something. A code comes with PKCE (RFC "
         "7636) by S256."},
        {"flows",
         json::object{{"authorizationCode",
                       json::object{{"authorizationUrl", fmt::format("{}/connect/authorize", dashboard_url)},
                                    {"tokenUrl", token_url},
                                    {"refreshUrl", token_url},
                                    {"scopes", scopes_with_notes()}}}}}};
}

} // namespace

json::object security_schemes(std::string_view dashboard_url) {
    json::object out{{"apikey", json::object{{"type", "apiKey"}, {"in", "header"}, {"name", "apikey"}}},
                     {"bearer", json::object{{"type", "http"}, {"scheme", "bearer"}}}};
    if (!dashboard_url.empty())
        out[oauth_scheme] = oauth_of(dashboard_url);
    return out;
}

json::array usual_security() {
    return {json::object{{"apikey", json::array{}}}, json::object{{"bearer", json::array{}}}};
}

std::optional<json::array> security_of(const Route& route, bool has_applications) {
    if (!has_caller(route))
        return json::array{};
    const auto needed = needed_scope(route);
    const bool any_will_do = may_call({}, route);
    if (!has_applications || (!needed && !any_will_do))
        return std::nullopt;
    json::array scopes;
    if (!any_will_do)
        scopes.emplace_back(scope_text({*needed}));
    auto out = usual_security();
    out.push_back(json::object{{oauth_scheme, std::move(scopes)}});
    return out;
}

} // namespace slashpost::api

// The table of routes says what tests/spec says, which was typed from the interface.
#include "http/api/names.h"
#include "http/api/routes.h"
#include "tests/api/spec_lists.h"

#include <fmt/format.h>

#include <set>

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string types_text(WorkspaceTypes types) {
    switch (types) {
    case WorkspaceTypes::any:
        return "any";
    case WorkspaceTypes::classic:
        return "classic";
    case WorkspaceTypes::extended:
        return "extended";
    case WorkspaceTypes::gallery:
        return "gallery";
    case WorkspaceTypes::classic_or_gallery:
        return "classic|gallery";
    }
    return "?";
}

std::string role_text(const api::Route& route) {
    if (route.operation.document)
        return "anyone";
    if (route.guard.scope == Scope::account)
        return "account";
    return std::string(wire::name_of(route.guard.role)) +
           (route.guard.too_low == TooLow::not_found ? "/404" : "");
}

std::string access_line(const api::Route& route) {
    const auto& guard = route.guard;
    // That one in its body. Those that deleteLinks names may be deleted already; what a PUT does not find by
    // an external id it makes.
    const bool by_external_id =
        route.path.find("{external_id}") != route.path.npos && route.method != http::Method::put;
    const bool names_link = route.path.find("{link_id}") != route.path.npos || by_external_id ||
                            route.operation_id == "createConversion";
    const auto feature = to_string(guard.feature);
    return fmt::format("{} {} {} {} {} {} {} {} {}{}{}", to_string(route.method), route.path,
                       role_text(route), guard.access == Access::write ? "yes" : "no",
                       feature.empty() ? "-" : feature, guard.refuses_revoked() ? "refused" : "-",
                       types_text(guard.types),
                       !names_link || guard.link == LinkState::any ? "-"
                       : guard.link == LinkState::readable         ? "404"
                                                                   : "403",
                       guard.domain == DomainState::in_force ? "refused" : "-",
                       guard.kind == LinkKind::rotator         ? " rotator"
                       : guard.place == LinkDomain::any_domain ? " anywhere"
                                                               : "",
                       guard.place == LinkDomain::shared_domain_to_change ? " echo" : "");
}

std::set<std::string> lines_of(const std::string& file) {
    std::set<std::string> out;
    for (const auto& words : spec_lines(file)) {
        std::string line;
        for (const auto& word : words)
            line += (line.empty() ? "" : " ") + word;
        out.insert(line);
    }
    return out;
}

} // namespace

TEST_CASE("the routes are those of the interface, nothing missing and nothing extra", "[routes]") {
    std::set<std::string> routes;
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            routes.insert(fmt::format("{} {}", to_string(route.method), route.path));
    CHECK(routes == lines_of("endpoints.txt"));
}

TEST_CASE("the guards are those of the interface", "[routes]") {
    std::set<std::string> guards;
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            guards.insert(access_line(route));
    CHECK(guards == lines_of("access.txt"));
}

TEST_CASE("operation ids are unique", "[routes]") {
    std::set<std::string_view> ids;
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            CHECK(ids.insert(route.operation_id).second);
}

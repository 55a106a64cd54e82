#include "http/api/error_codes.h"

#include "http/api/path_parameters.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 14> refusals{"LimitedKey",
                                                    "Forbidden",
                                                    "FeatureNotIncluded",
                                                    "RevokedWorkspace",
                                                    "WrongWorkspaceType",
                                                    "DeletedLink",
                                                    "RevokedDomain",
                                                    "WrongLinkType",
                                                    "WrongApplicationType",
                                                    "LimitReached",
                                                    "CouldNotDeleteDefaultWorkspace",
                                                    "CouldNotDeleteExtendedWorkspace",
                                                    "ConversionTrackingDisabled",
                                                    "ExpiredClick"};
constexpr std::array<std::string_view, 16> answers{
    "InvalidFormat",   "Unauthorized",       "NotFound",      "MethodNotAllowed",
    "NotAcceptable",   "RequestTimeout",     "Conflict",      "PreconditionFailed",
    "PayloadTooLarge", "IdempotencyKeyUsed", "TargetTooLong", "ExpectationFailed",
    "TooManyRequests", "HeadersTooLarge",    "InternalError", "Unavailable"};
constexpr std::array<std::string_view, 10> fields{
    "RequiredField", "InvalidFormat", "InvalidLength", "OutOfRange", "PatternMismatch",
    "AlreadyExists", "NotFound",      "NotVerified",   "NotActive",  "NotShared"};

json::array joined(std::span<const std::string_view> first, std::span<const std::string_view> second) {
    json::array out;
    for (const auto& codes : {first, second})
        for (const auto code : codes)
            out.emplace_back(code);
    return out;
}

void add(json::array& to, bool possible, std::string_view code) {
    const auto is_code = [&](const json::value& one) { return one.as_string() == code; };
    if (possible && std::ranges::none_of(to, is_code))
        to.emplace_back(code);
}

bool has_parameter(const Route& route, std::string_view parameter) {
    return route.path.find(fmt::format("{{{}}}", parameter)) != route.path.npos;
}

bool names_link(const Route& route) {
    return has_parameter(route, "link_id") || has_parameter(route, external_id_parameter);
}

} // namespace

json::array answer_codes() { return joined(answers, refusals); }

json::array item_codes() { return joined(fields, refusals); }

bool asks_for_sharing(const Route& route) {
    return names_link(route) && route.guard.access == Access::write &&
           route.guard.place != LinkDomain::any_domain;
}

json::object error_codes(const Route& route) {
    const Guard& guard = route.guard;
    json::array refused, missing;
    const bool by_role = guard.scope == Scope::workspace && guard.role != Role::viewer;
    add(refused, guard.access == Access::write || guard.limited_keys != LimitedKeys::all, "LimitedKey");
    add(refused, by_role && guard.too_low == TooLow::forbidden, "Forbidden");
    add(refused, guard.feature != Feature::none, "FeatureNotIncluded");
    add(refused, guard.refuses_revoked(), "RevokedWorkspace");
    add(refused, guard.types != WorkspaceTypes::any, "WrongWorkspaceType");
    add(refused, names_link(route) && guard.link == LinkState::live, "DeletedLink");
    add(refused, guard.domain == DomainState::in_force, "RevokedDomain");
    add(refused, guard.kind == LinkKind::rotator, "WrongLinkType");
    add(refused, true, "InvalidFormat");
    add(missing, guard.scope == Scope::workspace, "NotFound workspace");
    for (auto rest = route.path; rest.find('{') != rest.npos;) {
        rest.remove_prefix(rest.find('{') + 1);
        const auto parameter = rest.substr(0, rest.find('}'));
        const bool is_made = route.method == http::Method::put && parameter == external_id_parameter;
        add(missing, !is_made, fmt::format("NotFound {}", resource_of_parameter(parameter)));
    }
    for (const auto code : route.further_codes)
        add(code.starts_with("NotFound ") ? missing : refused, true, code);
    json::object out{{"403", std::move(refused)}};
    if (!missing.empty())
        out["404"] = std::move(missing);
    return out;
}

} // namespace slashpost::api

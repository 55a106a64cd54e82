#include "http/api/resource_metadata.h"

#include "core/model/application.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::array<std::string_view, 3> resources{"", "/v1", "/mcp"};

std::string_view path_of(const http::Request& request) {
    return std::string_view(request.target).substr(0, request.target.find('?'));
}

// As the caller wrote it: who asks compares.
std::string origin_of(const Settings& settings, const http::Request& request) {
    const bool secure = settings.api_url.starts_with("https://");
    return fmt::format("{}://{}", secure ? "https" : "http", request.host);
}

// "/v1" of "/v1/links".
std::string_view resource_at(std::string_view path) {
    const auto first = path.substr(0, path.find('/', 1));
    return std::ranges::find(resources, first) == resources.end() ? std::string_view() : first;
}

http::Reply reply(unsigned status, std::string body) {
    http::Reply out{.status = status,
                    .headers = {{"Access-Control-Allow-Origin", "*"},
                                {"Access-Control-Allow-Methods", "GET, HEAD, OPTIONS"},
                                {"Access-Control-Allow-Headers", "*"},
                                {"X-Content-Type-Options", "nosniff"}},
                    .body = std::move(body)};
    if (!out.body.empty())
        out.headers.push_back({"Content-Type", "application/json"});
    return out;
}

} // namespace

std::string metadata_parameter(const Settings* settings, const http::Request& request) {
    if (settings == nullptr || settings->dashboard_url.empty() || request.host.empty())
        return {};
    return fmt::format("resource_metadata=\"{}{}{}\"", origin_of(*settings, request), resource_metadata_path,
                       resource_at(path_of(request)));
}

http::Header bearer_challenge(const Settings* settings, const http::Request& request, bool token_was_wrong) {
    std::string value = "Bearer";
    if (const auto metadata = metadata_parameter(settings, request); !metadata.empty())
        value += fmt::format(" {}{}", metadata, token_was_wrong ? ", error=\"invalid_token\"" : "");
    return {"WWW-Authenticate", std::move(value)};
}

std::optional<http::Reply> resource_metadata(const Settings& settings, const http::Request& request) {
    const auto path = path_of(request);
    if (!path.starts_with(resource_metadata_path))
        return std::nullopt;
    const auto resource = path.substr(resource_metadata_path.size());
    if (request.method == http::Method::options)
        return reply(204, {});
    if (request.method != http::Method::get && request.method != http::Method::head)
        return reply(405, {});
    if (settings.dashboard_url.empty() || std::ranges::find(resources, resource) == resources.end())
        return reply(404, {});
    json::array scopes;
    for (const auto& [name, scope] : app_scopes)
        scopes.emplace_back(name);
    return reply(200, json::serialize(json::object{
                          {"resource", fmt::format("{}{}", origin_of(settings, request), resource)},
                          {"authorization_servers", json::array{settings.dashboard_url}},
                          {"scopes_supported", std::move(scopes)},
                          {"bearer_methods_supported", json::array{"header"}}}));
}

} // namespace slashpost::api

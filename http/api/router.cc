#include "http/api/router.h"

#include "core/base/percent.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace slashpost::api {

struct Router::Node {
    std::map<std::string, std::unique_ptr<Node>, std::less<>> fixed;
    std::unique_ptr<Node> parameter;
    std::string_view parameter_name;
    std::vector<std::pair<const RouteList*, const Route*>> routes;
};

namespace {

constexpr std::size_t segments_max = 16;

// "/links/{link_id}" -> "links", "{link_id}"; nothing when it does not begin with '/', is too long, or has
// an empty segment in front of its end.
std::optional<std::vector<std::string_view>> segments_of(std::string_view path) {
    if (!path.starts_with('/'))
        return std::nullopt;
    if (path.ends_with('/'))
        path.remove_suffix(1);
    std::vector<std::string_view> out;
    while (!path.empty()) {
        path.remove_prefix(1);
        const auto segment = path.substr(0, path.find('/'));
        if (segment.empty() || out.size() == segments_max)
            return std::nullopt;
        out.push_back(segment);
        path.remove_prefix(segment.size());
    }
    return out;
}

} // namespace

Router::Router(std::span<const RouteList* const> lists) : root_(std::make_unique<Node>()) {
    for (const auto* list : lists)
        for (const auto& route : list->routes)
            add(*list, route);
}

Router::~Router() = default;

void Router::add(const RouteList& list, const Route& route) {
    auto* node = root_.get();
    const auto segments = segments_of(route.path).value();
    for (const auto segment : segments) {
        const bool is_parameter = segment.starts_with('{');
        auto& next = is_parameter ? node->parameter : node->fixed[std::string(segment)];
        if (!next)
            next = std::make_unique<Node>();
        if (is_parameter)
            node->parameter_name = segment.substr(1, segment.size() - 2);
        node = next.get();
    }
    for (const auto& [other_list, other] : node->routes)
        if (other->method == route.method) {
            fmt::print(stderr, "two routes {} {}\n", to_string(route.method), route.path);
            std::abort();
        }
    node->routes.emplace_back(&list, &route);
}

Router::Match Router::match(http::Method method, std::string_view path) const {
    Match match;
    const auto segments = segments_of(path);
    if (!segments)
        return match;
    const auto* node = root_.get();
    for (const auto segment : *segments) {
        auto text = percent_decoded(segment);
        if (const auto fixed = node->fixed.find(text); fixed != node->fixed.end()) {
            node = fixed->second.get();
        } else if (node->parameter) {
            match.path.emplace_back(node->parameter_name, std::move(text));
            node = node->parameter.get();
        } else {
            return {};
        }
    }
    for (const auto& [list, route] : node->routes) {
        // HEAD must change nothing, so it is not there for a GET that does (GET /links/new).
        const bool answers_head = route->method == http::Method::get && route->guard.access == Access::read;
        match.methods.push_back(route->method);
        if (answers_head)
            match.methods.push_back(http::Method::head);
        if (route->method == method || (answers_head && method == http::Method::head)) {
            match.list = list;
            match.route = route;
        }
    }
    return match;
}

} // namespace slashpost::api

// What a caller may send to a route: the first line says which route, and whether the rest is JSON, a form or
// a query. Every answer is one of the interface's; the store is whole afterwards.
#include "http/api/dispatch.h"
#include "http/api/routes.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/world.h"

#include <boost/json.hpp>

#include <algorithm>
#include <optional>

using namespace slashpost;
using namespace slashpost::fuzz;

namespace {

struct FuzzedApi {
    test::World world;
    RateLimiter keys{{.requests = 0, .period_seconds = 60}};
    RateLimiter addresses{{.requests = 0, .period_seconds = 60}};
    api::Api api{{.service = world.service,
                  .clock = world.clock,
                  .requests_per_key = keys,
                  .refusals_per_address = addresses,
                  .look_up_txt = [](std::string_view) { return std::vector<std::string>(); },
                  .read_page =
                      [](std::string_view, const AccountId&) {
                          return WebPageAnswer(std::unexpected(WebPageProblem::no_answer));
                      }},
                 api::all_routes(),
                 [](const Error& error) { must(false, error.message.c_str()); }};
    std::string link, tag, script;
    int calls = 0;

    FuzzedApi() {
        link = id_of("/v1/links", "destination=https://example.com/&slashtag=a&type=rotator");
        tag = id_of("/v1/tags", "name=t&color=ff0000");
        script = id_of("/v1/scripts", "name=s&value=x()");
    }

    std::string id_of(std::string target, std::string form) {
        const auto reply =
            send(http::Method::post, std::move(target), std::move(form), "application/x-www-form-urlencoded");
        return std::string(boost::json::parse(reply.body).at("id").as_string());
    }

    http::Reply send(http::Method method, std::string target, std::string body, std::string_view type) {
        http::Request request{.method = method,
                              .method_text = std::string(to_string(method)),
                              .target = std::move(target),
                              .host = "go.example.com",
                              .headers = {{"apikey", world.installed.key.key}},
                              .body = std::move(body),
                              .remote_address = "192.0.2.1"};
        if (!type.empty())
            request.headers.push_back({"Content-Type", std::string(type)});
        return api.serve(request);
    }

    // The path of a route with something that is there for each of its parameters.
    [[nodiscard]] std::string filled(std::string_view path) const {
        std::string out = "/v1";
        while (!path.empty()) {
            const auto begin = std::min(path.find('{'), path.size());
            out += path.substr(0, begin);
            path.remove_prefix(begin);
            if (path.empty())
                break;
            const auto name = path.substr(1, path.find('}') - 1);
            path.remove_prefix(name.size() + 2);
            out += value_of(name);
        }
        return out;
    }
    [[nodiscard]] std::string value_of(std::string_view parameter) const {
        if (parameter == "link_id")
            return link;
        if (parameter == "external_id")
            return "product%2F4711"; // made by the first PUT
        if (parameter == "tag_id")
            return tag;
        if (parameter == "script_id")
            return script;
        if (parameter == "domain_id")
            return world.installed.domain.id.hex();
        if (parameter == "workspace_id")
            return world.installed.account.default_workspace.hex();
        return "instagram";
    }
};

std::vector<const api::Route*> all_in_one_list() {
    std::vector<const api::Route*> out;
    for (const auto* list : api::all_routes())
        for (const auto& route : list->routes)
            out.push_back(&route);
    return out;
}

// Any text names a route, so that what a mutation makes of a name is not in vain.
const api::Route& route_of(std::string_view name) {
    static const auto routes = all_in_one_list();
    const auto named = std::ranges::find(routes, name, [](const auto* route) { return route->operation_id; });
    return named != routes.end() ? **named : *routes[std::hash<std::string_view>()(name) % routes.size()];
}

} // namespace

void slashpost::fuzz::try_input(std::string_view bytes) {
    static constexpr int calls_per_world =
        2'000; // then a new one, so that memory has a bound and all is checked
    static std::optional<FuzzedApi> fuzzed;
    auto left = bytes;
    const auto& route = route_of(take_line(left));
    const auto type = take_line(left); // anything but "form" and "query" is taken for JSON
    if (fuzzed && ++fuzzed->calls == calls_per_world) {
        must(fuzzed->world.inconsistency().empty(), fuzzed->world.inconsistency().c_str());
        fuzzed.reset();
    }
    if (!fuzzed)
        fuzzed.emplace();

    auto target = fuzzed->filled(route.path);
    if (type == "query")
        target.append("?").append(left.substr(0, left.find('#')));
    const auto reply =
        fuzzed->send(route.method, std::move(target), type == "query" ? "" : std::string(left),
                     type == "form" ? "application/x-www-form-urlencoded" : "application/json");
    must(reply.status >= 200 && reply.status < 500, "no body makes a fault");
    boost::system::error_code broken;
    if (route.operation.media_type == api::json_media_type) {
        boost::json::parse(reply.body, broken);
        must(!broken, "every answer is JSON");
    }
    if (route.method == http::Method::del && reply.status < 300)
        fuzzed.reset(); // what is gone would be missing for all that comes
}

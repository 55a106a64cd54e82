#include "http/api/mcp.h"

#include "core/base/percent.h"
#include "core/base/text.h"
#include "http/api/openapi.h"
#include "http/api/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::string_view path_of_messages = "/mcp";
constexpr std::string_view workspace_argument = "workspace";
constexpr std::string_view challenge_header = "WWW-Authenticate";
// The newest first, which a client gets that names one we do not know. They differ in what we make no use of.
constexpr std::array<std::string_view, 3> revisions{"2025-06-18", "2025-03-26", "2024-11-05"};

// What an assistant may do, by names of operations: look, search, make, change and measure. What deletes, and
// what is about people, keys and workspaces themselves, is left to people.
constexpr std::array<std::string_view, 25> operations{
    "getAccount",   "listWorkspaces",    "listDomains",      "listLinks",           "countLinks",
    "searchLinks",  "getLink",           "createLink",       "updateLink",          "setLinkFavourite",
    "resolveLink",  "getLinkHistory",    "restoreLink",      "listRules",           "createRule",
    "updateRule",   "listTags",          "createTag",        "attachTag",           "getOpenGraph",
    "setOpenGraph", "getLinkStatistics", "getTagStatistics", "getDomainStatistics", "getWorkspaceStatistics"};

// Of JSON-RPC 2.0, 5.1.
constexpr int parse_error = -32700, invalid_request = -32600, method_not_found = -32601,
              invalid_parameters = -32602;

constexpr std::string_view instructions =
    "Branded short links of one installation. Ids come from lists and searches. Without the argument "
    "workspace, calls "
    "are about the caller's default workspace. A refusal names every field that is wrong.";

const json::object& object_or_empty(const json::object& in, std::string_view name) {
    static const json::object none;
    const auto* found = in.if_contains(name);
    return found != nullptr && found->is_object() ? found->get_object() : none;
}

std::string_view text_or_empty(const json::object& in, std::string_view name) {
    const auto* found = in.if_contains(name);
    return found != nullptr && found->is_string() ? std::string_view(found->get_string())
                                                  : std::string_view();
}

// What "#/components/schemas/link" names.
const json::value& referred_to(std::string_view reference, const json::object& document) {
    const auto& components = document.at("components").as_object();
    const auto in_components = reference.substr(std::string_view("#/components/").size());
    const auto slash = in_components.find('/');
    return components.at(in_components.substr(0, slash)).at(in_components.substr(slash + 1));
}

// The schema with what it refers to in its place: a tool's has to stand for itself.
json::value written_out(const json::value& schema, const json::object& document) {
    if (const auto* list = schema.if_array()) {
        json::array out;
        for (const auto& item : *list)
            out.push_back(written_out(item, document));
        return out;
    }
    const auto* object = schema.if_object();
    if (object == nullptr)
        return schema;
    if (const auto* reference = object->if_contains("$ref"))
        return written_out(referred_to(reference->as_string(), document), document);
    json::object out;
    for (const auto& [name, value] : *object)
        out[name] = written_out(value, document);
    return out;
}

// A value of a query: a list with commas.
std::string query_text(const json::value& value) {
    if (value.is_string())
        return std::string(value.get_string());
    if (const auto* list = value.if_array()) {
        std::string out;
        for (const auto& item : *list)
            out += (out.empty() ? "" : ",") + query_text(item);
        return out;
    }
    return value.is_null() ? std::string() : json::serialize(value);
}

http::Request request_of_call(const Route& route, const http::Request& message) {
    http::Request out{.method = route.method,
                      .method_text = std::string(to_string(route.method)),
                      .target = {},
                      .host = message.host,
                      .headers = {},
                      .body = {},
                      .remote_address = message.remote_address};
    for (const auto& header : message.headers) {
        const auto name = lower_ascii(header.name);
        if (name == "apikey" || name == "authorization" || name == "idempotency-key" ||
            name == workspace_argument)
            out.headers.push_back(header);
    }
    out.headers.push_back({"Accept", "application/json"});
    return out;
}

bool has_header(const http::Reply& reply, std::string_view name) {
    return std::ranges::find(reply.headers, name, &http::Header::name) != reply.headers.end();
}

void set_header(http::Reply& reply, http::Header header) {
    std::erase_if(reply.headers, [&](const http::Header& one) { return one.name == header.name; });
    reply.headers.push_back(std::move(header));
}

struct Tool {
    const Route* route = nullptr;
    json::object description; // as tools/list has it
    // Where each argument goes; those that are in none of both go into the body.
    std::map<std::string, std::string, std::less<>> places; // "path", "query"
};
using Tools = std::map<std::string, Tool, std::less<>>; // by name

Tool tool_of(const Route& route, const json::object& document) {
    Tool out{.route = &route, .description = {}, .places = {}};
    const auto& operation =
        document.at("paths").at(route.path).at(lower_ascii(to_string(route.method))).as_object();
    json::object properties;
    json::array required;
    if (const auto* parameters = operation.if_contains("parameters"))
        for (const auto& given : parameters->as_array()) {
            const auto parameter = written_out(given, document);
            const auto& place = parameter.at("in").as_string();
            if (place == "header")
                continue;
            const auto& name = parameter.at("name").as_string();
            auto schema = parameter.at("schema").as_object();
            schema["description"] = parameter.at("description");
            properties[name] = std::move(schema);
            out.places.emplace(name, place);
            if (parameter.at("required").as_bool())
                required.emplace_back(name);
        }
    if (const auto* body = operation.if_contains("requestBody")) {
        const auto schema = written_out(body->at("content").at("application/json").at("schema"), document);
        for (const auto& [name, field] : schema.at("properties").as_object())
            properties[name] = field;
        if (const auto* names = schema.as_object().if_contains("required"))
            required.insert(required.end(), names->as_array().begin(), names->as_array().end());
    }
    if (route.guard.scope == Scope::workspace && !out.places.contains(workspace_parameter))
        properties.emplace(
            workspace_argument,
            json::object{{"type", "string"},
                         {"description", "Id of the workspace; the default one when absent."}});
    const bool reads = route.guard.access == Access::read;
    out.description = {
        {"name", route.operation_id},
        {"title", route.summary},
        {"description",
         fmt::format("{} {}", route.summary, std::string_view(operation.at("description").as_string()))},
        {"inputSchema", json::object{{"type", "object"},
                                     {"properties", std::move(properties)},
                                     {"required", std::move(required)}}},
        {"annotations",
         json::object{{"readOnlyHint", reads}, {"destructiveHint", false}, {"openWorldHint", false}}}};
    return out;
}

// Made when they are first asked for: most installations have no assistant, and it takes a moment.
const Tools& all_tools() {
    static const auto tools = [] {
        Tools out;
        const auto document = openapi_document(all_routes());
        for (const auto* list : all_routes())
            for (const auto& route : list->routes)
                if (std::ranges::find(operations, route.operation_id) != operations.end())
                    out.emplace(route.operation_id, tool_of(route, document));
        return out;
    }();
    return tools;
}

} // namespace

Mcp::Mcp(Api& api, std::string_view version) : api_(api), version_(version) {}

bool Mcp::takes(const http::Request& request) {
    return request.target.substr(0, request.target.find('?')) == path_of_messages;
}

http::Reply Mcp::admit_body(const http::Request& request) const {
    auto call = request;
    call.target = "/v1/links"; // any call that has a body
    return api_.admit_body(call);
}

http::Reply Mcp::serve(const http::Request& request) const {
    json::object out{{"jsonrpc", "2.0"}, {"id", nullptr}};
    const auto fail = [&](unsigned status, int code, std::string_view words) {
        out["error"] = {{"code", code}, {"message", words}};
        return reply(status, out);
    };
    if (request.method != http::Method::post) { // nothing is sent unasked, and no session is kept
        auto refused = fail(405, invalid_request, "Messages are sent with POST.");
        refused.headers.push_back({"Allow", "POST"});
        return refused;
    }
    boost::system::error_code error;
    const auto message = json::parse(request.body, error);
    if (error)
        return fail(400, parse_error, "The message is not JSON.");
    const auto* object = message.if_object();
    if (object == nullptr || text_or_empty(*object, "jsonrpc") != "2.0" ||
        text_or_empty(*object, "method").empty())
        return fail(400, invalid_request, "Send one request of JSON-RPC 2.0 as an object.");
    const auto* id = object->if_contains("id");
    if (id == nullptr) // a notification; none changes anything here
        return reply(202, {});
    if (!id->is_string() && !id->is_number())
        return fail(400, invalid_request, "The id of a request is a text or a number.");
    out["id"] = *id;
    auto outcome = answer(text_or_empty(*object, "method"), object_or_empty(*object, "params"), request);
    if (outcome.refusal)
        return *std::move(outcome.refusal);
    if (outcome.error != 0)
        return fail(200, outcome.error, outcome.message);
    out["result"] = std::move(outcome.result);
    return reply(200, out);
}

Mcp::Outcome Mcp::answer(std::string_view method, const json::object& parameters,
                         const http::Request& request) const {
    if (method == "initialize")
        return initialize(parameters);
    if (method == "ping")
        return {};
    if (method == "tools/call")
        return call(parameters, request);
    if (method != "tools/list")
        return {.result = {},
                .error = method_not_found,
                .message = fmt::format("There is no method {}.", method),
                .refusal = {}};
    json::array tools;
    for (const auto name : operations)
        tools.push_back(all_tools().find(name)->second.description);
    return {.result = {{"tools", std::move(tools)}}, .error = 0, .message = {}, .refusal = {}};
}

Mcp::Outcome Mcp::initialize(const json::object& parameters) const {
    const auto* known = std::ranges::find(revisions, text_or_empty(parameters, "protocolVersion"));
    return {.result = {{"protocolVersion", known == revisions.end() ? revisions.front() : *known},
                       {"capabilities", json::object{{"tools", json::object{{"listChanged", false}}}}},
                       {"serverInfo",
                        json::object{{"name", "slashpost"}, {"title", "Slashpost"}, {"version", version_}}},
                       {"instructions", instructions}},
            .error = 0,
            .message = {},
            .refusal = {}};
}

Mcp::Outcome Mcp::call(const json::object& parameters, const http::Request& request) const {
    const auto refused = [](std::string words) {
        return Outcome{.result = {}, .error = invalid_parameters, .message = std::move(words), .refusal = {}};
    };
    const auto found = all_tools().find(text_or_empty(parameters, "name"));
    if (found == all_tools().end())
        return refused("There is no tool of this name; tools/list has those that there are.");
    const auto& tool = found->second;
    auto made = request_of_call(*tool.route, request);
    std::string path(tool.route->path), query;
    json::object body;
    for (const auto& [name, value] : object_or_empty(parameters, "arguments")) {
        const auto place = tool.places.find(std::string_view(name));
        if (place == tool.places.end() && name == workspace_argument && value.is_string()) {
            std::erase_if(made.headers,
                          [](const auto& header) { return lower_ascii(header.name) == workspace_argument; });
            made.headers.push_back({"Workspace", std::string(value.get_string())});
        } else if (place == tool.places.end()) {
            body[name] = value;
        } else if (place->second == "query") {
            query += (query.empty() ? "?" : "&") + std::string(name) + '=';
            append_uri_value(query, query_text(value));
        } else if (const auto at = path.find(fmt::format("{{{}}}", std::string_view(name)));
                   at != path.npos) {
            std::string written;
            append_uri_value(written, query_text(value));
            path.replace(at, name.size() + 2, written);
        }
    }
    if (const auto open = path.find('{'); open != path.npos)
        return refused(
            fmt::format("The argument {} is missing.", path.substr(open + 1, path.find('}') - open - 1)));
    made.target = fmt::format("/v1{}{}", path, query);
    if (tool.route->method != http::Method::get) {
        made.headers.push_back({"Content-Type", "application/json"});
        made.body = json::serialize(body);
    }
    auto answered = api_.serve(made);
    // Challenges are those of the message, not of the call made from it. A 403 has one only for the scope of
    // a token (Model Context Protocol, Authorization, "Error Handling").
    const bool lacks_scope = answered.status == 403 && has_header(answered, challenge_header);
    if (answered.status == 401)
        set_header(answered, api_.challenge(request));
    if (lacks_scope)
        set_header(answered, api_.challenge_for_scope(request, *tool.route));
    if (answered.status == 401 || answered.status == 429 || lacks_scope)
        return {.result = {}, .error = 0, .message = {}, .refusal = std::move(answered)};
    return {.result = {{"content", json::array{json::object{{"type", "text"}, {"text", answered.body}}}},
                       {"isError", answered.status >= 400}},
            .error = 0,
            .message = {},
            .refusal = {}};
}

http::Reply Mcp::reply(unsigned status, const json::object& body) const {
    http::Reply out{.status = status,
                    .headers = api_.common_headers(),
                    .body = body.empty() ? "" : json::serialize(body)};
    if (!body.empty())
        out.headers.push_back({"Content-Type", "application/json"});
    return out;
}

} // namespace slashpost::api

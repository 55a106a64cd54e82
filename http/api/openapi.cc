#include "http/api/openapi.h"

#include "core/base/text.h"
#include "http/api/names.h"
#include "http/wire/error_body.h"

#include <boost/json.hpp>

#include <algorithm>

namespace slashpost::api {

namespace json = boost::json;

namespace {

constexpr std::string_view interface_version = "7.0.2"; // interface 9

json::object reference(std::string_view kind, std::string_view name) {
    return {{"$ref", "#/components/" + std::string(kind) + "/" + std::string(name)}};
}

json::object json_content(json::value schema) {
    return {{"application/json", json::object{{"schema", std::move(schema)}}}};
}

// A refusal that the document names: which routes can meet it, and an Error that has its status.
struct Refusal {
    std::string_view name;
    std::string_view description;
    Error sample;
    bool (*applies)(const Route& route);
};

bool has_caller(const Route& route) { return route.operation.document == nullptr; }
bool takes_workspace_header(const Route& route) {
    return has_caller(route) && route.guard.scope == Scope::workspace &&
           route.path.find("{workspace_id}") == route.path.npos;
}
bool has_body(const Route& route) { return route.operation.body != nullptr; }
bool is_list(const wire::ValueType& body) { return body.fields().empty(); }
bool needs_body(const wire::ValueType& body) {
    return is_list(body) ||
           std::ranges::any_of(body.fields(), [](const auto& field) { return field.rules.required; });
}

const std::vector<Refusal>& refusals() {
    static const std::vector<Refusal> all{
        {"Malformed", "The request cannot be read, for example because its JSON is broken.",
         malformed("").error(), has_caller},
        {"Unauthorized", "No API key, or not a valid one.", unauthenticated().error(), has_caller},
        {"Forbidden",
         "Not valid (code InvalidFormat; `errors` names every broken field), or not allowed: role, feature, "
         "type or "
         "state of the workspace, the domain or the link.",
         forbidden("").error(), has_caller},
        {"NotFound", "The resource or the workspace is absent, or not the caller's to know about.",
         not_found("", "").error(), has_caller},
        {"NotAcceptable", "The body has a media type other than JSON and form.",
         wire::media_type_refused().error(), has_body},
        {"Conflict", "Kept losing against concurrent writers; try again.", conflict("").error(),
         [](const Route& route) { return route.guard.access == Access::write; }},
        {"PayloadTooLarge", "The body is too large.", wire::body_too_large(0).error(), has_body},
        {"TooManyRequests", "Too many requests; Retry-After says in how many seconds to go on.",
         limited().error(), has_caller},
        {"InternalError", "Something went wrong inside the service.", fault("").error(), has_caller},
        {"Unavailable", "The service cannot do this now; Retry-After says when to try again.",
         unavailable("").error(), has_caller},
    };
    return all;
}

json::object rate_headers() {
    json::object out;
    for (const auto* name : {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"})
        out[name] = reference("headers", name);
    return out;
}

json::object response(std::string_view description, json::object content) {
    return {{"description", description}, {"headers", rate_headers()}, {"content", std::move(content)}};
}

json::object rate_header(std::string_view description) {
    return {{"description", description}, {"schema", json::object{{"type", "integer"}}}};
}

json::object error_schema() {
    const json::object text{{"type", "string"}};
    const json::object item{
        {"type", "object"},
        {"properties",
         json::object{{"code", text}, {"property", text}, {"message", text}, {"verbose", text}}},
        {"required", {"code", "property", "message", "verbose"}}};
    return {{"type", "object"},
            {"properties", json::object{{"code", text},
                                        {"message", text},
                                        {"httpCode", json::object{{"type", "integer"}}},
                                        {"source", text},
                                        {"id", text},
                                        {"errors", json::object{{"type", "array"}, {"items", item}}}}},
            {"required", {"code", "message", "httpCode", "source", "errors"}}};
}

// A nested shape becomes parameters with dotted names ("domain.id").
void add_query(std::span<const wire::Field> fields, const std::string& prefix, json::array& parameters,
               json::object& components) {
    for (const auto& field : fields) {
        const auto name = prefix + std::string(field.name);
        if (const auto inner = field.type->fields(); !inner.empty()) {
            add_query(inner, name + '.', parameters, components);
            continue;
        }
        json::object parameter{{"name", name},
                               {"in", "query"},
                               {"required", field.rules.required},
                               {"schema", field.type->schema(field.rules, wire::Use::query, components)}};
        if (parameter.at("schema").at("type") == "array")
            parameter["explode"] = false; // "a,b"
        parameters.push_back(std::move(parameter));
    }
}

json::array parameters_of(const Route& route, json::object& components) {
    json::array out;
    for (auto rest = route.path; rest.find('{') != rest.npos;) {
        rest.remove_prefix(rest.find('{') + 1);
        out.push_back(json::object{{"name", rest.substr(0, rest.find('}'))},
                                   {"in", "path"},
                                   {"required", true},
                                   {"schema", json::object{{"type", "string"}}}});
    }
    if (takes_workspace_header(route))
        out.push_back(reference("parameters", "Workspace"));
    if (route.operation.query != nullptr)
        add_query(route.operation.query->fields(), "", out, components);
    return out;
}

json::array types_of(WorkspaceTypes types) {
    json::array out;
    for (const auto& [name, type] : wire::EnumNames<WorkspaceType>::all)
        if (contains(types, type))
            out.emplace_back(name);
    return out;
}

// What the guard asks for, in the order in which it is checked.
json::object requirements(const Guard& guard) {
    json::object out;
    if (guard.scope == Scope::workspace)
        out["role"] = wire::name_of(guard.role);
    if (guard.feature != Feature::none)
        out["feature"] = to_string(guard.feature);
    if (guard.unless_revoked)
        out["workspace"] = "not revoked";
    if (guard.types != WorkspaceTypes::any)
        out["workspaceTypes"] = types_of(guard.types);
    if (guard.link == LinkState::live)
        out["link"] = "not deleted";
    if (guard.domain == DomainState::in_force)
        out["domain"] = "not revoked";
    return out;
}

json::object responses_of(const Route& route, json::object& components) {
    json::value reply = json::object{{"type", "object"}};
    if (route.operation.reply != nullptr)
        reply = route.operation.reply->schema({}, wire::Use::reply, components);
    json::object out{{"200", response("Done.", json_content(std::move(reply)))}};
    for (const auto& refusal : refusals())
        if (refusal.applies(route))
            out[std::to_string(wire::status_of(refusal.sample))] = reference("responses", refusal.name);
    return out;
}

json::object operation_of(const RouteList& list, const Route& route, json::object& components) {
    json::object out{
        {"operationId", route.operation_id}, {"summary", route.summary}, {"tags", {list.resource}}};
    if (auto parameters = parameters_of(route, components); !parameters.empty())
        out["parameters"] = std::move(parameters);
    if (has_body(route)) {
        const auto& body = *route.operation.body;
        const auto schema = body.schema({}, wire::Use::input, components);
        auto content = json_content(schema);
        if (!is_list(body)) // a form has names
            content["application/x-www-form-urlencoded"] = json::object{{"schema", schema}};
        out["requestBody"] = json::object{{"required", needs_body(body)}, {"content", std::move(content)}};
    }
    out["responses"] = responses_of(route, components);
    if (has_caller(route))
        out["x-requires"] = requirements(route.guard);
    else
        out["security"] = json::array{};
    return out;
}

json::object components_of(json::object schemas) {
    json::object responses;
    for (const auto& refusal : refusals())
        responses[refusal.name] = response(refusal.description, json_content(reference("schemas", "Error")));
    schemas["Error"] = error_schema();
    return {
        {"securitySchemes",
         json::object{{"apikey", json::object{{"type", "apiKey"}, {"in", "header"}, {"name", "apikey"}}}}},
        {"parameters",
         json::object{
             {"Workspace",
              json::object{{"name", "Workspace"},
                           {"in", "header"},
                           {"description", "Id of the workspace; the caller's default one when absent. "
                                           "Also accepted as the query parameter workspace."},
                           {"schema", json::object{{"type", "string"}}}}}}},
        {"headers",
         json::object{{"X-RateLimit-Limit", rate_header("Requests allowed per period.")},
                      {"X-RateLimit-Remaining", rate_header("Requests remaining in this period.")},
                      {"X-RateLimit-Reset", rate_header("End of the period, as a Unix timestamp.")}}},
        {"responses", std::move(responses)},
        {"schemas", std::move(schemas)}};
}

} // namespace

std::string openapi_document(std::span<const RouteList* const> lists) {
    json::object paths, schemas;
    for (const auto* list : lists)
        for (const auto& route : list->routes) {
            auto& path = paths[route.path];
            if (!path.is_object())
                path.emplace_object();
            path.get_object()[lower_ascii(to_string(route.method))] = operation_of(*list, route, schemas);
        }
    return json::serialize(json::object{
        {"openapi", "3.1.0"},
        {"info", json::object{{"title", "Slashpost"},
                              {"version", interface_version},
                              {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}},
                              {"description",
                               "Branded short links. An empty string means \"not given\" in every query "
                               "parameter and optional body field; null in an update takes a value away. "
                               "Nested names in queries and forms may be written domain.id or domain[id]. "
                               "Unknown keys are ignored."}}},
        {"servers", {json::object{{"url", "/v1"}}}},
        {"security", {json::object{{"apikey", json::array{}}}}},
        {"paths", std::move(paths)},
        {"components", components_of(std::move(schemas))}});
}

} // namespace slashpost::api

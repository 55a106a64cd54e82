#include "http/api/openapi.h"

#include "core/base/text.h"
#include "http/api/conditions.h"
#include "http/api/error_codes.h"
#include "http/api/names.h"
#include "http/api/openapi_refusals.h"
#include "http/api/openapi_security.h"
#include "http/api/path_parameters.h"
#include "http/api/samples.h"
#include "http/api/webhook_shapes.h"
#include "http/wire/error_body.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace slashpost::api {

namespace json = boost::json;

namespace {

json::object reference(std::string_view kind, std::string_view name) {
    return {{"$ref", "#/components/" + std::string(kind) + "/" + std::string(name)}};
}

json::object json_content(json::value schema) {
    return {{"application/json", json::object{{"schema", std::move(schema)}}}};
}

bool is_list(const wire::ValueType& body) { return body.fields().empty(); }
bool needs_body(const wire::ValueType& body) {
    return is_list(body) ||
           std::ranges::any_of(body.fields(), [](const auto& field) { return field.rules.required; });
}

json::object rate_headers() {
    json::object out;
    for (const auto* name :
         {"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit", "RateLimit-Policy"})
        out[name] = reference("headers", name);
    return out;
}

json::object response(std::string_view description, json::object content) {
    return {{"description", description}, {"headers", rate_headers()}, {"content", std::move(content)}};
}

json::object header_of(std::string_view type, std::string_view description) {
    return {{"description", description}, {"schema", json::object{{"type", type}}}};
}

json::object header_parameter(std::string_view name, std::string_view description) {
    return {{"name", name},
            {"in", "header"},
            {"description", description},
            {"schema", json::object{{"type", "string"}}}};
}

// A nested shape becomes parameters with dotted names ("domain.id").
void add_query(std::span<const wire::Field> fields, const std::string& prefix, json::array& parameters,
               json::object& components) {
    for (const auto& field : fields) {
        // What has no name is the value of the shape's own.
        const auto name =
            field.name.empty() ? prefix.substr(0, prefix.size() - 1) : prefix + std::string(field.name);
        if (const auto inner = field.type->fields(); !inner.empty()) {
            add_query(inner, name + '.', parameters, components);
            continue;
        }
        json::object parameter{{"name", name},
                               {"in", "query"},
                               {"description", field.rules.note},
                               {"required", field.rules.required},
                               {"schema", field.type->schema(field.rules, wire::Use::query, components)}};
        if (parameter.at("schema").at("type") == "array")
            parameter["explode"] = false; // "a,b"
        parameters.push_back(std::move(parameter));
    }
}

// `shown` is the route of a GET of the same path, null when there is none.
json::array parameters_of(const Route& route, const Route* shown, json::object& components) {
    json::array out;
    for (auto rest = route.path; rest.find('{') != rest.npos;) {
        rest.remove_prefix(rest.find('{') + 1);
        const auto name = rest.substr(0, rest.find('}'));
        out.push_back(json::object{{"name", name},
                                   {"in", "path"},
                                   {"required", true},
                                   {"description", path_parameter_note(name)},
                                   {"example", sample_text(name)},
                                   {"schema", json::object{{"type", "string"}}}});
    }
    if (takes_workspace_header(route))
        out.push_back(reference("parameters", "Workspace"));
    if (may_be_repeated(route, shown))
        out.push_back(reference("parameters", "Idempotency-Key"));
    if (takes_precondition(route, shown))
        out.push_back(reference("parameters", "If-Match"));
    if (&route == shown && shows_resource(route, shown))
        out.push_back(reference("parameters", "If-None-Match"));
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
    if (guard.refuses_revoked())
        out["workspace"] = "not revoked";
    if (guard.types != WorkspaceTypes::any)
        out["workspaceTypes"] = types_of(guard.types);
    if (guard.link == LinkState::live)
        out["link"] = "not deleted";
    if (guard.domain == DomainState::in_force)
        out["domain"] = "not revoked";
    if (guard.kind == LinkKind::rotator)
        out["linkType"] = "rotator";
    return out;
}

bool is_json(const Route& route) { return route.operation.media_type == json_media_type; }

// Without its character set.
std::string media_type_of(const Route& route) {
    return std::string(route.operation.media_type.substr(0, route.operation.media_type.find(';')));
}

// The guard in sentences.
std::string description_of(const Route& route) {
    if (!has_caller(route))
        return "Open to everybody: no key is needed.";
    const Guard& guard = route.guard;
    std::string out = guard.scope == Scope::account ? "For every account." : "";
    if (guard.scope == Scope::workspace)
        out = fmt::format("For members of the workspace from the role {} on{}.", wire::name_of(guard.role),
                          guard.too_low == TooLow::not_found ? "; others are told that it is not there" : "");
    if (guard.feature != Feature::none)
        out += fmt::format(" The plan of the workspace's owner has to include {}.", to_string(guard.feature));
    if (guard.refuses_revoked())
        out += " Not in a revoked workspace.";
    if (guard.types != WorkspaceTypes::any) {
        std::string types;
        for (const auto& type : types_of(guard.types))
            types += (types.empty() ? "" : " or ") + std::string(type.as_string());
        out += fmt::format(" Only in a workspace of the type {}.", types);
    }
    if (asks_for_sharing(route))
        out += " Only on a domain that is shared with the workspace.";
    if (guard.domain == DomainState::in_force)
        out += " Not while the domain is revoked.";
    return out;
}

json::object responses_of(const Route& route, const Route* shown, json::object& components) {
    json::object content;
    if (route.operation.reply != nullptr)
        content = json_content(route.operation.reply->schema({}, wire::Use::reply, components));
    else // a document or a file: what is in it is not this document's to say
        content[media_type_of(route)] =
            json::object{{"schema", json::object{{"type", is_json(route) ? "object" : "string"}}}};
    if (route.operation.part && !route.operation.is_stream)
        content[jsonl_media_type] = json::object{{"schema", json::object{{"type", "string"}}}};
    json::object out{{"200", response("Done.", std::move(content))}};
    const bool is_tagged = shows_resource(route, shown);
    auto& headers = out["200"].at("headers").as_object();
    if (is_tagged)
        headers["ETag"] = reference("headers", "ETag");
    if (may_be_repeated(route, shown))
        headers["Idempotent-Replayed"] = reference("headers", "Idempotent-Replayed");
    if (!has_caller(route) || (is_tagged && &route == shown))
        out["304"] = json::object{{"description", "The client has it already, as If-None-Match says."},
                                  {"headers", rate_headers()}};
    for (const auto& refusal : refusals())
        if (refusal.applies(route, shown))
            out[std::to_string(wire::status_of(refusal.samples.front()))] =
                reference("responses", refusal.name);
    return out;
}

json::object operation_of(const RouteList& list, const Route& route, const Route* shown,
                          json::object& components, bool has_applications) {
    json::object out{{"operationId", route.operation_id},
                     {"summary", route.summary},
                     {"description", description_of(route)},
                     {"tags", {list.resource}}};
    if (auto parameters = parameters_of(route, shown, components); !parameters.empty())
        out["parameters"] = std::move(parameters);
    if (has_body(route)) {
        const auto& body = *route.operation.body;
        const auto schema = body.schema({}, wire::Use::input, components);
        auto content = json_content(schema);
        if (!is_list(body)) // a form has names
            content["application/x-www-form-urlencoded"] = json::object{{"schema", schema}};
        out["requestBody"] = json::object{{"required", needs_body(body)}, {"content", std::move(content)}};
    }
    out["responses"] = responses_of(route, shown, components);
    if (has_caller(route)) {
        out["x-requires"] = requirements(route.guard);
        out["x-error-codes"] = error_codes(route);
    }
    if (auto security = security_of(route, has_applications))
        out["security"] = *std::move(security);
    return out;
}

// Examples are made when all shapes are known.
void add_examples(json::object& operation, const json::object& schemas) {
    const auto add = [&](json::value& content, SampleOf use) {
        for (auto& [type, media] : content.as_object())
            if (type != "text/html")
                media.as_object()["example"] = sample_of(media.at("schema"), schemas, use);
    };
    if (auto* body = operation.if_contains("requestBody"))
        add(body->at("content"), SampleOf::input);
    add(operation.at("responses").at("200").at("content"), SampleOf::reply);
}

// What the resources are, for readers; one that is not here is called by its name alone.
std::string tag_note(std::string_view resource) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 14> notes{{
        {"link", "Short addresses and where they lead."},
        {"tag", "Words to sort links by."},
        {"script", "What the browsers of visitors run on their way."},
        {"rule", "Other destinations for some visitors of a link."},
        {"rotator", "Several destinations of one link, in turn or by weight."},
        {"opengraph", "How a link looks where it is shared."},
        {"app", "Apps that open on a visitor's device instead of a page."},
        {"domain", "Hosts that short addresses begin with."},
        {"workspace", "What links, domains, tags and people belong to."},
        {"teammate", "The people of a workspace and their roles."},
        {"invite", "Who is asked to join a workspace."},
        {"webhook", "Addresses that are told what happens in a workspace."},
        {"account", "Who you are, and what your plan includes."},
        {"document", "This description, for programs and for people."},
    }};
    const auto* found =
        std::ranges::find(notes, resource, &std::pair<std::string_view, std::string_view>::first);
    return std::string(found == notes.end() ? resource : found->second);
}

// What receivers are sent.
json::object webhooks_of(json::object& schemas) {
    json::array headers;
    for (const auto& [name, note] :
         {std::pair{"webhook-id", "Id of the event; the same in every attempt."},
          {"webhook-timestamp", "When the attempt was made, in Unix seconds."},
          {"webhook-signature", "v1, and the HMAC of id.timestamp.body, or v1a, and its Ed25519 signature; "
                                "of each secret in force, with spaces."}}) {
        headers.push_back(header_parameter(name, note));
        headers.back().as_object()["required"] = true;
    }
    auto content = json_content(webhook_message_type().schema({}, wire::Use::reply, schemas));
    return {{"event",
             json::object{
                 {"post",
                  json::object{
                      {"operationId", "receiveEvent"},
                      {"summary", "Be told what happened, as Standard Webhooks say."},
                      {"parameters", std::move(headers)},
                      {"requestBody", json::object{{"required", true}, {"content", std::move(content)}}},
                      {"responses", json::object{{"2XX", json::object{{"description", "It arrived."}}}}}}}}}};
}

json::array tags_of(std::span<const RouteList* const> lists) {
    json::array out;
    for (const auto* list : lists) {
        const bool known = std::ranges::any_of(
            out, [&](const json::value& tag) { return tag.at("name").as_string() == list->resource; });
        if (!known)
            out.push_back(json::object{{"name", list->resource}, {"description", tag_note(list->resource)}});
    }
    return out;
}

json::object components_of(json::object schemas, std::string_view dashboard_url) {
    json::object responses;
    for (const auto& refusal : refusals()) {
        auto content = json_content(reference("schemas", "Error"));
        json::object examples;
        for (const auto& sample : refusal.samples) {
            auto body = json::parse(wire::error_body(sample));
            const std::string code(body.at("code").as_string());
            examples[code] = json::object{{"value", std::move(body)}};
        }
        content.at("application/json").as_object()["examples"] = std::move(examples);
        content["application/problem+json"] = json::object{{"schema", reference("schemas", "Problem")}};
        if (wire::status_of(refusal.samples.front()) == 401)
            content["text/plain"] = json::object{{"schema", json::object{{"type", "string"}}}};
        responses[refusal.name] = response(refusal.description, std::move(content));
    }
    schemas["Error"] = error_schema();
    schemas["Problem"] = problem_schema();
    return {
        {"securitySchemes", security_schemes(dashboard_url)},
        {"parameters",
         json::object{
             {"Workspace",
              header_parameter("Workspace", "Id of the workspace; the caller's default one when absent. "
                                            "Also accepted as the query parameter workspace.")},
             {"Idempotency-Key",
              header_parameter("Idempotency-Key",
                               "1 to 255 visible characters, such as a UUID, bare or in quotation marks: the "
                               "call is done once, and its answer given to every repetition for 24 hours.")},
             {"If-Match", header_parameter("If-Match", "The ETag with which the resource was read: the call "
                                                       "is refused when somebody changed it since.")},
             {"If-None-Match",
              header_parameter("If-None-Match",
                               "The ETag of the answer that the client has: the answer is 304 when that is "
                               "still the same.")}}},
        {"headers",
         json::object{
             {"X-RateLimit-Limit", header_of("integer", "Requests allowed per period.")},
             {"X-RateLimit-Remaining", header_of("integer", "Requests remaining in this period.")},
             {"X-RateLimit-Reset", header_of("integer", "End of the period, as a Unix timestamp.")},
             {"RateLimit",
              header_of("string", "The same for programs of the standard in the making: requests "
                                  "remaining (r) and seconds to the end (t). Absent "
                                  "without a limit.")},
             {"RateLimit-Policy", header_of("string", "Requests allowed (q) per so many seconds (w). Absent "
                                                      "without a limit.")},
             {"ETag", header_of("string", "Stands for what was answered, for If-None-Match and If-Match. "
                                          "Clicks change it, but do not count for If-Match.")},
             {"Idempotent-Replayed", header_of("string", "true: the answer is that of an earlier call with "
                                                         "the same Idempotency-Key.")}}},
        {"responses", std::move(responses)},
        {"schemas", std::move(schemas)}};
}

} // namespace

json::object openapi_document(std::span<const RouteList* const> lists, std::string_view dashboard_url) {
    json::object paths, schemas;
    std::map<std::string_view, const Route*> shown; // by their paths
    for (const auto* list : lists)
        for (const auto& route : list->routes)
            if (route.method == http::Method::get)
                shown.emplace(route.path, &route);
    for (const auto* list : lists)
        for (const auto& route : list->routes) {
            auto& path = paths[route.path];
            if (!path.is_object())
                path.emplace_object();
            const auto found = shown.find(route.path);
            path.get_object()[lower_ascii(to_string(route.method))] =
                operation_of(*list, route, found == shown.end() ? nullptr : found->second, schemas,
                             !dashboard_url.empty());
        }
    for (auto& [path, operations] : paths)
        for (auto& [method, operation] : operations.as_object())
            add_examples(operation.as_object(), schemas);
    return {
        {"openapi", "3.1.0"},
        {"info", json::object{{"title", "Slashpost"},
                              {"version", interface_version},
                              {"license", json::object{{"name", "Apache-2.0"}, {"identifier", "Apache-2.0"}}},
                              {"description",
                               "Branded short links. An empty string means \"not given\" in every query "
                               "parameter and optional body field; null in an update takes a value away. "
                               "Nested names in queries and forms may be written domain.id or domain[id]; "
                               "a list takes values with commas and from a parameter that comes several "
                               "times. Names count in any case. Booleans may be texts in any case, integers "
                               "texts and with .0. Unknown keys are ignored, and in an update what is as it "
                               "was: whatever GET answers may be posted back. Of two names for one thing the "
                               "one that differs counts; when both do, they must agree. A body that begins "
                               "with { or [ is read as JSON, whatever its Content-Type says. apikey and "
                               "workspace may stand in query and body, too."}}},
        {"servers", {json::object{{"url", "/v1"}}}},
        {"security", usual_security()},
        {"tags", tags_of(lists)},
        {"paths", std::move(paths)},
        {"webhooks", webhooks_of(schemas)},
        {"components", components_of(std::move(schemas), dashboard_url)}};
}

} // namespace slashpost::api

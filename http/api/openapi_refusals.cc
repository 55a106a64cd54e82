#include "http/api/openapi_refusals.h"

#include "http/api/conditions.h"
#include "http/api/error_codes.h"
#include "http/api/samples.h"
#include "http/wire/error_body.h"

namespace slashpost::api {

namespace json = boost::json;

namespace {

json::object text_field(std::string_view note) { return {{"type", "string"}, {"description", note}}; }

json::object code_field(std::string_view note, json::array codes) {
    auto out = text_field(note);
    out["enum"] = std::move(codes);
    return out;
}

} // namespace

bool has_caller(const Route& route) { return route.operation.document == nullptr; }
bool takes_workspace_header(const Route& route) {
    return has_caller(route) && route.guard.scope == Scope::workspace &&
           route.path.find("{workspace_id}") == route.path.npos;
}
bool has_body(const Route& route) { return route.operation.body != nullptr; }
bool may_have_body(const Route& route) { return has_caller(route) && route.method != http::Method::get; }
bool may_be_repeated(const Route& route, const Route*) {
    return has_caller(route) && route.guard.access == Access::write;
}
bool takes_precondition(const Route& route, const Route* shown) {
    return may_be_repeated(route, shown) && shown != nullptr && shows_resource(*shown, shown);
}

const std::vector<Refusal>& refusals() {
    static const std::vector<Refusal> all{
        {"Malformed",
         "The request cannot be read, for example because its JSON is broken.",
         {malformed("The body is not JSON.").error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"Unauthorized",
         "No API key, or not a valid one. In plain text for a caller whose Accept names no JSON.",
         {unauthenticated().error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"Forbidden",
         "Not valid (code InvalidFormat; `errors` names every broken field), or not allowed: role, feature, "
         "type or state of the workspace, the domain or the link.",
         {invalid("link", {required_field("destination"), already_exists("slashtag")}).error(),
          forbidden("workspace").error(), feature_not_included("links.tags").error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"NotFound",
         "The resource or the workspace is absent, or not the caller's to know about.",
         {not_found("link", sample_text("id")).error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"NotAcceptable",
         "The body is no JSON, and its media type is another one than that of a form.",
         {wire::media_type_refused().error()},
         [](const Route& route, const Route*) { return may_have_body(route); }},
        {"Conflict",
         "Kept losing against concurrent writers; try again.",
         {conflict("Others kept changing the same things; try again.").error()},
         [](const Route& route, const Route*) { return route.guard.access == Access::write; }},
        {"PreconditionFailed",
         "It is not as If-Match says.",
         {wire::precondition_failed().error()},
         takes_precondition},
        {"IdempotencyKeyUsed",
         "The Idempotency-Key came with another request before.",
         {wire::idempotency_key_used().error()},
         may_be_repeated},
        {"PayloadTooLarge",
         "The body is too large.",
         {wire::body_too_large(1'048'576).error()},
         [](const Route& route, const Route*) { return has_body(route); }},
        {"TooManyRequests",
         "Too many requests; Retry-After says in how many seconds to go on.",
         {limited().error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"InternalError",
         "Something went wrong inside the service.",
         {fault("").error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
        {"Unavailable",
         "The service cannot do this now; Retry-After says when to try again.",
         {unavailable("The disk takes no more writes for now.").error()},
         [](const Route& route, const Route*) { return has_caller(route); }},
    };
    return all;
}

json::object error_schema() {
    const json::object item{
        {"type", "object"},
        {"properties",
         json::object{
             {"code", code_field("What is wrong with the field, in one word for programs.", item_codes())},
             {"property", text_field("Which field: domain.id, or [3].slashtag in a list.")},
             {"message", text_field("What is wrong, in a few words behind the field's name.")},
             {"verbose", text_field("The same as a whole sentence, for people.")}}},
        {"required", {"code", "property", "message", "verbose"}}};
    return {
        {"type", "object"},
        {"properties",
         json::object{
             {"code", code_field("What went wrong, in one word for programs.", answer_codes())},
             {"message", text_field("What went wrong, in a sentence for people.")},
             {"httpCode", json::object{{"type", "integer"}, {"description", "The status of the answer."}}},
             {"source", text_field("What the error is about: link, domain, workspace, a feature, request.")},
             {"verbose",
              text_field("What was not found, in a sentence; only with 404, whose message is Not found.")},
             {"id", text_field("What was not found; only there when that had an id.")},
             {"errors", json::object{{"type", "array"},
                                     {"items", item},
                                     {"description", "Every field that is not valid, empty if it is not "
                                                     "about fields; only with 403."}}}}},
        {"required", {"code", "message", "httpCode", "source"}}};
}

json::object problem_schema() {
    auto out = error_schema();
    auto& properties = out["properties"].as_object();
    properties["type"] =
        text_field("What kind of problem it is, as an address; about:blank: what the status says.");
    properties["title"] = text_field("What kind of problem it is, in words.");
    properties["status"] = json::object{{"type", "integer"}, {"description", "The status of the answer."}};
    properties["detail"] = text_field("What went wrong, in a sentence for people.");
    properties["violated-policies"] = json::object{{"type", "array"},
                                                   {"items", json::object{{"type", "string"}}},
                                                   {"description", "Which limits were met; only with 429."}};
    for (const auto* name : {"type", "title", "status", "detail"})
        out["required"].as_array().emplace_back(name);
    return out;
}

} // namespace slashpost::api

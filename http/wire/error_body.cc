#include "http/wire/error_body.h"

#include "core/base/text.h"

#include <boost/json.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace slashpost::wire {

namespace json = boost::json;

namespace {

constexpr std::string_view method_not_allowed = "MethodNotAllowed";
constexpr std::string_view not_acceptable = "NotAcceptable";
constexpr std::string_view payload_too_large = "PayloadTooLarge";
constexpr std::string_view precondition = "PreconditionFailed";
constexpr std::string_view key_used = "IdempotencyKeyUsed";
// Clients compare it.
constexpr std::string_view not_found_message = "Not found";
constexpr std::string_view fault_message = "Something went wrong inside the service; it has been noted.";

std::unexpected<Error> refuse(std::string_view code, std::string message) {
    return std::unexpected(Error{.kind = ErrorKind::malformed,
                                 .code = std::string(code),
                                 .message = std::move(message),
                                 .source = "request",
                                 .id = {},
                                 .fields = {}});
}

unsigned status_of_malformed(std::string_view code) {
    if (code == method_not_allowed)
        return 405;
    if (code == not_acceptable)
        return 406;
    if (code == payload_too_large)
        return 413;
    if (code == precondition)
        return 412;
    if (code == key_used)
        return 422;
    return 400;
}

// "title" and "cannot be empty" make "The property 'title' cannot be empty." What is no property of the body
// is the body itself.
std::string verbose(const FieldError& field) {
    if (field.property.empty())
        return fmt::format("The body {}.", field.message);
    return fmt::format("The property '{}' {}.", field.property, field.message);
}

// What a caller asked for, fit to be shown back: bounded, and valid UTF-8 whatever was sent.
std::string_view shown(std::string_view id) {
    constexpr std::size_t bytes_max = 256;
    return id.size() <= bytes_max && is_utf8(id) ? id : std::string_view("(not shown)");
}

// A body full of mistakes has an answer of bounded size all the same.
constexpr std::size_t items_shown_max = 1000;

json::array items_of(const std::vector<FieldError>& fields) {
    json::array out;
    for (const auto& field : std::span(fields).first(std::min(fields.size(), items_shown_max)))
        out.push_back(json::object{{"code", field.code},
                                   {"property", field.property},
                                   {"message", field.message},
                                   {"verbose", verbose(field)}});
    return out;
}

// What was not found; of several items also which of them name it.
std::string sentences(const Error& error) {
    auto out = error.message;
    for (const auto& field : std::span(error.fields).first(std::min(error.fields.size(), items_shown_max)))
        out += ' ' + verbose(field);
    return out;
}

} // namespace

std::unexpected<Error> method_refused() {
    return refuse(method_not_allowed,
                  "This method is not possible here; the header Allow lists those that are.");
}

std::unexpected<Error> media_type_refused() {
    return refuse(not_acceptable, "Send a body as JSON, with the header Content-Type: application/json, or "
                                  "as application/x-www-form-urlencoded.");
}

std::unexpected<Error> body_too_large(std::size_t bytes_max) {
    return refuse(payload_too_large, fmt::format("A body may have at most {} bytes.", bytes_max));
}

std::unexpected<Error> precondition_failed() {
    return refuse(precondition,
                  "It is not as If-Match says: somebody changed it. Ask for it again, and for the change "
                  "of what it is now.");
}

std::unexpected<Error> idempotency_key_used() {
    return refuse(key_used,
                  "This Idempotency-Key came with another request in the last 24 hours. Give every request "
                  "a key of its own, and only its repetitions the same.");
}

unsigned status_of(const Error& error) {
    switch (error.kind) {
    case ErrorKind::malformed:
        return status_of_malformed(error.code);
    case ErrorKind::invalid: // in this interface a validation error is a 403 (interface 7)
    case ErrorKind::refused:
        return 403;
    case ErrorKind::unauthenticated:
        return 401;
    case ErrorKind::not_found:
        return 404;
    case ErrorKind::conflict:
        return 409;
    case ErrorKind::limited:
        return 429;
    case ErrorKind::unavailable:
        return 503;
    case ErrorKind::fault:
        break;
    }
    return 500;
}

namespace {

json::object body_of(const Error& error) {
    const bool fault = error.kind == ErrorKind::fault;
    const bool absent = error.kind == ErrorKind::not_found;
    const auto status = status_of(error);
    json::object body{{"code", fault ? "InternalError" : error.code},
                      {"message", fault    ? fault_message
                                  : absent ? not_found_message
                                           : std::string_view(error.message)},
                      {"httpCode", status},
                      {"source", fault ? "service" : error.source}};
    if (absent)
        body["verbose"] = sentences(error);
    if (!fault && !error.id.empty())
        body["id"] = shown(error.id);
    if (status == 403)
        body["errors"] = items_of(error.fields);
    return body;
}

// Of the problem types that are registered, those that limit requests; the others say all by their status.
std::string_view problem_type(unsigned status) {
    if (status == 429)
        return "https://iana.org/assignments/http-problem-types#quota-exceeded";
    if (status == 503)
        return "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity";
    return "about:blank";
}

// The phrase of RFC 9110, 15, as a problem of no type of its own has it.
std::string_view title_of(unsigned status) {
    switch (status) {
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 409:
        return "Conflict";
    case 412:
        return "Precondition Failed";
    case 413:
        return "Content Too Large";
    case 422:
        return "Unprocessable Content";
    case 429:
        return "Request cannot be satisfied as assigned quota has been exceeded";
    case 503:
        return "Request cannot be satisfied due to temporary server capacity constraints";
    default:
        return "Internal Server Error";
    }
}

} // namespace

std::string error_body(const Error& error) { return json::serialize(body_of(error)); }

std::string problem_body(const Error& error) {
    auto body = body_of(error);
    const auto status = status_of(error);
    body["type"] = problem_type(status);
    body["title"] = title_of(status);
    body["status"] = status;
    body["detail"] = body.contains("verbose") ? body.at("verbose") : body.at("message");
    if (status == 429)
        body["violated-policies"] = json::array{"default"};
    return json::serialize(body);
}

} // namespace slashpost::wire

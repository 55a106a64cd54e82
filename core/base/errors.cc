#include "core/base/errors.h"

#include <fmt/format.h>

namespace slashpost {

namespace {

std::unexpected<Error> make(ErrorKind kind, std::string_view code, std::string message,
                            std::string_view source = {}, std::string_view id = {},
                            std::vector<FieldError> fields = {}) {
    return std::unexpected(Error{.kind = kind,
                                 .code = std::string(code),
                                 .message = std::move(message),
                                 .source = std::string(source),
                                 .id = std::string(id),
                                 .fields = std::move(fields)});
}

// "ops/links.cc": enough to find it, and nothing of the machine that the program was built on.
std::string_view file_with_folder(std::string_view path) {
    const auto name = path.rfind('/');
    const auto folder = name == path.npos || name == 0 ? path.npos : path.rfind('/', name - 1);
    return folder == path.npos ? path : path.substr(folder + 1);
}

FieldError problem(std::string_view code, std::string_view property, std::string message) {
    return {.code = std::string(code), .property = std::string(property), .message = std::move(message)};
}

} // namespace

std::unexpected<Error> not_found(std::string_view resource, std::string_view id) {
    return make(ErrorKind::not_found, "NotFound", fmt::format("The {} was not found.", resource), resource,
                id);
}

std::unexpected<Error> unauthenticated() {
    return make(ErrorKind::unauthenticated, "Unauthorized", "Give a valid API key in the header 'apikey'.",
                "apikey");
}

std::unexpected<Error> sign_in_failed() {
    return make(ErrorKind::unauthenticated, "SignInFailed",
                "The name and the password do not belong together, or the address was used or is too old.",
                "session");
}

std::unexpected<Error> signed_out() {
    return make(ErrorKind::unauthenticated, "SignedOut", "You are not signed in, or not any more.",
                "session");
}

std::unexpected<Error> forbidden(std::string_view resource) {
    return make(ErrorKind::refused, "Forbidden", "Your role in this workspace does not allow this.",
                resource);
}

std::unexpected<Error> feature_not_included(std::string_view feature) {
    return make(ErrorKind::refused, "FeatureNotIncluded",
                fmt::format("The account's plan does not include {}.", feature), feature);
}

std::unexpected<Error> refused(std::string_view code, std::string_view resource, std::string message) {
    return make(ErrorKind::refused, code, std::move(message), resource);
}

std::unexpected<Error> malformed(std::string message) {
    return make(ErrorKind::malformed, "InvalidFormat", std::move(message), "request");
}

std::unexpected<Error> invalid(std::string_view resource, std::vector<FieldError> fields) {
    return make(ErrorKind::invalid, "InvalidFormat",
                fmt::format("The {} is not valid; 'errors' names each broken field.", resource), resource, {},
                std::move(fields));
}

std::unexpected<Error> conflict(std::string message) {
    return make(ErrorKind::conflict, "Conflict", std::move(message));
}

std::unexpected<Error> unavailable(std::string message) {
    return make(ErrorKind::unavailable, "Unavailable", std::move(message), "service");
}

std::unexpected<Error> limited() {
    return make(ErrorKind::limited, "TooManyRequests",
                "Too many requests; wait until the time in X-RateLimit-Reset.", "request");
}

std::unexpected<Error> fault(std::string message, std::source_location where) {
    return make(ErrorKind::fault, "InternalError",
                fmt::format("{} ({}:{})", message, file_with_folder(where.file_name()), where.line()),
                "service");
}

FieldError required_field(std::string_view property) {
    return problem("RequiredField", property, "cannot be empty");
}

FieldError invalid_format(std::string_view property, std::string_view message) {
    return problem("InvalidFormat", property, std::string(message));
}

FieldError invalid_length(std::string_view property, std::size_t length_min, std::size_t length_max) {
    return problem("InvalidLength", property,
                   fmt::format("must have {} to {} characters", length_min, length_max));
}

FieldError out_of_range(std::string_view property, std::string_view message) {
    return problem("OutOfRange", property, std::string(message));
}

FieldError pattern_mismatch(std::string_view property, std::string_view pattern) {
    return problem("PatternMismatch", property, fmt::format("must match {}", pattern));
}

FieldError already_exists(std::string_view property, std::string_view message) {
    return problem("AlreadyExists", property, std::string(message));
}

FieldError unknown_reference(std::string_view property) {
    return problem("NotFound", property, "does not exist");
}

FieldError not_verified(std::string_view property) {
    return problem("NotVerified", property, "is not verified yet");
}

FieldError not_active(std::string_view property) { return problem("NotActive", property, "is not active"); }

FieldError not_shared(std::string_view property, std::string_view message) {
    return problem("NotShared", property, std::string(message));
}

} // namespace slashpost

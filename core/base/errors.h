#pragma once
// Named constructors for every Error of the service, so that codes and sentences are written once.
// Codes and their meaning: interface 7 and wire "Errors".
#include "core/base/result.h"

#include <source_location>
#include <string_view>

namespace slashpost {

// `resource` is the wire's source, for example "link" or "domain"; `id` what was asked for.
std::unexpected<Error> not_found(std::string_view resource, std::string_view id);
std::unexpected<Error> unauthenticated();
// Not the right name and password, or not an address that is still good; never which.
std::unexpected<Error> sign_in_failed();
std::unexpected<Error> signed_out();
// The caller's role is too low; no other refusal has its code.
std::unexpected<Error> forbidden(std::string_view resource);
// The account's plan lacks `feature`, for example "links.rules".
std::unexpected<Error> feature_not_included(std::string_view feature);
// Any other refusal: RevokedWorkspace, RevokedDomain, DeletedLink, WrongWorkspaceType, LimitReached, ...
std::unexpected<Error> refused(std::string_view code, std::string_view resource, std::string message);
std::unexpected<Error> malformed(std::string message);
std::unexpected<Error> invalid(std::string_view resource, std::vector<FieldError> fields);
std::unexpected<Error> conflict(std::string message);
std::unexpected<Error> unavailable(std::string message);
std::unexpected<Error> limited();
// A broken assumption or a broken disk. Remembers where it was made, for the log.
std::unexpected<Error> fault(std::string message,
                             std::source_location where = std::source_location::current());

// Single field problems, to be collected in a Problems.
FieldError required_field(std::string_view property);
FieldError invalid_format(std::string_view property, std::string_view message);
FieldError invalid_length(std::string_view property, std::size_t length_min, std::size_t length_max);
FieldError out_of_range(std::string_view property, std::string_view message);
FieldError pattern_mismatch(std::string_view property, std::string_view pattern);
FieldError already_exists(std::string_view property, std::string_view message = "is already in use");
FieldError unknown_reference(std::string_view property); // code NotFound on a field
// What is named is there, but cannot be used by the caller in this way: not proved yet, switched off, not
// shared with the workspace or somebody else's.
FieldError not_verified(std::string_view property);
FieldError not_active(std::string_view property);
FieldError not_shared(std::string_view property, std::string_view message);

// Collects every broken field of one input, so that a caller learns all of them at once.
class Problems {
  public:
    void add(FieldError problem) { fields_.push_back(std::move(problem)); }
    [[nodiscard]] bool none() const { return fields_.empty(); }
    [[nodiscard]] const std::vector<FieldError>& fields() const { return fields_; }
    // Fails with all problems collected so far, succeeds when there are none.
    [[nodiscard]] Result<void> result(std::string_view resource) const {
        if (none())
            return {};
        return invalid(resource, fields_);
    }

  private:
    std::vector<FieldError> fields_;
};

} // namespace slashpost

#pragma once
// What the OpenAPI document says of calls that are refused, and which routes can be (wire "Errors").
#include "core/base/errors.h"
#include "http/api/route.h"

#include <boost/json.hpp>

#include <string_view>
#include <vector>

namespace slashpost::api {

// A refusal that the document names: which routes can meet it (`shown`: the
// route of a GET of the same path, or null), and Errors that have its status.
struct Refusal {
    std::string_view name;
    std::string_view description;
    std::vector<Error> samples; // one at least
    bool (*applies)(const Route& route, const Route* shown);
};

// In the order of the document.
[[nodiscard]] const std::vector<Refusal>& refusals();

// The body of every refusal (interface 2.4).
[[nodiscard]] boost::json::object error_schema();
// The same as problem details (RFC 9457), for who asks for them.
[[nodiscard]] boost::json::object problem_schema();

// Whoever calls it gives a key; the others are documents, open to everybody.
[[nodiscard]] bool has_caller(const Route& route);
// It is about the workspace that the header, or the caller's default, names.
[[nodiscard]] bool takes_workspace_header(const Route& route);
// An Idempotency-Key makes a repetition of it safe. As everywhere here, `shown` is the route of a GET of the
// same path, null when there is none.
[[nodiscard]] bool may_be_repeated(const Route& route, const Route* shown);
// If-Match may say what the resource has to be like.
[[nodiscard]] bool takes_precondition(const Route& route, const Route* shown);
[[nodiscard]] bool has_body(const Route& route);
// Also one that no use is made of, which has to be readable all the same.
[[nodiscard]] bool may_have_body(const Route& route);

} // namespace slashpost::api

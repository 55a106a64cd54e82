#pragma once
// What the OpenAPI document says of calls that are refused, and which routes can be (wire "Errors").
#include "core/base/errors.h"
#include "http/api/route.h"

#include <boost/json.hpp>

#include <string_view>
#include <vector>

namespace slashpost::api {

// A refusal that the document names: which routes can meet it, and Errors that have its status.
struct Refusal {
    std::string_view name;
    std::string_view description;
    std::vector<Error> samples; // one at least
    bool (*applies)(const Route& route);
};

// In the order of the document.
[[nodiscard]] const std::vector<Refusal>& refusals();

// The body of every refusal (interface 2.4).
[[nodiscard]] boost::json::object error_schema();

// Whoever calls it gives a key; the others are documents, open to everybody.
[[nodiscard]] bool has_caller(const Route& route);
// It is about the workspace that the header, or the caller's default, names.
[[nodiscard]] bool takes_workspace_header(const Route& route);
[[nodiscard]] bool has_body(const Route& route);
// Also one that no use is made of, which has to be readable all the same.
[[nodiscard]] bool may_have_body(const Route& route);

} // namespace slashpost::api

#pragma once
// What the OpenAPI document says of who may call what: the ways to show a key or a token, and the scope that
// the token of an application needs (http/api/scopes.h).
#include "http/api/route.h"

#include <boost/json.hpp>

#include <optional>
#include <string_view>

namespace slashpost::api {

// The members of components/securitySchemes. `dashboard_url` is what addresses of the dashboard begin with,
// where applications ask for tokens; empty: there is none, and no scheme for them.
[[nodiscard]] boost::json::object security_schemes(std::string_view dashboard_url);

// What goes for every call that says nothing else: a key.
[[nodiscard]] boost::json::array usual_security();

// What an operation says: nothing needed for a document; where there are applications, a key or a token with
// the scope, or with any when every token will do. Nothing: as usual, as for what is open to no application.
[[nodiscard]] std::optional<boost::json::array> security_of(const Route& route, bool has_applications);

} // namespace slashpost::api

#pragma once
// The OpenAPI 3.1 document of a table of routes: what the router, the guards and the wire shapes say, and
// nothing besides, so that it cannot promise what the server does not do.
#include "http/api/route.h"

#include <boost/json.hpp>
#include <span>

namespace slashpost::api {

inline constexpr std::string_view interface_version = "7.0.2"; // interface 9

// Two shapes with the same wire_name must be the same shape. `dashboard_url` is what addresses of the
// dashboard begin with, where applications of others ask for tokens; empty: nobody does.
boost::json::object openapi_document(std::span<const RouteList* const> lists,
                                     std::string_view dashboard_url = {});

} // namespace slashpost::api

#pragma once
// The table of contents of the API: every list of routes, in the order of the document.
#include "http/api/route.h"

#include <span>

namespace slashpost::api {

const RouteList& link_routes();     // links.cc
const RouteList& document_routes(); // routes.cc

std::span<const RouteList* const> all_routes();

} // namespace slashpost::api

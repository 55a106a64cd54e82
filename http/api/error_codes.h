#pragma once
// The codes of errors, as the document lists them (wire "Errors"). Tests of the API hold every answer against
// these lists.
#include "http/api/route.h"

#include <boost/json.hpp>

namespace slashpost::api {

// Codes of whole answers: of the API, and those of the server for requests that the API never sees.
boost::json::array answer_codes();
// Codes of the items of `errors`. In a batch an item is refused with the code that it would have alone.
boost::json::array item_codes();

// The codes of 403 and 404 that the route's guard, its path and its operation can lead to, by status, in the
// order of the checks. One of 404 says what was not found: "NotFound link".
boost::json::object error_codes(const Route& route);

// Whether a link is to be changed, which it can be only on a domain that is shared.
bool asks_for_sharing(const Route& route);

} // namespace slashpost::api

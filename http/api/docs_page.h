#pragma once
// The reference page of the API, for people: the OpenAPI document as one page of HTML. It needs no network
// and no file besides itself, so it works wherever the server does, and no script: its own only adds the
// search.
#include <boost/json.hpp>
#include <string>
#include <string_view>

namespace slashpost::api {

// `program` is what serves the interface: "slashpost 1.2.3".
std::string docs_page(const boost::json::object& document, std::string_view program);
// The Content-Security-Policy that the page works under: its own style, its own script, and nothing else.
std::string docs_policy();

} // namespace slashpost::api

#pragma once
// The reference page of the API, for people: the OpenAPI document as one page of plain HTML. It needs no
// script, no network and no file besides itself, so it works wherever the server does.
#include <boost/json.hpp>
#include <string>

namespace slashpost::api {

std::string docs_page(const boost::json::object& document);
// The Content-Security-Policy that the page works under: its own style, and nothing else.
std::string docs_policy();

} // namespace slashpost::api

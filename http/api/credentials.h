#pragma once
// Who a request says it is from, and for which workspace (interface 5, wire "Transport").
#include "http/server/message.h"
#include "http/wire/decode.h"

#include <string>

namespace slashpost::api {

struct Credentials {
    std::string api_key;   // empty: none given
    std::string workspace; // an id as sent; empty: none given
    bool workspaces_disagree = false;
};

// The header `apikey` (any case) or else the query parameter; more than one such header is no key at all.
// The header `Workspace` or the query parameter `workspace` or `workspace[id]`.
Credentials credentials_of(const http::Request& request, const wire::Tree& query);

} // namespace slashpost::api

#pragma once
// Who a request says it is from, and for which workspace (interface 5, wire "Transport").
#include "http/server/message.h"
#include "http/wire/decode.h"

#include <string>

namespace slashpost::api {

struct Credentials {
    // The header `apikey` (any case) or `Authorization: Bearer`, else the query parameter `apikey`. More than
    // one such header, or both with different keys, are no key at all. The header `Workspace` or the query
    // parameter `workspace` or `workspace[id]`.
    Credentials(const http::Request& request, const wire::Tree& query);
    // Takes in a body, in which both may stand as in a query.
    void add(const wire::Tree& input);

    std::string api_key;   // empty: none given, or none that counts
    std::string workspace; // an id as sent; empty: none given
    bool has_key = false;  // one was given, perhaps of no worth
    bool workspaces_disagree = false;

  private:
    void name_workspace(std::string_view id);
};

} // namespace slashpost::api

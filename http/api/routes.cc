#include "http/api/routes.h"

#include "http/api/openapi.h"

#include <array>

namespace slashpost::api {

namespace {

Result<std::string> document() {
    static const std::string text = openapi_document(all_routes());
    return text;
}

} // namespace

const RouteList& document_routes() {
    static const RouteList list{.resource = "document",
                                .routes = {
                                    {http::Method::get,
                                     "/openapi.json",
                                     "getDocument",
                                     {},
                                     {.document = document},
                                     "Read this document."},
                                }};
    return list;
}

std::span<const RouteList* const> all_routes() {
    static const std::array lists{&link_routes(),     &link_batch_routes(),  &link_search_routes(),
                                  &link_tag_routes(), &link_script_routes(), &tag_routes(),
                                  &script_routes(),   &workspace_routes(),   &account_routes(),
                                  &document_routes()};
    return lists;
}

} // namespace slashpost::api

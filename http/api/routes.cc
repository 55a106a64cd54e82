#include "http/api/routes.h"

#include "http/api/docs_page.h"
#include "http/api/openapi.h"

#include <array>
#include <map>
#include <mutex>
#include <string>

namespace slashpost::api {

namespace {

constexpr std::string_view program = "slashpost " SLASHPOST_VERSION;

// For who asks at the door.
const Published& index(std::string_view /*dashboard_url*/) {
    static const Published index(boost::json::serialize(boost::json::object{{"docs", "/v1/docs"},
                                                                            {"openapi", "/v1/openapi.json"},
                                                                            {"interface", interface_version},
                                                                            {"program", program}}));
    return index;
}

// One for each address of the dashboard, of which a server has one.
const Published& document(std::string_view dashboard_url) {
    static std::mutex mutex;
    static std::map<std::string, Published, std::less<>> documents;
    const std::lock_guard lock(mutex);
    auto found = documents.find(dashboard_url);
    if (found == documents.end())
        found = documents
                    .emplace(std::string(dashboard_url),
                             boost::json::serialize(openapi_document(all_routes(), dashboard_url)))
                    .first;
    return found->second;
}

const Published& page(std::string_view /*dashboard_url*/) {
    static const Published page(docs_page(openapi_document(all_routes()), program));
    return page;
}

} // namespace

const RouteList& document_routes() {
    static const RouteList list{
        .resource = "document",
        .routes = {
            {http::Method::get, "/", "getIndex", {}, {.document = index}, "Read where the API is described."},
            {http::Method::get,
             "/openapi.json",
             "getDocument",
             {},
             {.document = document},
             "Read this document."},
            {http::Method::get,
             "/docs",
             "getDocs",
             {},
             {.document = page,
              .media_type = "text/html; charset=utf-8",
              .headers = {{"Content-Security-Policy", docs_policy()}, {"Referrer-Policy", "no-referrer"}}},
             "Read this document as a page."},
        }};
    return list;
}

std::span<const RouteList* const> all_routes() {
    static const std::array lists{&link_routes(),
                                  &link_external_id_routes(),
                                  &link_batch_routes(),
                                  &link_search_routes(),
                                  &link_export_routes(),
                                  &link_tag_routes(),
                                  &link_script_routes(),
                                  &link_rule_routes(),
                                  &link_rotator_routes(),
                                  &link_opengraph_routes(),
                                  &link_app_routes(),
                                  &conversion_routes(),
                                  &link_resolve_routes(),
                                  &link_title_routes(),
                                  &tag_routes(),
                                  &script_routes(),
                                  &domain_routes(),
                                  &domain_workspace_routes(),
                                  &workspace_routes(),
                                  &utm_template_routes(),
                                  &workspace_domain_routes(),
                                  &teammate_routes(),
                                  &invite_routes(),
                                  &account_routes(),
                                  &key_routes(),
                                  &session_routes(),
                                  &application_routes(),
                                  &connection_routes(),
                                  &statistics_routes(),
                                  &event_routes(),
                                  &webhook_routes(),
                                  &document_routes()};
    return lists;
}

} // namespace slashpost::api

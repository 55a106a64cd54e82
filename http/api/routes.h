#pragma once
// The table of contents of the API: every list of routes, in the order of the document.
#include "http/api/route.h"

#include <span>

namespace slashpost::api {

const RouteList& link_routes(); // links.cc
const RouteList& link_external_id_routes();
const RouteList& link_batch_routes();
const RouteList& link_export_routes();
const RouteList& link_search_routes();
const RouteList& link_tag_routes();
const RouteList& link_script_routes();
const RouteList& link_rule_routes();
const RouteList& link_rotator_routes();
const RouteList& link_opengraph_routes();
const RouteList& link_app_routes();
const RouteList& link_resolve_routes();
const RouteList& link_title_routes();
const RouteList& conversion_routes();
const RouteList& tag_routes();
const RouteList& script_routes();
const RouteList& workspace_routes();
const RouteList& teammate_routes();
const RouteList& invite_routes();
const RouteList& domain_routes();
const RouteList& domain_workspace_routes();
const RouteList& workspace_domain_routes();
const RouteList& account_routes();
const RouteList& key_routes(); // keys.cc
const RouteList& session_routes();
const RouteList& application_routes(); // applications.cc
const RouteList& connection_routes();
const RouteList& statistics_routes();
const RouteList& event_routes();
const RouteList& utm_template_routes();
const RouteList& webhook_routes();
const RouteList& document_routes(); // routes.cc

std::span<const RouteList* const> all_routes();

} // namespace slashpost::api

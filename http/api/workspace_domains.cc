// The domains of a workspace (interface 4.5): routes, and handlers of one core call each. Shapes are in
// domain_shapes.h.
#include "http/api/domain_paths.h"
#include "http/api/domain_shapes.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

namespace {

using ListQuery = DomainPageQuery<WorkspaceDomainFilterQuery>;

Result<FullDomainReply> reply_of(Context& ctx, const Domain& domain) {
    return FullDomainReply::of(TRY(describe_domain(ctx, domain)), ShownDomainType::system);
}

Result<std::vector<FullDomainReply>> list(Context& ctx, const Draft<Query<ListQuery>>& query) {
    return FullDomainReply::of_all(
        TRY(list_domains(ctx, query->filter.filter(), query->page.request(query->order_by), query.problems)),
        ShownDomainType::system);
}

Result<CountReply> count(Context& ctx, const Draft<Query<WorkspaceDomainFilterQuery>>& query) {
    return CountReply{.count = TRY(count_domains(ctx, query->filter(), query.problems))};
}

Result<FullDomainReply> read(Context& ctx, const SharedDomain& domain) { return reply_of(ctx, *domain); }

Result<FullDomainReply> share(Context& ctx, const ShareableDomain& domain) {
    TRY(share_domain_here(ctx, *domain));
    return reply_of(ctx, *domain);
}

Result<EmptyReply> unshare(Context& ctx, const SharedDomain& domain) {
    TRY(unshare_domain_here(ctx, *domain));
    return EmptyReply{};
}

} // namespace

const RouteList& workspace_domain_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    // clang-format off
    static const RouteList routes{"domain", {
        {get,  "/workspaces/{workspace_id}/domains", "listWorkspaceDomains", {.role = viewer}, on(list),
         "List the domains of a workspace."},
        {get,  "/workspaces/{workspace_id}/domains/count", "countWorkspaceDomains", {.role = viewer}, on(count),
         "Count the domains of a workspace."},
        {get,  "/workspaces/{workspace_id}/domains/{domain_id}", "getWorkspaceDomain", {.role = viewer},
         on(read),
         "Read one domain of a workspace."},
        {post, "/workspaces/{workspace_id}/domains/{domain_id}", "shareDomainWithWorkspace",
         {.access = write, .role = admin, .domain = DomainState::in_force}, on(share),
         "Share a domain with a workspace.",
         {"WrongWorkspaceType", "Conflict"}},
        {del,  "/workspaces/{workspace_id}/domains/{domain_id}", "unshareDomainFromWorkspace",
         {.access = write, .role = admin}, on(unshare),
         "Take a domain away from a workspace; links that are there go on."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

// Domains (interface 4.4, wire "Domains"): routes, and handlers of one core call each. Shapes are in
// domain_shapes.h.
#include "http/api/domain_paths.h"
#include "http/api/domain_shapes.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

namespace {

using DomainListQuery = DomainPageQuery<DomainListFilterQuery>;

Result<FullDomainReply> reply_of(Context& ctx, const Domain& domain) {
    return FullDomainReply::of(TRY(describe_domain(ctx, domain)), ShownDomainType::service);
}

Result<std::vector<FullDomainReply>> list(Context& ctx, const Draft<Query<DomainListQuery>>& query) {
    return FullDomainReply::of_all(
        TRY(list_domains(ctx, query->filter.filter(), query->page.request(query->order_by), query.problems)),
        ShownDomainType::service);
}

Result<CountReply> count(Context& ctx, const Draft<Query<DomainListFilterQuery>>& query) {
    return CountReply{.count = TRY(count_domains(ctx, query->filter(), query.problems))};
}

Result<FullDomainReply> create(Context& ctx, const Draft<Body<NewDomainInput>>& body) {
    return reply_of(ctx, TRY(register_domain(ctx, body->full_name, body.problems)));
}

Result<FullDomainReply> read(Context& ctx, const SeenDomain& domain) { return reply_of(ctx, *domain); }

Result<FullDomainReply> share(Context& ctx, const ShareableDomain& domain) {
    TRY(share_domain_here(ctx, *domain));
    return reply_of(ctx, *domain);
}

Result<FullDomainReply> update(Context& ctx, const ManagedDomain& domain,
                               const Update<DomainChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(TRY(reply_of(ctx, *domain))));
    return reply_of(ctx, TRY(update_domain(ctx, *domain, body->to_change(), body.problems)));
}

Result<FullDomainReply> remove(Context& ctx, const ManagedDomain& domain) {
    return reply_of(ctx, TRY(delete_domain(ctx, *domain)));
}

Result<FullDomainReply> verify(Context& ctx, const ManagedDomain& domain, const TxtRecords& found) {
    return reply_of(ctx, TRY(verify_domain(ctx, *domain, found.texts)));
}

Result<FullDomainReply> verify_one_alias(Context& ctx, const ManagedDomain& domain, const NamedAlias& alias,
                                         const TxtRecords& found) {
    return reply_of(ctx, TRY(verify_alias(ctx, *domain, *alias, found.texts)));
}

} // namespace

const RouteList& domain_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto in_force = DomainState::in_force;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"domain", {
        {get,   "/domains", "listDomains", {.role = viewer, .limited_keys = links}, on(list),
         "List the domains of a workspace."},
        {post,  "/domains", "registerDomain", {.access = write, .role = admin}, on(create),
         "Register a domain for the account that owns the workspace, and learn how to verify it.",
         {"LimitReached"}},
        {get,   "/domains/count", "countDomains", {.role = viewer, .limited_keys = links}, on(count),
         "Count domains."},
        {get,   "/domains/{domain_id}", "getDomain", {.role = viewer, .limited_keys = links}, on(read),
         "Read one domain."},
        {post,  "/domains/{domain_id}", "shareDomain",
         {.access = write, .role = admin, .domain = in_force}, on(share),
         "Share a domain of the account with the workspace.",
         {"WrongWorkspaceType", "Conflict"}},
        {patch, "/domains/{domain_id}", "updateDomain",
         {.access = write, .role = admin, .domain = in_force}, on(update),
         "Change the settings of a domain."},
        {del,   "/domains/{domain_id}", "deleteDomain",
         {.access = write, .role = admin, .domain = in_force}, on(remove),
         "Remove a domain on which no active or paused link is left.",
         {"Conflict"}},
        {post,  "/domains/{domain_id}/verify", "verifyDomain",
         {.access = write, .role = admin, .domain = in_force}, on(verify),
         "Look for the TXT record of a domain, and verify it."},
        {post,  "/domains/{domain_id}/aliases/{alias_name}/verify", "verifyAlias",
         {.access = write, .role = admin, .domain = in_force}, on(verify_one_alias),
         "Look for the TXT record of a further name of a domain, and verify it."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

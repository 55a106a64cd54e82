// The workspaces that have anything on a domain, for whoever manages it: shapes, routes, and handlers of one
// core call each.
#include "core/ops/domain_workspaces.h"
#include "http/api/domain_paths.h"
#include "http/api/paging.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

using wire::field, wire::note, wire::part;
using wire::Fields;

} // namespace slashpost::api

namespace slashpost::wire {

template <>
struct EnumNames<LinksLeft> {
    static constexpr std::array<std::pair<std::string_view, LinksLeft>, 2> all{
        {{"keep", LinksLeft::keep}, {"retire", LinksLeft::retire}}};
};

} // namespace slashpost::wire

namespace slashpost::api {

namespace {

struct WorkspaceOwnerReply {
    AccountId id;
    std::string full_name;
    static constexpr std::string_view wire_name = "DomainWorkspaceOwner";
    static Fields fields() {
        return {field("id", &WorkspaceOwnerReply::id, note("Of the account.")),
                field("fullName", &WorkspaceOwnerReply::full_name,
                      note("The name of the person; the username where there is none."))};
    }
};

struct DomainWorkspaceReply {
    WorkspaceId id;
    std::optional<std::string> name;
    WorkspaceOwnerReply owner;
    bool shared = true;
    Timestamp created_at;
    std::optional<Timestamp> ended_at;
    std::int64_t links = 0;
    static constexpr std::string_view wire_name = "DomainWorkspace";
    static Fields fields() {
        using Reply = DomainWorkspaceReply;
        return {
            field("id", &Reply::id, note("Of the workspace.")),
            field("name", &Reply::name, note("Of the workspace; only if the caller works there.")),
            field("owner", &Reply::owner, note("Whose workspace it is.")),
            field("shared", &Reply::shared,
                  note("Whether the workspace may make and change links on the domain. Where it may not, "
                       "links are left that can only be deleted.")),
            field("createdAt", &Reply::created_at, note("Since then it was shared, the last time.")),
            field("endedAt", &Reply::ended_at, note("Until then, when it is not shared any more.")),
            field("links", &Reply::links, note("How many active links the workspace has on the domain."))};
    }
    static DomainWorkspaceReply of(const DomainWorkspace& found) {
        const auto& [workspace, owner, share, links, named] = found;
        return {.id = workspace.id,
                .name = named ? std::optional(workspace.name) : std::nullopt,
                .owner = {.id = owner.id,
                          .full_name = owner.full_name.empty() ? owner.username : owner.full_name},
                .shared = share.in_force(),
                .created_at = share.created_at,
                .ended_at = share.ended_at,
                .links = links};
    }
};

struct ListQuery {
    PageQuery page;
    std::string order_by;
    static constexpr std::string_view wire_name = "DomainWorkspaceList";
    static Fields fields() {
        return wire::joined({part(&ListQuery::page),
                             {field("orderBy", &ListQuery::order_by, wire::one_of(domain_workspace_orders()),
                                    note("createdAt when absent: when it was shared, the last time."))}});
    }
};

struct LinksLeftQuery {
    LinksLeft links = LinksLeft::keep;
    static constexpr std::string_view wire_name = "LinksLeft";
    static Fields fields() {
        return {
            field("links", &LinksLeftQuery::links,
                  note("What becomes of the workspace's links on the domain. keep, when absent: they go on "
                       "until somebody deletes them, which is all that can be done with them. retire: "
                       "they are deleted; for visitors at once, in lists within seconds."))};
    }
};

struct SharingWorkspace {
    DomainWorkspace found;
};

Result<std::vector<DomainWorkspaceReply>> list(Context& ctx, const ManagedDomain& domain,
                                               const Draft<Query<ListQuery>>& query) {
    std::vector<DomainWorkspaceReply> out;
    for (const auto& found :
         TRY(list_domain_workspaces(ctx, *domain, query->page.request(query->order_by), query.problems)))
        out.push_back(DomainWorkspaceReply::of(found));
    return out;
}

Result<CountReply> count(Context& ctx, const ManagedDomain& domain) {
    return CountReply{.count = TRY(count_domain_workspaces(ctx, *domain))};
}

Result<DomainWorkspaceReply> take_away(Context& ctx, const ManagedDomain& domain,
                                       const SharingWorkspace& from, const Query<LinksLeftQuery>& query) {
    return DomainWorkspaceReply::of(TRY(take_domain_from(ctx, *domain, from.found, query->links)));
}

} // namespace

template <>
struct Argument<SharingWorkspace> {
    static Result<SharingWorkspace> take(Context& ctx, const Input& input) {
        const auto domain = TRY(find_managed_domain(ctx, input.at("domain_id")));
        return SharingWorkspace{TRY(find_domain_workspace(ctx, domain, input.at("domain_workspace_id")))};
    }
    static void describe(Operation&) {}
};

const RouteList& domain_workspace_routes() {
    using enum http::Method;
    using enum Role;
    // clang-format off
    static const RouteList routes{"domain", {
        {get, "/domains/{domain_id}/workspaces", "listDomainWorkspaces", {.role = admin}, on(list),
         "List the workspaces that a domain is shared with, or that have links left on it; for its owner and the "
         "admins of the workspace it was registered in."},
        {get, "/domains/{domain_id}/workspaces/count", "countDomainWorkspaces", {.role = admin}, on(count),
         "Count the workspaces that have anything on a domain."},
        {del, "/domains/{domain_id}/workspaces/{domain_workspace_id}", "takeDomainFromWorkspace",
         {.access = Access::write, .role = admin}, on(take_away),
         "Take a domain away from any workspace, and say what becomes of its links there."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

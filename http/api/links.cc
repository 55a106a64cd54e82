// Links (interface 4.1): routes, and handlers of one core call each. Shapes are in link_shapes.h.
#include "http/api/link_shapes.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"

namespace slashpost::api {

namespace {

Result<std::vector<LinkReply>> list(Context& ctx, const Draft<Query<LinkListQuery>>& query) {
    std::vector<LinkReply> out;
    for (const auto& details :
         TRY(list_links(ctx, query->filter.filter(), query->page.request(query->order_by), query.problems)))
        out.push_back(LinkReply::of(details));
    return out;
}

Result<CountReply> count(Context& ctx, const Draft<Query<LinkFilterQuery>>& query) {
    return CountReply{.count = TRY(count_links(ctx, query->filter(), query.problems))};
}

Result<LinkReply> create_from(Context& ctx, const LinkInput& input, Problems problems) {
    auto link = input.to_new_link(problems);
    return LinkReply::of(TRY(create_link(ctx, std::move(link), std::move(problems))));
}

Result<LinkReply> create(Context& ctx, const Draft<Body<LinkInput>>& body) {
    return create_from(ctx, *body, body.problems);
}

Result<LinkReply> create_by_query(Context& ctx, const Draft<Query<LinkInput>>& query) {
    return create_from(ctx, *query, query.problems);
}

Result<LinkReply> read(Context& ctx, const Link& link) {
    return LinkReply::of(TRY(describe_link(ctx, link)));
}

Result<LinkReply> update(Context& ctx, const Link& link, const Update<LinkChangeInput>& sent) {
    auto now = TRY(read(ctx, link));
    if (!TRY(may_change(ctx, link, sent, now)))
        return now;
    const auto body = TRY(sent.differing_from(now));
    auto problems = body.problems;
    const auto change = body->to_change(problems);
    return LinkReply::of(TRY(update_link(ctx, link, change, std::move(problems))));
}

Result<LinkReply> remove(Context& ctx, const Link& link) {
    return LinkReply::of(TRY(delete_link(ctx, link)));
}

Result<LinkReply> favour(Context& ctx, const Link& link, const Body<FavouriteInput>& body) {
    return LinkReply::of(TRY(set_favourite(ctx, link, body->favourite)));
}

} // namespace

const RouteList& link_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto live = LinkState::live;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"link", {
        {get,  "/links", "listLinks", {.role = viewer, .limited_keys = links}, on(list),
         "List the links of a workspace."},
        {post, "/links", "createLink", {.access = write, .role = guest, .limited_keys = links}, on(create),
         "Create a link.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {get,  "/links/new", "createLinkByQuery", {.access = write, .role = guest, .limited_keys = links}, on(create_by_query),
         "Create a link from query parameters.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "RevokedDomain", "LimitReached", "NotFound domain"}},
        {get,  "/links/count", "countLinks", {.role = viewer, .limited_keys = links}, on(count),
         "Count links."},
        {get,  "/links/{link_id}", "getLink", {.role = viewer, .limited_keys = links}, on(read),
         "Read one link."},
        {post, "/links/{link_id}", "updateLink",
         {.access = write, .role = guest, .link = live, .place = LinkDomain::shared_domain_to_change, .limited_keys = links},
         on(update),
         "Change a link.",
         {"FeatureNotIncluded", "WrongWorkspaceType", "WrongLinkType", "RevokedDomain", "NotFound domain"}},
        {del,  "/links/{link_id}", "deleteLink", {.access = write, .role = guest, .link = live, .place = LinkDomain::any_domain, .limited_keys = links}, on(remove),
         "Delete a link; it stops redirecting."},
        {post, "/links/{link_id}/favourite", "setLinkFavourite",
         {.access = write, .role = guest, .types = WorkspaceTypes::classic, .link = live,
          .domain = DomainState::in_force, .limited_keys = links}, on(favour),
         "Make a link a favourite, or no longer."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

// Tags of a link (interface 4.2).
#include "core/ops/link_labels.h"
#include "http/api/paging.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/tag_shapes.h"

namespace slashpost::api {

namespace {

Result<std::vector<TagReply>> list(Context& ctx, const Link& link, const Query<LimitQuery>& query) {
    return TagReply::of_all(TRY(describe_tags(ctx, TRY(tags_of_link(ctx, link, query->limit)))));
}

Result<TagReply> read(Context& ctx, const Tag& tag, const Link& link) {
    TRY(check_carries(link, tag));
    return TagReply::of(TRY(describe_tag(ctx, tag)));
}

// What the path names must be there before the state of the link is looked at (wire "Errors").
Result<EmptyReply> attach(Context& ctx, const Tag& tag, const Link& link) {
    TRY(attach_tag(ctx, link, tag));
    return EmptyReply{};
}

Result<EmptyReply> detach(Context& ctx, const Tag& tag, const Link& link) {
    TRY(detach_tag(ctx, link, tag));
    return EmptyReply{};
}

} // namespace

const RouteList& link_tag_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto types = WorkspaceTypes::classic_or_gallery;
    constexpr auto live = LinkState::live;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"tag", {
        {get,  "/links/{link_id}/tags", "listLinkTags",
         {.role = viewer, .types = types, .link = live, .limited_keys = links}, on(list),
         "List the tags of a link, in the order of attaching."},
        {get,  "/links/{link_id}/tags/{tag_id}", "getLinkTag",
         {.role = viewer, .types = types, .link = live, .limited_keys = links}, on(read),
         "Read a tag, if the link carries it."},
        {post, "/links/{link_id}/tags/{tag_id}", "attachTag",
         {.access = write, .role = guest, .feature = Feature::links_tags,
          .types = types, .link = live, .domain = DomainState::in_force, .limited_keys = links}, on(attach),
         "Attach a tag to a link, which may have 50; a guest only to its own links.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/tags/{tag_id}", "detachTag",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(detach),
         "Take a tag off a link."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

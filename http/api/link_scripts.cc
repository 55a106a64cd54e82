// Scripts of a link (interface 4.2).
#include "core/ops/link_labels.h"
#include "http/api/path_resource.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/script_shapes.h"

namespace slashpost::api {

namespace {

Result<std::vector<ScriptReply>> list(Context& ctx, const Link& link,
                                      const Draft<Query<ScriptPageQuery>>& query) {
    return ScriptReply::of_all(TRY(list_link_scripts(ctx, link, query->request(), query.problems)));
}

Result<CountReply> count(Context& ctx, const Link& link) {
    return CountReply{.count = std::ssize(TRY(scripts_of_link(ctx, link)))};
}

Result<ScriptReply> read(Context&, const Script& script, const Link& link) {
    TRY(check_carries(link, script));
    return ScriptReply::of(script);
}

// What the path names must be there before the state of the link is looked at (wire "Errors").
Result<EmptyReply> attach(Context& ctx, const Script& script, const Link& link) {
    TRY(attach_script(ctx, link, script));
    return EmptyReply{};
}

Result<EmptyReply> detach(Context& ctx, const Script& script, const Link& link) {
    TRY(detach_script(ctx, link, script));
    return EmptyReply{};
}

} // namespace

const RouteList& link_script_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto types = WorkspaceTypes::classic_or_gallery;
    constexpr auto live = LinkState::live;
    constexpr auto links = LimitedKeys::links;
    // clang-format off
    static const RouteList routes{"script", {
        {get,  "/links/{link_id}/scripts", "listLinkScripts",
         {.role = viewer, .types = types, .link = live, .limited_keys = links}, on(list),
         "List the scripts of a link."},
        {get,  "/links/{link_id}/scripts/count", "countLinkScripts", {.role = viewer, .link = live, .limited_keys = links}, on(count),
         "Count the scripts of a link."},
        {get,  "/links/{link_id}/scripts/{script_id}", "getLinkScript",
         {.role = viewer, .types = types, .link = live, .limited_keys = links}, on(read),
         "Read a script, if the link has it."},
        {post, "/links/{link_id}/scripts/{script_id}", "attachScript",
         {.access = write, .role = guest, .feature = Feature::links_scripts,
          .types = types, .link = live, .domain = DomainState::in_force, .limited_keys = links}, on(attach),
         "Attach a script to a link, which may have 50; a guest only to its own links.",
         {"LimitReached"}},
        {del,  "/links/{link_id}/scripts/{script_id}", "detachScript",
         {.access = write, .role = guest, .link = live, .limited_keys = links}, on(detach),
         "Take a script off a link."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

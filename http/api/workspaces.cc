// Workspaces (interface 4.5) but for their people and domains: routes, and handlers of one core call each.
// Shapes are in workspace_shapes.h.
#include "http/api/feature_shapes.h"
#include "http/api/replies.h"
#include "http/api/routes.h"
#include "http/api/workspace_shapes.h"

namespace slashpost::api {

namespace {

Result<WorkspaceReply> create(Context& ctx, const Draft<Body<WorkspaceInput>>& body) {
    const auto made = TRY(create_workspace(ctx, body->to_new_workspace(), body.problems));
    return WorkspaceReply::of(TRY(describe_workspace(ctx, made, Role::owner)), ctx.account);
}

Result<std::vector<WorkspaceReply>> list(Context& ctx, const Draft<Query<WorkspaceListQuery>>& query) {
    std::vector<WorkspaceReply> out;
    for (const auto& details : TRY(list_workspaces(ctx, query->filter.filter(),
                                                   query->page.request(query->order_by), query.problems)))
        out.push_back(WorkspaceReply::of(details, ctx.account));
    return out;
}

Result<CountReply> count(Context& ctx, const Draft<Query<WorkspaceFilterQuery>>& query) {
    return CountReply{.count = TRY(count_workspaces(ctx, query->filter(), query.problems))};
}

Result<SingleWorkspaceReply> read(Context& ctx) {
    const auto details = TRY(describe_workspace(ctx, ctx.workspace, ctx.role));
    const auto statistics = TRY(workspace_statistics(ctx, ctx.workspace.id));
    const auto period = [](const PeriodStatistics& in) {
        return PeriodReply{.clicks = in.clicks, .sessions = in.sessions};
    };
    return SingleWorkspaceReply{.workspace = WorkspaceReply::of(details, ctx.account),
                                .statistics = {.clicks = details.clicks,
                                               .sessions = details.sessions,
                                               .links = details.links,
                                               .today = period(statistics.today),
                                               .last_30_days = period(statistics.last_30_days)}};
}

Result<WorkspaceReply> update(Context& ctx, const Update<WorkspaceChangeInput>& sent) {
    const auto body = TRY(sent.differing_from(
        WorkspaceReply::of(TRY(describe_workspace(ctx, ctx.workspace, ctx.role)), ctx.account)));
    const auto changed = TRY(update_workspace(ctx, body->to_change(), body.problems));
    return WorkspaceReply::of(TRY(describe_workspace(ctx, changed, ctx.role)), ctx.account);
}

// The owner deletes or trashes it, everybody else leaves it.
Result<EmptyReply> remove(Context& ctx, const Query<RemovalQuery>& query) {
    if (ctx.role == Role::owner)
        TRY(remove_workspace(ctx, query->trash ? Removal::trashed : Removal::deleted));
    else
        TRY(leave_workspace(ctx));
    return EmptyReply{};
}

Result<EmptyReply> remove_ttl(Context& ctx) {
    TRY(remove_default_ttl(ctx));
    return EmptyReply{};
}

Result<ConversionReply> read_conversion(Context& ctx) {
    return ConversionReply::of(conversion_tracking(ctx));
}

Result<ConversionReply> set_conversion(Context& ctx, const Body<ConversionInput>& body) {
    return ConversionReply::of(
        TRY(set_conversion_tracking(ctx, {.enabled = body->enabled,
                                          .attribution_window_days = body->attribution_window,
                                          .click_id_parameter = body->parameter})));
}

Result<std::vector<FeatureReply>> features(Context& ctx, const Query<FeatureQuery>& query) {
    return FeatureReply::of_all(list_features(ctx, query->revoked));
}

} // namespace

const RouteList& workspace_routes() {
    using enum http::Method;
    using enum Role;
    constexpr auto write = Access::write;
    constexpr auto account = Scope::account;
    constexpr auto hidden = TooLow::not_found;
    constexpr auto conversion = Feature::extra_conversion_tracking;
    // clang-format off
    static const RouteList routes{"workspace", {
        {get,  "/workspaces", "listWorkspaces", {.scope = account}, on(list),
         "List the workspaces that the caller works in."},
        {post, "/workspaces", "createWorkspace",
         {.access = write, .scope = account, .while_revoked = true}, on(create),
         "Create a workspace.",
         {"FeatureNotIncluded", "LimitReached"}},
        {get,  "/workspaces/count", "countWorkspaces", {.scope = account}, on(count),
         "Count workspaces."},
        {get,  "/workspaces/{workspace_id}", "getWorkspace", {.role = viewer}, on(read),
         "Read one workspace, with its statistics."},
        {post, "/workspaces/{workspace_id}", "updateWorkspace",
         {.access = write, .role = owner, .too_low = hidden}, on(update),
         "Change a workspace.",
         {"FeatureNotIncluded"}},
        {del,  "/workspaces/{workspace_id}", "deleteWorkspace",
         {.access = write, .role = viewer, .while_revoked = true}, on(remove),
         "Delete or trash a workspace of one's own; leave one of somebody else.",
         {"CouldNotDeleteDefaultWorkspace", "CouldNotDeleteExtendedWorkspace"}},
        {del,  "/workspaces/{workspace_id}/ttl", "deleteWorkspaceTtl",
         {.access = write, .role = admin}, on(remove_ttl),
         "Remove the default time to live of new links."},
        {get,  "/workspaces/{workspace_id}/conversion-tracking", "getConversionTracking",
         {.role = admin, .too_low = hidden, .feature = conversion}, on(read_conversion),
         "Read how conversions are tracked."},
        {post, "/workspaces/{workspace_id}/conversion-tracking", "setConversionTracking",
         {.access = write, .role = admin, .too_low = hidden, .feature = conversion}, on(set_conversion),
         "Set how conversions are tracked."},
        {get,  "/workspaces/{workspace_id}/features", "listWorkspaceFeatures", {.role = viewer}, on(features),
         "List the features that the owner of a workspace has."},
        {get,  "/account/workspaces", "listAccountWorkspaces", {.scope = account}, on(list),
         "The same as GET /workspaces."},
        {get,  "/account/teams", "listAccountTeams", {.scope = account}, on(list),
         "The same as GET /workspaces, for older clients."},
    }};
    // clang-format on
    return routes;
}

} // namespace slashpost::api

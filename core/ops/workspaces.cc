#include "core/ops/workspaces.h"

#include "core/access/limits.h"
#include "core/base/url.h"
#include "core/base/zones.h"
#include "core/ops/accounts.h"
#include "core/ops/cursors.h"
#include "core/ops/field_rules.h"
#include "core/schema/schema.h"
#include "core/work/jobs.h"

namespace slashpost {

namespace {

const WorkspaceTable& workspaces() { return schema().workspaces; }

Result<void> need(const Context& ctx, Feature feature) {
    return ctx.has(feature) ? Result<void>() : feature_not_included(to_string(feature));
}

// The stored form of a time zone; adds a problem when the system knows none of the name.
std::string checked_time_zone(const std::string& given, Problems& problems) {
    if (given == "UTC")
        return {};
    if (!given.empty() && !is_time_zone(given))
        problems.add(invalid_format("timezone", "must be a time zone such as Europe/Berlin"));
    return given;
}

// Stores the context's workspace as `now`, which then is the context's.
Result<Workspace> store(Context& ctx, Workspace now) {
    now.updated_at = ctx.now;
    TRY(workspaces().update(ctx.txn(), ctx.workspace, now));
    ctx.workspace = now;
    return now;
}

} // namespace

Result<Workspace> create_workspace(Context& ctx, const NewWorkspace& in, Problems problems) {
    if (in.type == WorkspaceType::extended)
        TRY(need(ctx, Feature::links_extended));
    if (in.default_ttl_seconds)
        TRY(need(ctx, Feature::links_expiration));
    const auto id = ctx.ids.next<WorkspaceId>();
    Workspace workspace{.id = id,
                        .name = in.name,
                        .type = in.type,
                        .owner = ctx.account.id,
                        .created_at = id.made_at(), // lists by creation go by the id
                        .updated_at = id.made_at(),
                        .default_ttl_seconds = in.default_ttl_seconds,
                        .notes = in.notes,
                        .unknown = {}};
    check_workspace_name(in.name, problems);
    if (!in.avatar_url.empty())
        workspace.avatar_url = stored_avatar(in.avatar_url, problems);
    workspace.time_zone = checked_time_zone(in.time_zone, problems);
    TRY(problems.result("workspace"));
    TRY(admit_more(ctx, Limit::workspaces));

    TRY(workspaces().insert(ctx.txn(), workspace));
    TRY(schema().members.insert(ctx.txn(), {.workspace = workspace.id,
                                            .account = ctx.account.id,
                                            .role = Role::owner,
                                            .created_at = ctx.now,
                                            .unknown = {}}));
    return workspace;
}

Result<Workspace> update_workspace(Context& ctx, const WorkspaceChange& change, Problems problems) {
    auto changed = ctx.workspace;
    // A client that posts a whole workspace back does not set its time to live.
    change.default_ttl_seconds.apply_to(changed.default_ttl_seconds);
    if (changed.default_ttl_seconds && changed.default_ttl_seconds != ctx.workspace.default_ttl_seconds)
        TRY(need(ctx, Feature::links_expiration));
    if (change.name.is_set())
        check_workspace_name(changed.name = change.name.value(), problems);
    change.notes.apply_to(changed.notes);
    if (change.avatar_url.is_set())
        changed.avatar_url = stored_avatar(change.avatar_url.value(), problems);
    else
        change.avatar_url.apply_to(changed.avatar_url);
    change.time_zone.apply_to(changed.time_zone);
    if (changed.time_zone != ctx.workspace.time_zone) // one that the system has forgotten may be sent back
        changed.time_zone = checked_time_zone(changed.time_zone, problems);
    TRY(problems.result("workspace"));
    return store(ctx, std::move(changed));
}

Result<Workspace> remove_default_ttl(Context& ctx) {
    auto changed = ctx.workspace;
    changed.default_ttl_seconds.reset();
    return store(ctx, std::move(changed));
}

Result<void> remove_workspace(Context& ctx, Removal how) {
    if (ctx.workspace.is_default)
        return refused("CouldNotDeleteDefaultWorkspace", "workspace",
                       "The default workspace of an account cannot be deleted.");
    auto changed = ctx.workspace;
    if (how == Removal::trashed) {
        changed.trashed = true;
    } else {
        if (changed.type == WorkspaceType::extended &&
            TRY(schema().links.kept.count(ctx.view(), changed.id)) > 0)
            return refused("CouldNotDeleteExtendedWorkspace", "workspace",
                           "An extended workspace cannot be deleted while it has links.");
        changed.deleted_at = ctx.now;
        TRY(enqueue_job(ctx.txn(), {.id = ctx.ids.next<JobId>(),
                                    .kind = JobKind::purge_workspace,
                                    .workspace = changed.id,
                                    .created_at = ctx.now,
                                    .unknown = {}}));
    }
    ctx.changes.workspaces.push_back(changed.id);
    TRY(store(ctx, std::move(changed)));
    return {};
}

Result<void> leave_workspace(Context& ctx) {
    if (ctx.role == Role::owner)
        return forbidden("workspace");
    const auto member = TRY(schema().members.find(
        ctx.view(), Member::primary_of({.workspace = ctx.workspace.id, .account = ctx.account.id})));
    if (!member)
        return not_found("workspace", ctx.workspace.id.hex());
    TRY(keep_place(ctx.txn(), schema().members, *member, ctx.now));
    return schema().members.remove(ctx.txn(), *member);
}

ConversionTracking conversion_tracking(const Context& ctx) {
    return {.enabled = ctx.workspace.conversion_enabled.value_or(false),
            .attribution_window_days = ctx.workspace.attribution_window_days,
            .click_id_parameter = ctx.workspace.click_id_parameter};
}

Result<ConversionTracking> set_conversion_tracking(Context& ctx, const ConversionTrackingChange& in) {
    auto changed = ctx.workspace;
    changed.conversion_enabled = in.enabled;
    if (in.attribution_window_days)
        changed.attribution_window_days = in.attribution_window_days;
    else if (in.enabled)
        changed.attribution_window_days = attribution_window_days_default;
    in.click_id_parameter.apply_to(changed.click_id_parameter);
    ctx.changes.workspaces.push_back(changed.id); // its visitors carry click ids from now on, or none
    TRY(store(ctx, std::move(changed)));
    return conversion_tracking(ctx);
}

Result<Workspace> find_any_workspace(data::View& view, std::string_view name) {
    const auto given = WorkspaceId::parse(name);
    const auto id = given ? *given : TRY(find_account(view, name)).default_workspace;
    auto workspace = TRY(workspaces().find(view, id.view()));
    if (!workspace || workspace->deleted_at)
        return not_found("workspace", name);
    return std::move(*workspace);
}

Result<Workspace> set_workspace_state(SystemContext& system, const Workspace& workspace,
                                      const WorkspaceState& state) {
    auto changed = workspace;
    state.revoked.apply_to(changed.revoked);
    state.trashed.apply_to(changed.trashed);
    changed.updated_at = system.now;
    TRY(workspaces().update(system.txn, workspace, changed));
    system.changes.workspaces.push_back(changed.id);
    return changed;
}

} // namespace slashpost

#pragma once
// Operations on single workspaces (interface 3.2, 3.5 and 4.5). Lists, counts and what a reply shows of them
// are in core/ops/workspace_lists.h.
//
// The workspace is the context's, except when one is made: that happens in the account's scope.
#include "core/access/context.h"
#include "core/base/change.h"
#include "core/base/errors.h"

namespace slashpost {

struct NewWorkspace {
    std::string name; // 3 to 255 characters
    WorkspaceType type = WorkspaceType::classic;
    std::string notes;                               // 3 to 2000 characters; empty: none
    std::string avatar_url;                          // an http or https address; empty: none
    std::optional<std::int64_t> default_ttl_seconds; // 60 up
    std::string time_zone{};                         // of statistics; empty: UTC
};

struct WorkspaceChange {
    Change<std::string> name;
    Change<std::string> notes;
    Change<std::string> avatar_url;
    Change<std::int64_t> default_ttl_seconds;
    Change<std::string> time_zone;
};

// A workspace of the caller. It shares no domain yet. Refused without the features for its type and its time
// to live, and with LimitReached.
Result<Workspace> create_workspace(Context& ctx, const NewWorkspace& in, Problems problems = {});
Result<Workspace> update_workspace(Context& ctx, const WorkspaceChange& change, Problems problems = {});
// Succeeds when there is none.
Result<Workspace> remove_default_ttl(Context& ctx);

// The owner's ways to get rid of a workspace, neither for a default one. Deleted: nobody finds it from the
// commit on, its links redirect no more, and they are deleted afterwards in batches; refused for an extended
// workspace with links. Trashed: the same but for the links, and the operator can take it back.
enum class Removal { deleted, trashed };
Result<void> remove_workspace(Context& ctx, Removal how);
// The caller is no member any more. Refused to the owner.
Result<void> leave_workspace(Context& ctx);

// How conversions are tracked (interface 3.5). Never configured: not enabled, without a window.
struct ConversionTracking {
    bool enabled = false;
    std::optional<std::int64_t> attribution_window_days; // 1 to 90
    std::string click_id_parameter; // of the destination's query; empty: the installation's
};
inline constexpr std::int64_t attribution_window_days_default = 30;
inline constexpr std::int64_t attribution_window_days_max = 90;

struct ConversionTrackingChange {
    bool enabled = false;
    std::optional<std::int64_t> attribution_window_days;
    Change<std::string> click_id_parameter;
};

ConversionTracking conversion_tracking(const Context& ctx);
Result<ConversionTracking> set_conversion_tracking(Context& ctx, const ConversionTrackingChange& in);

// What the operator does to a workspace; nothing happens when it is so already. Fail as not found, for a
// deleted one too. `name` is an id, or a username for that account's default workspace.
struct WorkspaceState {
    Change<bool> revoked;
    Change<bool> trashed;
};
Result<Workspace> find_any_workspace(data::View& view, std::string_view name);
Result<Workspace> set_workspace_state(SystemContext& system, const Workspace& workspace,
                                      const WorkspaceState& state);

} // namespace slashpost

#pragma once
// Lists and counts of the caller's workspaces, and what replies show of them (interface 2.2 and 4.5, wire
// "Workspaces, people"). What is trashed or deleted is in none of them.
#include "core/access/context.h"
#include "core/base/errors.h"
#include "core/base/page.h"

#include <span>

namespace slashpost {

// A workspace with what a reply shows of the things in and around it.
struct WorkspaceDetails {
    Workspace workspace;
    Account owner;
    Role role = Role::viewer; // the caller's
    std::string category;     // of the owner's plan
    std::int64_t domains_used = 0;
    std::optional<std::int64_t> domains_included; // nothing: as many as one likes
    std::int64_t links = 0;                       // active ones
    std::int64_t teammates = 0;                   // the owner too
    std::int64_t domains = 0;                     // shared with it
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
    std::optional<Timestamp> last_click_at;
};

// What happened in a number of days.
struct PeriodStatistics {
    std::int64_t clicks = 0;
    std::int64_t sessions = 0;
};
struct WorkspaceStatistics {
    PeriodStatistics today;        // since midnight UTC
    PeriodStatistics last_30_days; // today included
};

struct WorkspaceFilter {
    std::string term; // in the name, ignoring case; empty: all
    std::optional<WorkspaceType> type;
    std::optional<bool> revoked;
};

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> workspace_orders();

// Those that the caller works in. Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<WorkspaceDetails>> list_workspaces(Context& ctx, const WorkspaceFilter& filter,
                                                      const PageRequest& page, Problems problems = {});
Result<std::int64_t> count_workspaces(Context& ctx, const WorkspaceFilter& filter,
                                      const Problems& problems = {});

// `workspace` is one that the caller has this role in.
Result<WorkspaceDetails> describe_workspace(Context& ctx, const Workspace& workspace, Role role);
Result<WorkspaceStatistics> workspace_statistics(Context& ctx, WorkspaceId workspace);

} // namespace slashpost

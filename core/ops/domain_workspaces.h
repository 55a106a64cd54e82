#pragma once
// The workspaces that have anything on a domain, as whoever manages the domain sees them: those that it is
// shared with, and those that it was shared with and where links are left. Domains come from their door
// (core/access/domain_doors.h).
#include "core/ops/domains.h"

#include "core/base/page.h"

#include <span>

namespace slashpost {

struct DomainWorkspace {
    Workspace workspace;
    Account owner;
    DomainShare share;
    std::int64_t links = 0; // active ones on the domain
    bool named = false;     // the caller works there; else its name is not for them
};

// Names for PageRequest::order_by, the default first.
std::span<const std::string_view> domain_workspace_orders();

// Fails as invalid on `orderBy` or `last` when those name nothing.
Result<std::vector<DomainWorkspace>> list_domain_workspaces(Context& ctx, const Domain& domain,
                                                            const PageRequest& page, Problems problems = {});
Result<std::int64_t> count_domain_workspaces(Context& ctx, const Domain& domain);

// One of them, by its id as sent in a path.
Result<DomainWorkspace> find_domain_workspace(Context& ctx, const Domain& domain, std::string_view id);

// Takes the domain away from the workspace, whoever shared it and wherever the caller works. Answers how it
// is from then on.
Result<DomainWorkspace> take_domain_from(Context& ctx, const Domain& domain, const DomainWorkspace& from,
                                         LinksLeft links);

} // namespace slashpost

#pragma once
// Doors to a domain that a path names (see core/access/doors.h for those to other rows). Each refuses a
// revoked domain with RevokedDomain when the context's guard asks for one in force.
//
// A caller sees the domains that are shared with the workspace, and those of its own account wherever it is.
// Any other one is as absent as none.
#include "core/access/context.h"
#include "core/model/domain.h"

namespace slashpost {

// A domain that the caller sees.
Result<Domain> find_seen_domain(Context& ctx, std::string_view id);

// A domain that is shared with the workspace.
Result<Domain> find_shared_domain(Context& ctx, std::string_view id);

// A domain that the caller may set, prove, take away from workspaces and remove: its own, or that of the
// workspace's owner in the workspace that it was registered in. Invalid with NotShared for any other that it
// sees: workspaces that share a domain only make links on it.
Result<Domain> find_managed_domain(Context& ctx, std::string_view id);

// A domain that the caller may share with the workspace: its own, one of the installation that another
// workspace of its own shares, one that is shared already, or one that the workspace itself has given back.
Result<Domain> find_shareable_domain(Context& ctx, std::string_view id);

// What find_shareable_domain asks of a domain.
Result<bool> is_shareable(Context& ctx, const Domain& domain);

Result<bool> is_shared(data::View& view, DomainId domain, WorkspaceId workspace);

} // namespace slashpost

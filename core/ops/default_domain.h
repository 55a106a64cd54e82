#pragma once
// The domain of links that name none (wire "Link").
#include "core/data/engine.h"
#include "core/model/domain.h"

#include <vector>

namespace slashpost {

// Whoever makes such links, if `domain` is to be the one for them: workspaces that share the default domain
// of now or, without one, the default workspaces of all accounts. No deleted workspace, and no extended one
// for a domain of the installation (share_domain).
Result<std::vector<WorkspaceId>> workspaces_for_default(data::View& view, const Domain& domain);

} // namespace slashpost

#include "core/ops/default_domain.h"

#include "core/ops/domains.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"

namespace slashpost {

Result<std::vector<WorkspaceId>> workspaces_for_default(data::View& view, const Domain& domain) {
    std::vector<WorkspaceId> out;
    const auto add = [&](const Workspace& workspace) {
        const bool may_share =
            domain.type != DomainType::service || workspace.type != WorkspaceType::extended;
        if (may_share && !workspace.deleted_at)
            out.push_back(workspace.id);
    };
    if (const auto now = TRY(default_domain(view))) {
        for (const auto id : TRY(workspaces_sharing(view, *now)))
            if (const auto workspace = TRY(schema().workspaces.find(view, id.view())))
                add(*workspace);
        return out;
    }
    TRY(schema().workspaces.each(view, [&](const Workspace& workspace) -> Result<bool> {
        if (workspace.is_default)
            add(workspace);
        return true;
    }));
    return out;
}

} // namespace slashpost

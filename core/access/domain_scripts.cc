#include "core/access/domain_scripts.h"

#include "core/access/domain_doors.h"
#include "core/access/limits.h"
#include "core/schema/schema.h"

namespace slashpost {

Result<bool> runs_scripts(data::View& view, WorkspaceId workspace, DomainId domain) {
    if (!TRY(is_shared(view, domain, workspace)))
        return false;
    const auto row = TRY(schema().workspaces.find(view, workspace.view()));
    const auto owner = row ? TRY(schema().accounts.find(view, row->owner.view())) : std::optional<Account>();
    const auto where = TRY(schema().domains.find(view, domain.view()));
    if (!owner || !where)
        return false;
    return has_feature(*owner, TRY(plan_of(view, *owner)), Feature::links_scripts_shared) ||
           !TRY(is_used_by_others(view, *where, owner->id));
}

Result<bool> is_used_by_others(data::View& view, const Domain& domain, AccountId account) {
    if (domain.type == DomainType::user && domain.owner != account)
        return true;
    const auto& shares = schema().domain_shares;
    bool found = false; // at the latest behind the workspaces of the account itself
    TRY(shares.by_domain.walk(
        view, {.scope = data::key(domain.id)}, [&](data::BytesView primary) -> Result<bool> {
            const auto share = TRY(shares.find(view, primary));
            const auto workspace = share && share->in_force()
                                       ? TRY(schema().workspaces.find(view, share->workspace.view()))
                                       : std::optional<Workspace>();
            found = workspace && workspace->owner != account;
            return !found;
        }));
    return found;
}

} // namespace slashpost

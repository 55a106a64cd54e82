#include "core/access/domain_doors.h"

#include "core/access/limits.h"
#include "core/base/errors.h"
#include "core/schema/schema.h"

namespace slashpost {

namespace {

Result<std::optional<Domain>> find_row(const Context& ctx, std::string_view text) {
    const auto id = DomainId::parse(text);
    return id ? TRY(schema().domains.find(ctx.view(), id->view())) : std::optional<Domain>();
}

Result<std::optional<DomainShare>> share_of(data::View& view, DomainId domain, WorkspaceId workspace) {
    return schema().domain_shares.find(
        view, DomainShare::primary_of({.workspace = workspace, .domain = domain, .ended_at = {}}));
}

bool is_own(const Context& ctx, const Domain& domain) {
    return domain.type == DomainType::user && domain.owner == ctx.account.id;
}

// The domain, as far as the guard lets it through.
Result<Domain> admit(const Context& ctx, Domain domain) {
    if (ctx.guard.domain == DomainState::in_force && domain.revoked)
        return refused("RevokedDomain", "domain", "The domain is revoked.");
    return domain;
}

Result<bool> is_shared_here(const Context& ctx, const Domain& domain) {
    return is_shared(ctx.view(), domain.id, ctx.workspace.id);
}

} // namespace

Result<bool> is_shared(data::View& view, DomainId domain, WorkspaceId workspace) {
    const auto share = TRY(share_of(view, domain, workspace));
    return share && share->in_force();
}

Result<Domain> find_seen_domain(Context& ctx, std::string_view id) {
    auto domain = TRY(find_row(ctx, id));
    if (!domain || !(is_own(ctx, *domain) || TRY(is_shared_here(ctx, *domain))))
        return not_found("domain", id);
    return admit(ctx, std::move(*domain));
}

Result<Domain> find_shared_domain(Context& ctx, std::string_view id) {
    auto domain = TRY(find_row(ctx, id));
    if (!domain || !TRY(is_shared_here(ctx, *domain)))
        return not_found("domain", id);
    return admit(ctx, std::move(*domain));
}

Result<Domain> find_managed_domain(Context& ctx, std::string_view id) {
    auto domain = TRY(find_row(ctx, id));
    const bool shared = domain && TRY(is_shared_here(ctx, *domain));
    if (!domain || !(is_own(ctx, *domain) || shared))
        return not_found("domain", id);
    const bool of_workspace = domain->type == DomainType::user && domain->registered_in == ctx.workspace.id &&
                              domain->owner == ctx.workspace.owner;
    if (!is_own(ctx, *domain) && !of_workspace)
        return invalid("domain", {not_shared("domain", "belongs to somebody else")});
    return admit(ctx, std::move(*domain));
}

Result<Domain> find_shareable_domain(Context& ctx, std::string_view id) {
    auto domain = TRY(find_row(ctx, id));
    if (!domain || !TRY(is_shareable(ctx, *domain)))
        return not_found("domain", id);
    return admit(ctx, std::move(*domain));
}

Result<bool> is_shareable(Context& ctx, const Domain& domain) {
    const auto share = TRY(share_of(ctx.view(), domain.id, ctx.workspace.id));
    if (is_own(ctx, domain) || (share && (share->in_force() || share->given_back)))
        return true;
    bool found = false;
    if (domain.type == DomainType::service)
        TRY(each_owned_workspace(ctx.view(), ctx.account.id, [&](const Workspace& own) -> Result<void> {
            found = found || TRY(is_shared(ctx.view(), domain.id, own.id));
            return {};
        }));
    return found;
}

} // namespace slashpost

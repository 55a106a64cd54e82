#include "core/ops/domain_workspaces.h"

#include "core/ops/row_lists.h"
#include "core/schema/schema.h"

#include <array>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 1> domain_workspace_order_names{"createdAt"};

const DomainShareTable& shares() { return schema().domain_shares; }

data::Bytes primary_of(DomainId domain, WorkspaceId workspace) {
    return DomainShare::primary_of({.workspace = workspace, .domain = domain, .ended_at = {}});
}

// Nothing for a workspace that is gone, or has nothing on the domain any more.
Result<std::optional<DomainWorkspace>> describe(Context& ctx, const DomainShare& share) {
    std::optional<DomainWorkspace> nothing;
    auto workspace = TRY(schema().workspaces.find(ctx.view(), share.workspace.view()));
    if (!workspace || workspace->deleted_at)
        return nothing;
    const auto links =
        workspace->is_retiring(share.domain)
            ? 0
            : TRY(schema().links.per_workspace.count(ctx.view(), workspace->id, true, share.domain));
    if (!share.in_force() && links == 0)
        return nothing;
    auto owner = TRY(schema().accounts.find(ctx.view(), workspace->owner.view()));
    if (!owner)
        return fault("a workspace's owner is missing");
    const auto member = TRY(schema().members.find(
        ctx.view(), Member::primary_of({.workspace = workspace->id, .account = ctx.account.id})));
    return std::optional(DomainWorkspace{.workspace = std::move(*workspace),
                                         .owner = std::move(*owner),
                                         .share = share,
                                         .links = links,
                                         .named = member.has_value()});
}

// In the order of sharing, as long as `visit` wants more.
Result<void> each_workspace(Context& ctx, const data::Walk& walk,
                            const std::function<bool(DomainWorkspace)>& visit) {
    return shares().by_domain.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        const auto share = TRY(shares().find(ctx.view(), primary));
        auto found = share ? TRY(describe(ctx, *share)) : std::optional<DomainWorkspace>();
        return !found || visit(std::move(*found));
    });
}

Result<std::optional<DomainShare>> read_last(Context& ctx, const Domain& domain, std::string_view last,
                                             Problems& problems) {
    const auto id = WorkspaceId::parse(last);
    auto share = id ? TRY(find_place(ctx.view(), shares(), primary_of(domain.id, *id), ctx.now))
                    : std::optional<DomainShare>();
    if (!share && !last.empty())
        problems.add(invalid_format("last", "is not the id of a workspace that shares the domain"));
    return share;
}

} // namespace

std::span<const std::string_view> domain_workspace_orders() { return domain_workspace_order_names; }

Result<std::vector<DomainWorkspace>> list_domain_workspaces(Context& ctx, const Domain& domain,
                                                            const PageRequest& page, Problems problems) {
    read_order_name(domain_workspace_order_names, page.order_by, problems);
    const auto last = TRY(read_last(ctx, domain, page.last, problems));
    TRY(problems.result("workspace"));
    data::Walk walk{.scope = data::key(domain.id), .order = walk_order(page.direction)};
    if (last)
        walk.after = shares().by_domain.position(*last);
    std::vector<DomainWorkspace> out;
    PageCount count(page);
    TRY(each_workspace(ctx, walk, [&](DomainWorkspace found) {
        if (count.takes())
            out.push_back(std::move(found));
        return !count.is_full();
    }));
    return out;
}

Result<std::int64_t> count_domain_workspaces(Context& ctx, const Domain& domain) {
    std::int64_t count = 0;
    TRY(each_workspace(ctx, {.scope = data::key(domain.id)},
                       [&](const DomainWorkspace&) { return ++count > 0; }));
    return count;
}

Result<DomainWorkspace> find_domain_workspace(Context& ctx, const Domain& domain, std::string_view id) {
    const auto parsed = WorkspaceId::parse(id);
    const auto share = parsed ? TRY(shares().find(ctx.view(), primary_of(domain.id, *parsed)))
                              : std::optional<DomainShare>();
    auto found = share ? TRY(describe(ctx, *share)) : std::optional<DomainWorkspace>();
    if (!found)
        return not_found("workspace", id);
    return std::move(*found);
}

Result<DomainWorkspace> take_domain_from(Context& ctx, const Domain& domain, const DomainWorkspace& from,
                                         LinksLeft links) {
    auto system = ctx.system_context();
    const bool own = from.workspace.id == ctx.workspace.id;
    TRY(unshare_domain(system, domain.id, from.workspace.id, links,
                       own ? UnsharedBy::workspace : UnsharedBy::others));
    auto now = from;
    if (now.share.in_force())
        now.share.ended_at = ctx.now;
    if (links == LinksLeft::retire)
        now.links = 0;
    return now;
}

} // namespace slashpost

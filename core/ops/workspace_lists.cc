#include "core/ops/workspace_lists.h"

#include "core/access/limits.h"
#include "core/base/text.h"
#include "core/ops/row_lists.h"
#include "core/schema/click_totals.h"
#include "core/schema/rollups.h"
#include "core/schema/schema.h"

#include <functional>
#include <map>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 3> workspace_order_names{"createdAt", "name", "updatedAt"};
enum class Order { created, name, updated };

// What workspaces are sorted by; unique, as it ends in the id.
data::Bytes place_of(const Workspace& workspace, Order order) {
    switch (order) {
    case Order::created:
        return data::key(workspace.id);
    case Order::name:
        return data::key(fold_case(workspace.name), workspace.id);
    case Order::updated:
        return data::key(workspace.updated_at, workspace.id);
    }
    return {};
}

class Test {
  public:
    explicit Test(const WorkspaceFilter& filter) : filter_(filter), term_(filter.term) {}
    bool operator()(const Workspace& workspace) const {
        return !workspace.hidden() && (!filter_.type || workspace.type == *filter_.type) &&
               (!filter_.revoked || workspace.revoked == *filter_.revoked) && term_.in(workspace.name);
    }

  private:
    const WorkspaceFilter& filter_;
    FoldedTerm term_;
};

struct Membership {
    Workspace workspace;
    Role role = Role::viewer;
};

// Visits the workspaces that the caller works in and that pass. A person is in so few that they are sorted
// when they are listed, rather than indexed.
Result<void> each_membership(Context& ctx, const WorkspaceFilter& filter,
                             const std::function<void(Membership)>& visit) {
    const Test passes(filter);
    const auto& members = schema().members;
    return members.by_account.walk(
        ctx.view(), {.scope = data::key(ctx.account.id)}, [&](data::BytesView primary) -> Result<bool> {
            const auto member = TRY(members.find(ctx.view(), primary));
            auto workspace = TRY(schema().workspaces.find(ctx.view(), primary.substr(0, sizeof(RawId))));
            if (member && workspace && passes(*workspace))
                visit({.workspace = std::move(*workspace), .role = member->role});
            return true;
        });
}

// The workspace that `last` names, if the caller works in it or did so less than a day ago.
Result<std::optional<Workspace>> read_last(Context& ctx, std::string_view last, Problems& problems) {
    if (last.empty())
        return std::optional<Workspace>();
    std::optional<Workspace> found;
    if (const auto id = WorkspaceId::parse(last)) {
        const auto primary = Member::primary_of({.workspace = *id, .account = ctx.account.id});
        if (TRY(find_place(ctx.view(), schema().members, primary, ctx.now)))
            found = TRY(schema().workspaces.find(ctx.view(), id->view()));
    }
    if (!found)
        problems.add(invalid_format("last", "is not the id of a workspace of yours"));
    return found;
}

// Describes workspaces; reads each owner and its plan once.
class Describer {
  public:
    explicit Describer(data::View& view) : view_(view), rollups_(view) {}

    Result<WorkspaceDetails> details(const Workspace& workspace, Role role) {
        const Owner& owner = TRY(owner_of(workspace));
        const auto totals = TRY(clicks_of_workspace(view_, workspace.id));
        const auto counts = TRY(rollups_.lifetime(Subject::of(workspace.id)));
        const auto links = TRY(schema().links.per_workspace.count(view_, workspace.id, true));
        const auto teammates = TRY(schema().members.per_workspace.count(view_, workspace.id));
        const auto domains = TRY(schema().domain_shares.per_workspace.count(view_, workspace.id));
        return WorkspaceDetails{.workspace = workspace,
                                .owner = owner.account,
                                .role = role,
                                .category = owner.plan.shown_category(),
                                .domains_used = owner.domains_used,
                                .domains_included = limit_of(owner.plan, Limit::domains),
                                .links = links,
                                .teammates = teammates,
                                .domains = domains,
                                .clicks = totals.clicks,
                                .sessions = counts.sum(group::sessions),
                                .last_click_at = totals.last_click_at};
    }

  private:
    struct Owner {
        Account account;
        Plan plan;
        std::int64_t domains_used = 0;
    };
    Result<std::reference_wrapper<const Owner>> owner_of(const Workspace& workspace) {
        if (const auto known = owners_.find(workspace.owner); known != owners_.end())
            return std::cref(known->second);
        auto account = TRY(schema().accounts.find(view_, workspace.owner.view()));
        if (!account)
            return fault("a workspace's owner is missing");
        Owner owner{.account = std::move(*account), .plan = {}};
        owner.plan = TRY(plan_of(view_, owner.account));
        owner.domains_used = TRY(used_of(view_, owner.account.id, Limit::domains));
        return std::cref(owners_.emplace(workspace.owner, std::move(owner)).first->second);
    }

    data::View& view_;
    RollupReader rollups_;
    std::map<AccountId, Owner> owners_;
};

} // namespace

std::span<const std::string_view> workspace_orders() { return workspace_order_names; }

Result<std::vector<WorkspaceDetails>> list_workspaces(Context& ctx, const WorkspaceFilter& filter,
                                                      const PageRequest& page, Problems problems) {
    const auto order = static_cast<Order>(read_order_name(workspace_order_names, page.order_by, problems));
    const auto last = TRY(read_last(ctx, page.last, problems));
    TRY(problems.result("workspace"));

    std::vector<Membership> all;
    TRY(each_membership(ctx, filter, [&](Membership place) { all.push_back(std::move(place)); }));
    Describer describer(ctx.view());
    std::vector<WorkspaceDetails> out;
    for (const auto& [workspace, role] : page_of(
             std::move(all), [&](const Membership& place) { return place_of(place.workspace, order); }, page,
             last ? place_of(*last, order) : data::Bytes()))
        out.push_back(TRY(describer.details(workspace, role)));
    return out;
}

Result<std::int64_t> count_workspaces(Context& ctx, const WorkspaceFilter& filter, const Problems& problems) {
    TRY(problems.result("workspace"));
    std::int64_t count = 0;
    TRY(each_membership(ctx, filter, [&](const Membership&) { ++count; }));
    return count;
}

Result<WorkspaceDetails> describe_workspace(Context& ctx, const Workspace& workspace, Role role) {
    return Describer(ctx.view()).details(workspace, role);
}

Result<WorkspaceStatistics> workspace_statistics(Context& ctx, WorkspaceId workspace) {
    constexpr std::uint32_t days = 30;
    const auto today = day_of(ctx.now);
    const auto first = today - std::min(today, days - 1);
    WorkspaceStatistics out{
        .today = {.clicks = TRY(clicks_of_days(ctx.view(), workspace, today, today))},
        .last_30_days = {.clicks = TRY(clicks_of_days(ctx.view(), workspace, first, today))}};
    TRY(RollupReader(ctx.view())
            .each(Subject::of(workspace), Grain::day, first, today,
                  [&](std::uint32_t day, const data::Counts& counts) {
                      const auto sessions = counts.sum(group::sessions);
                      out.last_30_days.sessions += sessions;
                      out.today.sessions += day == today ? sessions : 0;
                      return true;
                  }));
    return out;
}

} // namespace slashpost

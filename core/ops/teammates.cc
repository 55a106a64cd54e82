#include "core/ops/teammates.h"

#include "core/access/limits.h"
#include "core/access/membership.h"
#include "core/base/text.h"
#include "core/ops/invites.h"
#include "core/ops/row_lists.h"
#include "core/schema/schema.h"

#include <functional>

namespace slashpost {

namespace {

constexpr std::array<std::string_view, 2> teammate_order_names{"createdAt", "fullName"};
constexpr std::size_t workspaces_looked_at_max = 1'000; // of one account
enum class Order { created, full_name };

const MemberTable& members() { return schema().members; }

// What teammates are sorted by; unique, as it ends in the account's id.
data::Bytes place_of(const Teammate& teammate, Order order) {
    const auto& id = teammate.account.id;
    return order == Order::created ? data::key(teammate.member.created_at, id)
                                   : data::key(fold_case(teammate.account.full_name), id);
}

Result<std::optional<Teammate>> with_account(data::View& view, const Member& member) {
    auto account = TRY(schema().accounts.find(view, member.account.view()));
    if (!account)
        return std::optional<Teammate>();
    return std::optional(Teammate{.account = std::move(*account), .member = member});
}

// Visits the teammates that pass. They are sorted when they are listed, rather than indexed, because their
// names are not the workspace's: a person who is renamed would have to be moved in all workspaces.
Result<void> each_teammate(Context& ctx, const TeammateFilter& filter,
                           const std::function<void(Teammate)>& visit) {
    const FoldedTerm term(filter.term);
    return members().each(
        ctx.view(),
        [&](const Member& member) -> Result<bool> {
            if (member.workspace != ctx.workspace.id)
                return false;
            auto teammate = TRY(with_account(ctx.view(), member));
            if (teammate && (term.in(teammate->account.full_name) || term.in(teammate->account.username) ||
                             term.in(teammate->account.email)))
                visit(std::move(*teammate));
            return true;
        },
        ctx.workspace.id.view());
}

// The teammate that `last` names, if the person works here or did so less than a day ago.
Result<std::optional<Teammate>> read_last(Context& ctx, std::string_view last, Problems& problems) {
    if (last.empty())
        return std::optional<Teammate>();
    std::optional<Teammate> found;
    if (const auto id = AccountId::parse(last)) {
        const auto primary = Member::primary_of({.workspace = ctx.workspace.id, .account = *id});
        if (const auto member = TRY(find_place(ctx.view(), members(), primary, ctx.now)))
            found = TRY(with_account(ctx.view(), *member));
    }
    if (!found)
        problems.add(invalid_format("last", "is not the id of a teammate of this workspace"));
    return found;
}

// A workspace keeps its owner until somebody else accepts to be that.
Result<void> need_no_owner(const Context& ctx, const Member& member) {
    if (member.role != Role::owner)
        return {};
    if (ctx.role < Role::owner)
        return forbidden("teammate");
    return invalid("teammate",
                   {invalid_format("role", "is that of the owner, who stays until another one is invited")});
}

// The caller and the other are both members of another workspace that is there.
Result<bool> work_together(Context& ctx, AccountId other) {
    bool found = false;
    std::size_t looked_at = 0;
    const data::Walk walk{.scope = data::key(ctx.account.id)};
    TRY(members().by_account.walk(ctx.view(), walk, [&](data::BytesView primary) -> Result<bool> {
        const auto id = *WorkspaceId::from_bytes(primary.substr(0, sizeof(WorkspaceId)));
        const auto theirs = Member::primary_of({.workspace = id, .account = other});
        if (id != ctx.workspace.id && TRY(members().find(ctx.view(), theirs))) {
            const auto workspace = TRY(schema().workspaces.find(ctx.view(), id.view()));
            found = workspace && !workspace->hidden();
        }
        return !found && ++looked_at < workspaces_looked_at_max;
    }));
    return found;
}

} // namespace

std::span<const std::string_view> teammate_orders() { return teammate_order_names; }

Result<std::vector<Teammate>> list_teammates(Context& ctx, const TeammateFilter& filter,
                                             const PageRequest& page, Problems problems) {
    const auto order = static_cast<Order>(read_order_name(teammate_order_names, page.order_by, problems));
    const auto last = TRY(read_last(ctx, page.last, problems));
    TRY(problems.result("teammate"));

    std::vector<Teammate> all;
    TRY(each_teammate(ctx, filter, [&](Teammate teammate) { all.push_back(std::move(teammate)); }));
    return page_of(
        std::move(all), [&](const Teammate& teammate) { return place_of(teammate, order); }, page,
        last ? place_of(*last, order) : data::Bytes());
}

Result<std::int64_t> count_teammates(Context& ctx, const TeammateFilter& filter, const Problems& problems) {
    TRY(problems.result("teammate"));
    if (filter.term.empty())
        return members().per_workspace.count(ctx.view(), ctx.workspace.id);
    std::int64_t count = 0;
    TRY(each_teammate(ctx, filter, [&](const Teammate&) { ++count; }));
    return count;
}

Result<Teammate> describe_teammate(Context& ctx, const Member& member) {
    auto teammate = TRY(with_account(ctx.view(), member));
    if (!teammate)
        return fault("a teammate's account is missing");
    return std::move(*teammate);
}

Result<SetTeammate> set_teammate(Context& ctx, const Account& person, Role role) {
    const auto before = TRY(members().find(
        ctx.view(), Member::primary_of({.workspace = ctx.workspace.id, .account = person.id})));
    if (before && before->role == role)
        return SetTeammate{.account = person, .member = before, .invite = {}};
    if (role > ctx.role)
        return forbidden("teammate");
    if (role == Role::owner)
        return invalid("teammate", {invalid_format("role", "cannot be owner: invite somebody as the owner")});
    if (before)
        TRY(need_no_owner(ctx, *before));
    SetTeammate done{.account = person, .member = {}, .invite = {}};
    if (before) {
        done.member = TRY(change_role(ctx.system_context(), *before, role));
    } else if (ctx.settings.adds_strangers || TRY(work_together(ctx, person.id))) {
        TRY(admit_more(ctx, Limit::teammates));
        done.member = TRY(join_workspace(ctx.system_context(), ctx.workspace.id, person.id, role));
    } else {
        done.invite = TRY(invite_account(ctx, person, role));
    }
    return done;
}

Result<void> remove_teammate(Context& ctx, const Member& member) {
    TRY(need_no_owner(ctx, member));
    TRY(keep_place(ctx.txn(), members(), member, ctx.now));
    return members().remove(ctx.txn(), member);
}

} // namespace slashpost

#pragma once
// Workspaces and plans of a World, by the operations that a caller and the operator would use.
#include "core/ops/plans.h"
#include "core/ops/subscriptions.h"
#include "core/ops/workspace_lists.h"
#include "core/ops/workspaces.h"
#include "core/work/jobs.h"
#include "tests/support/must.h"
#include "tests/support/world.h"

namespace slashpost::test {

inline constexpr Guard account_write{.access = Access::write, .scope = Scope::account};
inline constexpr Guard account_read{.scope = Scope::account};

inline Result<Workspace> try_workspace(World& world, const NewWorkspace& in, const Caller& caller) {
    return world.service.run(caller, {}, account_write,
                             [&](Context& ctx) { return create_workspace(ctx, in); });
}
// With the installation's domain, unless it is of a type that may not have that.
inline Workspace make_workspace(World& world, std::string name, WorkspaceType type = WorkspaceType::classic) {
    auto made = must(try_workspace(world, {.name = std::move(name), .type = type}, world.caller));
    if (type != WorkspaceType::extended)
        must(world.operate(
            [&](SystemContext& system) { return share_domain(system, world.installed.domain.id, made.id); }));
    return made;
}

// Runs an operation as the world's caller in one of its workspaces.
template <class Work>
auto write_in(World& world, WorkspaceId workspace, Work&& work, Guard guard = {}) {
    guard.access = Access::write;
    return world.service.run(world.caller, workspace.hex(), guard, std::forward<Work>(work));
}
template <class Work>
auto read_in(World& world, WorkspaceId workspace, Work&& work, const Guard& guard = {}) {
    return world.service.run(world.caller, workspace.hex(), guard, std::forward<Work>(work));
}

inline Result<LinkDetails> link_in(World& world, WorkspaceId workspace, std::string slashtag) {
    return write_in(world, workspace, [&](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/", .slashtag = slashtag});
    });
}
inline Result<void> remove_in(World& world, WorkspaceId workspace, Removal how) {
    return write_in(world, workspace, [&](Context& ctx) { return remove_workspace(ctx, how); });
}

inline void add_member(World& world, WorkspaceId workspace, AccountId account, Role role) {
    must(world.operate([&](SystemContext& system) {
        return schema().members.insert(system.txn, {.workspace = workspace,
                                                    .account = account,
                                                    .role = role,
                                                    .created_at = system.now,
                                                    .unknown = {}});
    }));
}

inline void set_state(World& world, WorkspaceId workspace, const WorkspaceState& state) {
    must(world.operate([&](SystemContext& system) -> Result<Workspace> {
        return set_workspace_state(system, TRY(find_any_workspace(system.txn, workspace.hex())), state);
    }));
}

// A plan with this change, given to the world's account.
inline void set_plan(World& world, const PlanChange& change) {
    must(world.operate([&](SystemContext& system) -> Result<Account> {
        TRY(create_plan(system, "test", change));
        const auto account = TRY(find_account(system.txn, world.installed.account.id.hex()));
        return change_account_plan(system, account, {.plan = Change<std::string>::set("test")});
    }));
}

inline std::int64_t run_all_jobs(World& world) {
    JobRunner runner(world.service);
    std::int64_t batches = 0;
    while (must(runner.run_batch()))
        ++batches;
    return batches;
}

template <class T>
std::string code_of(const Result<T>& result) {
    return result.has_value() ? "none" : result.error().code;
}

} // namespace slashpost::test

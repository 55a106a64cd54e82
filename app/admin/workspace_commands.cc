#include "app/admin/workspace_commands.h"

#include "app/admin/commands.h"
#include "core/ops/workspaces.h"
#include "core/schema/click_totals.h"
#include "core/schema/schema.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace slashpost::admin {

namespace {

using Name = std::shared_ptr<std::string>;

std::string state_of(const Workspace& workspace) {
    std::string out = workspace.is_default ? "default" : "-";
    if (workspace.revoked)
        out += " revoked";
    if (workspace.trashed)
        out += " trashed";
    return out;
}

Result<std::string> username_of(data::View& view, AccountId id) {
    const auto account = TRY(schema().accounts.find(view, id.view()));
    return account ? account->username : id.hex();
}

Result<void> print_line(Console& console, data::View& view, const Workspace& workspace) {
    return console.write(fmt::format("{}  {:<32} {:<8} owner {}  {}\n", workspace.id.hex(), workspace.name,
                                     to_string(workspace.type), TRY(username_of(view, workspace.owner)),
                                     state_of(workspace)));
}

Result<int> list(AdminContext& context, Console& console) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        TRY(schema().workspaces.each(view, [&](const Workspace& workspace) -> Result<bool> {
            if (!workspace.deleted_at)
                TRY(print_line(console, view, workspace));
            return true;
        }));
        return exit_good;
    });
}

Result<void> print_members(Console& console, data::View& view, WorkspaceId workspace) {
    TRY(console.write("people:\n"));
    return schema().members.each(
        view,
        [&](const Member& member) -> Result<bool> {
            if (member.workspace != workspace)
                return false;
            TRY(console.write(fmt::format("{}  {:<6} {}\n", member.account.hex(), to_string(member.role),
                                          TRY(username_of(view, member.account)))));
            return true;
        },
        workspace.view());
}

Result<int> show(AdminContext& context, Console& console, const Name& name) {
    TRY(context.fold_clicks());
    return context.engine.read([&](data::View& view) -> Result<int> {
        const auto workspace = TRY(find_any_workspace(view, *name));
        const auto totals = TRY(clicks_of_workspace(view, workspace.id));
        TRY(print_line(console, view, workspace));
        TRY(console.write(fmt::format(
            "created: {}\nlinks: {} active, {} not deleted\nclicks: {}\nlast click: {}\n"
            "default time to live: {}\n",
            to_iso(workspace.created_at), TRY(schema().links.per_workspace.count(view, workspace.id, true)),
            TRY(schema().links.kept.count(view, workspace.id)), totals.clicks,
            totals.last_click_at ? to_iso(*totals.last_click_at) : "-",
            workspace.default_ttl_seconds ? fmt::format("{} seconds", *workspace.default_ttl_seconds)
                                          : "-")));
        TRY(print_members(console, view, workspace.id));
        return exit_good;
    });
}

Result<int> set_state(AdminContext& context, Console& console, const Name& name,
                      const WorkspaceState& state) {
    const auto workspace =
        TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Workspace> {
            return set_workspace_state(system, TRY(find_any_workspace(system.txn, *name)), state);
        }));
    return context.engine.read([&](data::View& view) -> Result<int> {
        TRY(print_line(console, view, workspace));
        return exit_good;
    });
}

} // namespace

void add_workspace_commands(CLI::App& program, const OnCommand& on) {
    const auto name = std::make_shared<std::string>();
    auto& workspaces =
        *program.add_subcommand("workspace", "Show, revoke and trash workspaces.")->require_subcommand(1);
    const auto command = [&](const char* word, const char* help) -> CLI::App& {
        auto& made = *workspaces.add_subcommand(word, help);
        made.add_option("WORKSPACE", *name, "An id, or a username for that account's default workspace.")
            ->required();
        return made;
    };
    const auto state = [&](const char* word, const char* help, const WorkspaceState& what) {
        on(command(word, help), [name, what](AdminContext& context, Console& console) {
            return set_state(context, console, name, what);
        });
    };
    on(*workspaces.add_subcommand("list", "All workspaces, oldest first."), list);
    on(command("show", "One workspace with its figures and people."),
       [name](AdminContext& context, Console& console) { return show(context, console, name); });
    state("revoke", "Refuse changes; its links go on redirecting.", {.revoked = Change<bool>::set(true)});
    state("restore", "Take 'revoke' back.", {.revoked = Change<bool>::set(false)});
    state("trash", "Hide it from everybody and stop its redirects.", {.trashed = Change<bool>::set(true)});
    state("untrash", "Take a workspace out of the trash, also one that its owner put there.",
          {.trashed = Change<bool>::set(false)});
}

} // namespace slashpost::admin

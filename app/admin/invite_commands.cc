#include "app/admin/invite_commands.h"

#include "app/admin/commands.h"
#include "core/ops/invites.h"
#include "core/ops/workspaces.h"
#include "core/schema/schema.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <memory>

namespace slashpost::admin {

namespace {

struct Arguments {
    std::string invite;
    std::string workspace;
};

std::string_view name_of(InviteStatus status) {
    switch (status) {
    case InviteStatus::pending:
        return "pending";
    case InviteStatus::accepted:
        return "accepted";
    case InviteStatus::expired:
        return "expired";
    }
    return "-";
}

// What became of its mail; "no mail" when there never was one.
Result<std::string> mail_of(data::View& view, const Invite& invite) {
    if (invite.mailed_at)
        return fmt::format("mailed {}", to_iso(*invite.mailed_at));
    if (!invite.mail_error.empty())
        return fmt::format("mail given up: {}", invite.mail_error);
    const auto& mails = schema().mails;
    const auto mail = TRY(mails.find_by(mails.by_subject, view, MailKind::invite, invite.id));
    if (!mail)
        return "no mail";
    if (mail->attempts == 0)
        return "mail waits";
    return fmt::format("mail waits for attempt {} at {}{}{}", mail->attempts + 1, to_iso(mail->due_at),
                       mail->last_error.empty() ? "" : ": ", mail->last_error);
}

Result<int> list(AdminContext& context, Console& console, const Arguments& in) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        std::optional<WorkspaceId> only;
        if (!in.workspace.empty())
            only = TRY(find_any_workspace(view, in.workspace)).id;
        TRY(schema().invites.each(view, [&](const Invite& invite) -> Result<bool> {
            if (only && invite.workspace != *only)
                return true;
            const auto workspace = TRY(schema().workspaces.find(view, invite.workspace.view()));
            TRY(console.write(fmt::format("{}  {:<32} {:<6} {:<8} until {}  {}  {}\n", invite.id.hex(),
                                          invite.email, to_string(invite.role),
                                          name_of(invite.status(context.clock.now())),
                                          to_iso(invite.expires_at()), TRY(mail_of(view, invite)),
                                          workspace ? workspace->name : invite.workspace.hex())));
            return true;
        }));
        return exit_good;
    });
}

Result<int> address(AdminContext& context, Console& console, const Arguments& in) {
    const auto made = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<std::string> {
        return issue_acceptance_address(system, TRY(find_any_invite(system.txn, in.invite)));
    }));
    TRY(console.write(fmt::format("accept at: {}\n", made)));
    console.note("Whoever is invited posts to it with a key of their own. It is shown this once; addresses "
                 "that were given out or mailed before are not good any more.");
    return exit_good;
}

Result<int> withdraw(AdminContext& context, Console& console, const Arguments& in) {
    const auto gone = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Invite> {
        auto invite = TRY(find_any_invite(system.txn, in.invite));
        TRY(withdraw_any_invite(system, invite));
        return invite;
    }));
    TRY(console.write(fmt::format("withdrawn: {} for {}\n", gone.id.hex(), gone.email)));
    return exit_good;
}

} // namespace

void add_invite_commands(CLI::App& program, const OnCommand& on) {
    const auto arguments = std::make_shared<Arguments>();
    const auto bind = [arguments](auto function) -> Work {
        return [arguments, function](AdminContext& context, Console& console) {
            return function(context, console, *arguments);
        };
    };
    auto& invites =
        *program.add_subcommand("invite", "Show invites, and help with mails that do not arrive.")
             ->require_subcommand(1);
    auto& list_command = *invites.add_subcommand("list", "All invites, oldest first, with their mails.");
    list_command.add_option("--workspace", arguments->workspace,
                            "Only those into this one: an id, or a username for its default workspace.");
    on(list_command, bind(list));
    const auto command = [&](const char* name, const char* help) -> CLI::App& {
        auto& made = *invites.add_subcommand(name, help);
        made.add_option("INVITE", arguments->invite, "Its id, as 'invite list' shows it.")->required();
        return made;
    };
    on(command("address", "Make a new address to accept the invite at, and show it."), bind(address));
    on(command("withdraw", "Let nobody accept the invite any more."), bind(withdraw));
}

} // namespace slashpost::admin

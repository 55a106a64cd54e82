#include "app/admin/application_commands.h"

#include "app/admin/commands.h"
#include "core/ops/accounts.h"
#include "core/ops/applications.h"
#include "core/schema/schema.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace slashpost::admin {

namespace {

struct ApplicationArguments {
    std::string account;
    std::string application;
    NewApplication fresh;
};

Result<void> print_application(Console& console, data::View& view, const Application& row) {
    const auto owner = TRY(schema().accounts.find(view, row.account.view()));
    return console.write(fmt::format("{}  {:<32} {:<12} created {}  account {}  grants {}{}  {}\n",
                                     row.id.hex(), row.name, row.keeps_secret() ? "confidential" : "public",
                                     to_iso(row.created_at), owner ? owner->username : "-",
                                     TRY(grants_of_application(view, row.id)),
                                     row.implicit ? "  implicit" : "", fmt::join(row.redirects, " ")));
}

Result<void> show_secret(Console& console, const std::string& secret) {
    TRY(console.write(fmt::format("client secret: {}\n", secret)));
    console.note("Keep it: it is shown this once and stored as a hash only.");
    return {};
}

Result<int> add_application_row(AdminContext& context, Console& console, const ApplicationArguments& in) {
    const auto made =
        TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<IssuedApplication> {
            return add_application(system, TRY(find_account(system.txn, in.account)).id, in.fresh);
        }));
    TRY(console.write(fmt::format("client id: {}\n", made.row.id.hex())));
    if (!made.secret.empty())
        TRY(show_secret(console, made.secret));
    return exit_good;
}

Result<int> list_application_rows(AdminContext& context, Console& console, const ApplicationArguments& in) {
    return context.engine.read([&](data::View& view) -> Result<int> {
        if (!in.account.empty()) {
            for (const auto& row : TRY(applications_of(view, TRY(find_account(view, in.account)).id)))
                TRY(print_application(console, view, row));
            return exit_good;
        }
        TRY(schema().applications.each(view, [&](const Application& row) -> Result<bool> {
            TRY(print_application(console, view, row));
            return true;
        }));
        return exit_good;
    });
}

Result<int> renew_secret(AdminContext& context, Console& console, const ApplicationArguments& in) {
    const auto renewed =
        TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<IssuedApplication> {
            return renew_any_application_secret(system,
                                                TRY(find_any_application(system.txn, in.application)));
        }));
    TRY(show_secret(console, renewed.secret));
    return exit_good;
}

Result<int> delete_application_row(AdminContext& context, Console& console, const ApplicationArguments& in) {
    const auto gone = TRY(context.service.run_as_operator([&](SystemContext& system) -> Result<Application> {
        return delete_any_application(system, TRY(find_any_application(system.txn, in.application)));
    }));
    TRY(console.write(fmt::format("deleted: {} ({})\n", gone.id.hex(), gone.name)));
    return exit_good;
}

void add_add_command(CLI::App& applications, const std::shared_ptr<ApplicationArguments>& arguments,
                     const OnCommand& on) {
    auto& command =
        *applications.add_subcommand("add", "Register an application for an account, and show its id.");
    auto& fresh = arguments->fresh;
    command.add_option("NAME", fresh.name, "What people are asked about.")->required();
    command.add_option("--account", arguments->account, "Whose it is: a username or an account's id.")
        ->required();
    command
        .add_option("--redirect", fresh.redirects,
                    "Where people come back to, letter by letter: https, http at 127.0.0.1 or [::1], or a "
                    "scheme with "
                    "a dot in it. Once for each address.")
        ->allow_extra_args(false)
        ->required()
        ->type_name("ADDRESS");
    command.add_option("--website", fresh.website, "Where it is described, http or https.")
        ->type_name("ADDRESS");
    command.add_flag(
        "--confidential", fresh.keeps_secret,
        "It runs where nobody but its makers sees what it has, and gets a secret, shown this once.");
    command.add_flag("--implicit", fresh.implicit, "It may ask for a token at once (response_type=token).");
    command.footer("Example: slashpost-admin application add Calendar --account ada --redirect "
                   "https://calendar.example/back");
    on(command, [arguments](AdminContext& context, Console& console) {
        return add_application_row(context, console, *arguments);
    });
}

} // namespace

void add_application_commands(CLI::App& program, const OnCommand& on) {
    const auto arguments = std::make_shared<ApplicationArguments>();
    auto& applications =
        *program
             .add_subcommand("application", "Register and delete applications that ask people for access.")
             ->require_subcommand(1);
    const auto bind = [arguments](auto function) -> Work {
        return [arguments, function](AdminContext& context, Console& console) {
            return function(context, console, *arguments);
        };
    };
    const auto command = [&](const char* name, const char* help) -> CLI::App& {
        auto& made = *applications.add_subcommand(name, help);
        made.add_option("APPLICATION", arguments->application, "Its id, as 'application list' shows it.")
            ->required();
        return made;
    };
    add_add_command(applications, arguments, on);
    auto& list_command = *applications.add_subcommand(
        "list", "Applications, oldest first, with how many grants of people they hold.");
    list_command.add_option("--account", arguments->account, "Only those of this account.");
    on(list_command, bind(list_application_rows));
    on(command("secret", "Give an application a new secret; the one before is none any more."),
       bind(renew_secret));
    on(command("delete", "Delete an application, whose tokens are refused from then on."),
       bind(delete_application_row));
}

} // namespace slashpost::admin

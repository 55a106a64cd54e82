#include "app/admin/cli.h"

#include "app/admin/account_commands.h"
#include "app/admin/application_commands.h"
#include "app/admin/backup_commands.h"
#include "app/admin/certificate_commands.h"
#include "app/admin/command_help.h"
#include "app/admin/completion.h"
#include "app/admin/doctor.h"
#include "app/admin/domain_commands.h"
#include "app/admin/drain.h"
#include "app/admin/export_commands.h"
#include "app/admin/import_commands.h"
#include "app/admin/invite_commands.h"
#include "app/admin/link_commands.h"
#include "app/admin/manual.h"
#include "app/admin/move.h"
#include "app/admin/plan_commands.h"
#include "app/admin/workspace_commands.h"
#include "core/base/commit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>

namespace slashpost::admin {

namespace {

constexpr auto program_help =
    R"(slashpost-admin: accounts, plans, workspaces, invites, domains, imports and backups of a Slashpost store.

Works beside a running server, through the socket in its data folder, and on
the folder itself when no server runs. Examples:
  slashpost-admin account list
  slashpost-admin key create --account admin --name laptop
  slashpost-admin domain add go.example.com --verified
  slashpost-admin import links.csv
  slashpost-admin backup /mnt/backups
  slashpost-admin dump all.jsonl --data /var/lib/slashpost
  slashpost-admin restore all.jsonl --data ./fresh
  slashpost-admin help account create)";

constexpr auto exit_code_help = "Exit codes: 0 done, 1 failed or something was found, 2 wrong arguments.";

constexpr std::size_t help_left_column = 26;
constexpr std::string_view help_command = "help";

// Under which heading the help of the program has each command.
constexpr auto headings =
    std::to_array<std::pair<const char*, const char*>>({{"account", "People"},
                                                        {"sign-in-address", "People"},
                                                        {"key", "People"},
                                                        {"application", "People"},
                                                        {"invite", "People"},
                                                        {"workspace", "People"},
                                                        {"plan", "People"},
                                                        {"domain", "Domains and links"},
                                                        {"link", "Domains and links"},
                                                        {"certificates", "Domains and links"},
                                                        {"import", "Domains and links"},
                                                        {"export", "Domains and links"},
                                                        {"dump", "Backups"},
                                                        {"restore", "Backups"},
                                                        {"backup", "Backups"},
                                                        {"restore-backup", "Backups"},
                                                        {"move", "The store"},
                                                        {"drain", "The store"},
                                                        {"doctor", "The server"},
                                                        {"verify", "The store"},
                                                        {"check-upgrade", "The store"},
                                                        {"reindex", "The store"},
                                                        {"schema", "The store"},
                                                        {"help", "This program"},
                                                        {"completion", "This program"},
                                                        {"manual", "This program"},
                                                        {"version", "This program"}});

std::string version_line() { return fmt::format("slashpost-admin " SLASHPOST_VERSION "{}", commit_mark()); }

// Builds the tree of commands; the one that is chosen leaves its work in `job`.
class Tree {
  public:
    explicit Tree(const char* environment_data) {
        job_.data = environment_data ? environment_data : "./data";
        program_.fallthrough(); // flags of all commands may stand before and behind the command
        program_.set_version_flag("--version", version_line());
        program_.add_option("--data", data_, "The server's data folder. Default: ./data. [SLASHPOST_DATA]")
            ->type_name("DIR");
        program_.add_flag("--quiet", job_.quiet, "Nothing of how it goes, only results and what went wrong.");
        program_
            .add_option(
                "--accept-loss", accepts_loss_,
                "on: go on although the log or the journal of clicks is damaged, without what cannot be "
                "read; the damaged files are kept beside.")
            ->type_name("WORD")
            ->check(CLI::IsMember({"off", "on"}));
        // From the tool to the server, whose folder is another one.
        program_.add_option(std::string(relative_to_option), *folder_)->group("");
        program_.require_subcommand(1);
        program_.footer(exit_code_help);
        add_dump_commands();
        add_own_commands();
        const auto on_command = [this](CLI::App& app, Work work) { on(app, std::move(work)); };
        add_account_commands(program_, on_command);
        add_plan_commands(program_, *program_.get_subcommand("account"), on_command);
        add_workspace_commands(program_, on_command);
        add_invite_commands(program_, on_command);
        add_application_commands(program_, on_command);
        add_domain_commands(program_, on_command);
        add_link_commands(program_, on_command);
        add_certificate_commands(program_, on_command);
        add_doctor_command(program_, on_command);
        const auto on_reading = [this](CLI::App& app, OpenFiles open, Work work) {
            app.callback([this, &app, open = std::move(open), work = std::move(work)] {
                if (!app.get_subcommands().empty()) // one of its commands was chosen
                    return;
                job_.kind = Job::Kind::run;
                job_.open_files = open;
                job_.work = work;
            });
        };
        add_import_commands(program_, folder_, on_reading);
        add_export_commands(program_, [this](CLI::App& app, std::function<std::string()> file, Work work) {
            app.callback([this, file = std::move(file), work = std::move(work)] {
                job_.kind = Job::Kind::run;
                job_.file = file();
                job_.work = work;
            });
        });
        add_backup_commands(program_, folder_, on_reading, [this](CLI::App& app, Errand errand) {
            app.callback([this, errand = std::move(errand)] {
                job_.kind = Job::Kind::errand;
                job_.errand = errand;
            });
        });
        for (const auto& [name, heading] : headings)
            program_.get_subcommand(name)->group(heading);
        lay_out_help(program_, terminal_columns(), help_left_column);
    }

    Job read(std::vector<std::string> arguments) {
        if (!arguments.empty() && arguments.front() == help_command) {
            arguments.erase(arguments.begin());
            arguments.emplace_back("--help");
        }
        try {
            if (const auto wrong = misunderstood(program_, arguments))
                return complain(*wrong);
            std::ranges::reverse(arguments); // as CLI11 wants them
            program_.parse(std::move(arguments));
        } catch (const CLI::CallForHelp&) {
            return text(Job::Kind::print, chosen().help());
        } catch (const CLI::CallForVersion&) {
            return text(Job::Kind::print, version_line() + "\n");
        } catch (const CLI::ParseError& error) {
            return complain(error.what());
        }
        if (!data_.empty())
            job_.data = data_;
        job_.accepts_loss = accepts_loss_ == "on";
        job_.name = path_of(chosen()).substr(path_of(program_).size() + 1);
        return job_;
    }

  private:
    void on(CLI::App& command, Work work) {
        command.callback([this, work = std::move(work)] {
            job_.kind = Job::Kind::run;
            job_.work = work;
        });
    }
    CLI::App& command(const char* name, const char* help) { return *program_.add_subcommand(name, help); }

    void add_dump_commands() {
        auto& dump_command = command("dump", "Write everything to a file, as one consistent snapshot.");
        dump_command.add_option("FILE", file_, "Where to; - is standard output.")->required();
        dump_command.add_flag("--with-keys", with_keys_,
                              "The certificates that the server got by itself too, and their private keys.");
        dump_command.footer(
            "The file appears only when it is complete, and is for its owner only. A pipe or a "
            "device is written into. Keys and passwords are in it as hashes only; who is signed in is not.\n"
            "Example: slashpost-admin --data ./data dump backup.jsonl");
        dump_command.callback([this] {
            job_.kind = Job::Kind::run;
            job_.file = file_;
            job_.work = [keys = with_keys_ ? DumpKeys::with : DumpKeys::without](
                            AdminContext& context, Console& console) { return dump(context, console, keys); };
        });

        auto& restore_command = command("restore", "Read a dump into an empty or new data folder.");
        restore_command.add_option("FILE", file_, "A file that 'dump' wrote; - is standard input.")
            ->required();
        restore_command.footer("A damaged file changes nothing. No server may run.\n"
                               "Example: slashpost-admin --data ./fresh restore backup.jsonl");
        restore_command.callback([this] {
            job_.kind = Job::Kind::restore;
            job_.beside = Job::Beside::nobody;
            job_.file = file_;
        });

        auto& move_command = command("move", "Move the store of a data folder to a server of PostgreSQL.");
        move_command.add_option("--to", move_to_, "Where to: postgres://USER@HOST/NAME.")
            ->type_name("URL")
            ->required();
        move_command.footer(
            "Everything is copied and verified there; then the folder is that of a server with "
            "--store, and what was in it lies in DATA/moved. A move that fails changes nothing in "
            "the folder. No server may run.\n"
            "Example: slashpost-admin --data ./data move --to postgres://me@db.example.com/links");
        move_command.callback([this] {
            job_.kind = Job::Kind::move;
            job_.beside = Job::Beside::nobody;
            job_.work = [where = move_to_](AdminContext& context, Console& console) {
                return move_store(context, where, console);
            };
        });

        auto& drain_command = command("drain", "Count every click that the running server has taken.");
        drain_command.add_flag(
            "--leave", leaves_,
            "Send visitors to other servers first: /readyz says from then on that this one "
            "is not ready, until it is started again.");
        drain_command.footer(
            "For a server that is to be taken away, one of several on a store. It says when nothing "
            "is left.\nExample: slashpost-admin --data ./data drain --leave");
        drain_command.callback([this] {
            job_.kind = Job::Kind::run;
            job_.work = [leaves = leaves_](AdminContext& context, Console& console) {
                return drain(context, leaves, console);
            };
        });

        on(command("verify", "Check every row, index, count, reference and checksum."), verify);
        auto& reindex_command = command("reindex", "Mend indexes and counts that verify complains about.");
        reindex_command.footer("No server may run meanwhile.");
        reindex_command.callback([this] {
            job_.kind = Job::Kind::run;
            job_.beside = Job::Beside::nobody;
            job_.work = reindex;
        });
        on(command("schema", "Show tables, entries, their numbers and measured bytes per row."), show_schema);
    }

    // What the program tells of itself.
    void add_own_commands() {
        command("help", "Explain a command: help account create.").callback([this] {
            text(Job::Kind::print, program_.help());
        });
        auto& completion = command("completion", "Print what makes a shell complete commands and flags.");
        completion.add_option("SHELL", shell_, "bash or zsh.")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh"}));
        completion.callback([this] {
            text(Job::Kind::print, shell_ == "bash" ? bash_completion(program_) : zsh_completion(program_));
        });
        command("manual", "Print the manual page slashpost-admin(8).").callback([this] {
            text(Job::Kind::print, manual_page(program_, {.version = SLASHPOST_VERSION,
                                                          .summary = "tend a store of Slashpost",
                                                          .files = {},
                                                          .see_also = "slashpost(8), slashpost.conf(5)"}));
        });
        command("version", "Print the program's version.").callback([this] {
            text(Job::Kind::print, version_line() + "\n");
        });
    }

    Job complain(std::string_view what) {
        std::string line =
            fmt::format("slashpost-admin: {}; '{} --help' explains what there is", what, path_of(chosen()));
        std::ranges::replace(line, '\n', ' ');
        return text(Job::Kind::complain, line);
    }
    Job text(Job::Kind kind, std::string words) {
        job_.kind = kind;
        job_.text = std::move(words);
        return job_;
    }
    // The innermost command that was named.
    CLI::App& chosen() {
        auto* app = &program_;
        while (!app->get_subcommands().empty())
            app = app->get_subcommands().front();
        return *app;
    }
    static std::string path_of(const CLI::App& app) {
        return app.get_parent() ? fmt::format("{} {}", path_of(*app.get_parent()), app.get_name())
                                : app.get_name();
    }

    CLI::App program_{program_help, "slashpost-admin"};
    bool with_keys_ = false;
    std::string data_, accepts_loss_;
    std::string file_, move_to_, shell_;
    bool leaves_ = false;
    std::shared_ptr<std::filesystem::path> folder_ = std::make_shared<std::filesystem::path>();
    Job job_;
};

} // namespace

Job read_arguments(std::span<const std::string> arguments, const char* environment_data) {
    return Tree(environment_data).read({arguments.begin(), arguments.end()});
}

} // namespace slashpost::admin

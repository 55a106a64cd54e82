#include "app/cli.h"

#include "app/admin/command_help.h"
#include "app/admin/completion.h"
#include "app/admin/manual.h"
#include "app/config_file.h"
#include "app/config_warnings.h"
#include "app/settings_text.h"
#include "core/base/commit.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr auto config_variable = "SLASHPOST_CONFIG";
constexpr std::size_t names_columns = 32; // of the help, for commands and flags

constexpr auto program_help = R"(Slashpost: branded short links, self-hosted.

First steps:
  slashpost serve        starts on http://localhost:8080 with its data in ./data; the first start prints an API key and a curl line to try it
  slashpost config       prints the settings that would be used, and where each comes from
  slashpost help serve   explains every setting
  slashpost-admin --help accounts, keys, domains, dump, restore, verify)";

constexpr auto manual_files =
    R"(  /etc/slashpost/slashpost.conf  the settings of the service, where it is installed as one
  /var/lib/slashpost  its data)";

std::string version_line() { return fmt::format("slashpost " SLASHPOST_VERSION "{}", commit_mark()); }

std::string option_help(const Setting& setting) {
    return fmt::format("{} [{}]", meaning_of(setting), setting.environment_name());
}

struct Flags {
    Layer values;
    std::string config_file;
    bool show_secrets = false;
    bool commented = false;
    std::string shell;
    std::string page = "slashpost";
    std::vector<std::string> topic; // the command that help is wanted of
};

void add_settings(CLI::App& command, Flags& flags) {
    command
        .add_option("--config", flags.config_file,
                    fmt::format("Read settings from this file. [{}]", config_variable))
        ->type_name("FILE");
    for (const auto& setting : settings()) {
        command
            .add_option_function<std::string>(
                fmt::format("--{}", setting.name),
                [&flags, &setting](const std::string& text) {
                    flags.values.insert_or_assign(std::string(setting.name), text);
                },
                option_help(setting))
            ->type_name(std::string(setting.hint))
            ->group(std::string(setting.topic))
            ->expected(1);
    }
    command.footer(how_settings_are_given);
}

Invocation complain(std::string_view message) {
    std::string line(message);
    std::ranges::replace(line, '\n', ' ');
    return {.action = Invocation::Action::complain,
            .config = {},
            .text = fmt::format("slashpost: {}\n", line),
            .warnings = {}};
}

// What is wrong with the arguments, in one line.
Invocation misused(std::string_view message) {
    return complain(fmt::format("{}{}'slashpost help' explains what there is", message,
                                message.ends_with('?') ? " " : "; "));
}

Invocation print(std::string text, std::vector<std::string> warnings = {}) {
    return {.action = Invocation::Action::print,
            .config = {},
            .text = std::move(text),
            .warnings = std::move(warnings)};
}

Result<Layers> gather(const Flags& flags, const Environment& environment, const Layer& sockets) {
    Layers layers{.file = {},
                  .environment = read_environment(environment),
                  .flags = flags.values,
                  .sockets = sockets,
                  .file_path = flags.config_file,
                  .file_places = {}};
    if (const auto variable = environment.find(config_variable);
        flags.config_file.empty() && variable != environment.end())
        layers.file_path = variable->second;
    if (!layers.file_path.empty()) {
        auto file = TRY(read_config_file(layers.file_path));
        layers.file = std::move(file.values);
        layers.file_places = std::move(file.places);
    }
    return layers;
}

// The tree of commands; what is given on the command line goes into `flags`.
struct Program {
    Program() {
        program.set_version_flag("--version", version_line());
        program.require_subcommand(1);
        add_settings(*serve, flags);
        add_settings(*show, flags);
        show->add_flag("--show-secrets", flags.show_secrets, "Write secrets too, instead of comments.");
        show->add_flag(
            "--commented", flags.commented,
            "Write every setting with its default and what it means, all as comments: a file to begin "
            "with.");
        help->add_option("COMMAND", flags.topic, "The one to explain.");
        completion->add_option("SHELL", flags.shell, "bash or zsh.")
            ->required()
            ->check(CLI::IsMember({"bash", "zsh"}));
        manual->add_option("PAGE", flags.page, "slashpost or slashpost.conf. Default: slashpost.")
            ->check(CLI::IsMember({"slashpost", "slashpost.conf"}));
        admin::lay_out_help(program, admin::terminal_columns(), names_columns);
    }

    std::string help_text() {
        if (const auto chosen = program.get_subcommands(); !chosen.empty() && chosen.front() != help)
            return chosen.front()->help();
        if (flags.topic.empty())
            return program.get_formatter()->make_help(&program, "", CLI::AppFormatMode::Normal);
        return program.get_subcommand(flags.topic.front())->help();
    }

    std::string completion_text() const {
        return flags.shell == "bash" ? admin::bash_completion(program) : admin::zsh_completion(program);
    }

    std::string manual_text() const {
        const admin::ManualHead head{.version = SLASHPOST_VERSION,
                                     .summary = flags.page == "slashpost" ? "branded short links, self-hosted"
                                                                          : "the settings of slashpost",
                                     .files = manual_files,
                                     .see_also = flags.page == "slashpost"
                                                     ? "slashpost.conf(5), slashpost-admin(8)"
                                                     : "slashpost(8), slashpost-admin(8)"};
        return flags.page == "slashpost" ? admin::manual_page(program, head) : settings_page(head);
    }

    Flags flags;
    CLI::App program{program_help, "slashpost"};
    CLI::App* serve = program.add_subcommand("serve", "Start the server.");
    CLI::App* show = program.add_subcommand("config", "Print the effective settings, as a file of settings.");
    CLI::App* help = program.add_subcommand("help", "Explain the program, or one of its commands.");
    CLI::App* completion =
        program.add_subcommand("completion", "Print what makes a shell complete commands and flags.");
    CLI::App* manual =
        program.add_subcommand("manual", "Print a manual page: slashpost(8), slashpost.conf(5).");
    CLI::App* version = program.add_subcommand("version", "Print the program's version.");
};

} // namespace

Invocation read_command_line(std::span<const char* const> arguments, const Environment& environment,
                             const Layer& sockets) {
    Program tree;
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    if (const auto trouble = admin::misunderstood(tree.program, words))
        return misused(*trouble);
    try {
        tree.program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
        if (tree.help->parsed()) {
            const auto trouble = admin::misunderstood(tree.program, tree.flags.topic);
            return trouble && !tree.flags.topic.empty() ? misused(*trouble) : print(tree.help_text());
        }
    } catch (const CLI::CallForHelp&) {
        return print(tree.help_text());
    } catch (const CLI::CallForVersion&) {
        return print(version_line() + "\n");
    } catch (const CLI::ParseError& error) {
        return misused(error.what());
    }
    if (tree.version->parsed())
        return print(version_line() + "\n");
    if (tree.completion->parsed())
        return print(tree.completion_text());
    if (tree.manual->parsed())
        return print(tree.manual_text());
    if (tree.flags.commented)
        return print(settings_as_comments());
    const auto layers = gather(tree.flags, environment, sockets);
    if (!layers)
        return complain(layers.error().message);
    const auto config = make_config(*layers);
    if (!config)
        return complain(config.error().message);
    auto warnings = warnings_of(*config, *layers, environment);
    if (tree.show->parsed())
        return print(describe(*config, *layers, tree.flags.show_secrets ? Secrets::shown : Secrets::hidden),
                     std::move(warnings));
    return {
        .action = Invocation::Action::serve, .config = *config, .text = {}, .warnings = std::move(warnings)};
}

} // namespace slashpost::app

#include "app/cli.h"

#include "app/admin/command_help.h"
#include "app/config_file.h"
#include "app/config_warnings.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr auto version_line = "slashpost " SLASHPOST_VERSION;
constexpr auto config_variable = "SLASHPOST_CONFIG";
constexpr std::size_t names_columns = 32; // of the help, for commands and flags

constexpr auto program_help = R"(Slashpost: branded short links, self-hosted.

First steps:
  slashpost serve        starts on http://localhost:8080 with its data in ./data; the first start prints an API key and a curl line to try it
  slashpost config       prints the settings that would be used, and where each comes from
  slashpost help serve   explains every setting
  slashpost-admin --help accounts, keys, domains, dump, restore, verify)";

constexpr auto settings_footer =
    R"(Each setting can be given in three places; a flag wins over the environment, the environment over the file:
  flag                 --listen 0.0.0.0:8080
  environment          SLASHPOST_LISTEN=0.0.0.0:8080
  configuration file   listen = 0.0.0.0:8080

In the file, a '#' begins a comment at the beginning of a line only. A value that begins with a quotation mark, or begins or ends with a space, stands in quotation marks: "..." with \" and \\ for a quotation mark and a backslash in it, or '...' as it is.

Signals: SIGTERM or SIGINT finishes requests in flight, folds clicks and closes the store; a second one stops at once. SIGHUP reads certificates and countries again. Exit codes: 0 stopped in order, 1 could not start or failed, 2 wrong arguments.)";

std::string option_help(const Setting& setting) {
    const auto fallback = setting.fallback.empty() || setting.help.find("Default:") != std::string_view::npos
                              ? std::string{}
                              : fmt::format(" Default: {}.", setting.fallback);
    return fmt::format("{} Give {}.{} [{}]", setting.help, setting.bounds, fallback,
                       setting.environment_name());
}

struct Flags {
    Layer values;
    std::string config_file;
    bool show_secrets = false;
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
    command.footer(settings_footer);
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

Result<Layers> gather(const Flags& flags, const Environment& environment) {
    Layers layers{.file = {},
                  .environment = read_environment(environment),
                  .flags = flags.values,
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
        program.set_version_flag("--version", version_line);
        program.require_subcommand(1);
        add_settings(*serve, flags);
        add_settings(*show, flags);
        show->add_flag("--show-secrets", flags.show_secrets, "Write secrets too, instead of comments.");
        help->add_option("COMMAND", flags.topic, "The one to explain.");
        admin::lay_out_help(program, admin::terminal_columns(), names_columns);
    }

    std::string help_text() {
        if (const auto chosen = program.get_subcommands(); !chosen.empty() && chosen.front() != help)
            return chosen.front()->help();
        if (flags.topic.empty())
            return program.get_formatter()->make_help(&program, "", CLI::AppFormatMode::Normal);
        return program.get_subcommand(flags.topic.front())->help();
    }

    Flags flags;
    CLI::App program{program_help, "slashpost"};
    CLI::App* serve = program.add_subcommand("serve", "Start the server.");
    CLI::App* show = program.add_subcommand("config", "Print the effective settings, as a file of settings.");
    CLI::App* help = program.add_subcommand("help", "Explain the program, or one of its commands.");
    CLI::App* version = program.add_subcommand("version", "Print the program's version.");
};

} // namespace

Invocation read_command_line(std::span<const char* const> arguments, const Environment& environment) {
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
        return print(std::string(version_line) + "\n");
    } catch (const CLI::ParseError& error) {
        return misused(error.what());
    }
    if (tree.version->parsed())
        return print(std::string(version_line) + "\n");
    const auto layers = gather(tree.flags, environment);
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

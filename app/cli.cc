#include "app/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace slashpost::app {

namespace {

constexpr auto version_line = "slashpost " SLASHPOST_VERSION;
constexpr auto config_variable = "SLASHPOST_CONFIG";

constexpr auto program_help = R"(Slashpost: branded short links, self-hosted.

First steps:
  slashpost serve                      starts on http://localhost:8080 with its data in ./data;
                                       the first start prints an API key and a curl line to try it
  slashpost serve --data /var/lib/slashpost --listen 0.0.0.0:80 --domain go.example.com
  slashpost config --config FILE       shows the settings that would be used, and where each comes from
  slashpost-admin --help               accounts, keys, domains, dump, restore, verify)";

constexpr auto settings_footer =
    R"(Each setting can be given in three places; a flag wins over the environment, the environment over the file:
  flag                  --listen 0.0.0.0:8080
  environment           SLASHPOST_LISTEN=0.0.0.0:8080
  configuration file    listen = 0.0.0.0:8080

Signals: SIGTERM or SIGINT finishes requests in flight, folds clicks and closes the store; a second one
stops at once. Exit codes: 0 stopped in order, 1 could not start or failed, 2 wrong arguments.)";

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
            ->expected(1);
    }
    command.footer(settings_footer);
}

Invocation complain(std::string_view message) {
    std::string line(message);
    std::ranges::replace(line, '\n', ' ');
    return {
        .action = Invocation::Action::complain, .config = {}, .text = fmt::format("slashpost: {}\n", line)};
}

Invocation print(std::string text) {
    return {.action = Invocation::Action::print, .config = {}, .text = std::move(text)};
}

Result<Layers> gather(Flags flags, const std::function<const char*(const char*)>& lookup) {
    Layers layers{.file = {}, .environment = read_environment(lookup), .flags = std::move(flags.values)};
    if (flags.config_file.empty()) {
        if (const char* path = lookup(config_variable))
            flags.config_file = path;
    }
    if (!flags.config_file.empty())
        layers.file = TRY(read_config_file(flags.config_file));
    return layers;
}

} // namespace

Invocation read_command_line(std::span<const char* const> arguments,
                             const std::function<const char*(const char*)>& lookup) {
    CLI::App program{program_help, "slashpost"};
    program.set_version_flag("--version", version_line);
    program.require_subcommand(1);
    program.get_formatter()->column_width(36);
    Flags flags;
    auto* serve = program.add_subcommand("serve", "Start the server.");
    auto* show = program.add_subcommand("config", "Print the effective settings and leave.");
    add_settings(*serve, flags);
    add_settings(*show, flags);

    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
    try {
        program.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        const auto chosen = program.get_subcommands();
        return print(chosen.empty() ? program.help() : chosen.front()->help("slashpost"));
    } catch (const CLI::CallForVersion&) {
        return print(std::string(version_line) + "\n");
    } catch (const CLI::ParseError& error) {
        const auto* command = program.get_subcommands().empty() ? "" : "serve ";
        return complain(
            fmt::format("{}; 'slashpost {}--help' explains what there is", error.what(), command));
    }
    const auto layers = gather(std::move(flags), lookup);
    if (!layers)
        return complain(layers.error().message);
    const auto config = make_config(*layers);
    if (!config)
        return complain(config.error().message);
    if (show->parsed())
        return print(describe(*config, *layers));
    return {.action = Invocation::Action::serve, .config = *config, .text = {}};
}

} // namespace slashpost::app

#include "app/admin/completion.h"

#include "app/admin/command_help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

namespace slashpost::admin {

namespace {

struct Word {
    std::string text;
    std::string meaning; // one line
};

struct Command {
    std::string path; // "slashpost-admin account create"
    std::vector<Word> commands;
    std::vector<Word> flags;
    bool has_files = false; // behind it: those that are no flags
};

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// All that a program's words can be.
class Words {
  public:
    explicit Words(const CLI::App& program) : program_(program) { add(program, program.get_name()); }

    std::vector<Command> commands;
    // Flags that a value follows, by what that is.
    std::set<std::string> before_files;
    std::set<std::string> before_folders;
    std::set<std::string> before_others;

    // Those of commands below others, as patterns of a `case`.
    [[nodiscard]] std::string paths() const {
        std::vector<std::string> quoted;
        for (const auto& command : commands)
            if (command.path != program_.get_name())
                quoted.push_back(fmt::format("\"{}\"", command.path));
        return fmt::format("{}", fmt::join(quoted, " | "));
    }
    [[nodiscard]] std::string before_all() const {
        auto all = before_files;
        all.insert(before_folders.begin(), before_folders.end());
        all.insert(before_others.begin(), before_others.end());
        return fmt::format("{}", fmt::join(all, " | "));
    }

  private:
    void add(const CLI::App& app, const std::string& path) {
        Command command{.path = path, .commands = {}, .flags = {}};
        add_options(app, command);
        const auto below = app.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); });
        add_commands(app, command.commands);
        commands.push_back(std::move(command));
        for (const auto* one : below)
            add(*one, fmt::format("{} {}", path, one->get_name()));
    }
    static void add_commands(const CLI::App& app, std::vector<Word>& words) {
        for (const auto* one :
             app.get_subcommands([](const CLI::App* any) { return !any->get_name().empty(); }))
            words.push_back({.text = one->get_name(), .meaning = first_line(one->get_description())});
    }
    void add_options(const CLI::App& app, Command& command) {
        for (const auto* option : flags_of(app)) {
            if (option->get_group().empty())
                continue;
            for (const auto& name : option->get_lnames()) {
                command.flags.push_back(
                    {.text = "--" + name, .meaning = first_line(option->get_description())});
                if (option->get_items_expected_max() > 0)
                    before(option->get_type_name()).insert("--" + name);
            }
        }
        for (const auto* option :
             app.get_options([](const CLI::Option* any) { return any->get_positional(); })) {
            command.has_files |= option->get_name(true).find("FILE") != std::string::npos;
            if (option->get_name(true) == "COMMAND")
                add_commands(program_, command.commands);
        }
    }
    std::set<std::string>& before(const std::string& type) {
        if (type == "FILE")
            return before_files;
        return type == "DIR" ? before_folders : before_others;
    }

    const CLI::App& program_;
};

std::string function_of(const CLI::App& program) {
    auto name = "_" + program.get_name();
    std::ranges::replace(name, '-', '_');
    return name;
}

// The loop that finds which command the words before the cursor name, in $at, and the flag whose value is
// wanted, if one is, in $before. Alike in both shells but for `words`, the words in between.
std::string walk(const Words& all, std::string_view words) {
    return fmt::format(R"(    for word in {}; do
        case $before in
        {})
            before=
            continue
            ;;
        esac
        case "$at $word" in
        {})
            at="$at $word"
            ;;
        esac
        before=$word
    done
)",
                       words, all.before_all(), all.paths());
}

std::string branch(const std::set<std::string>& flags, std::string_view commands) {
    return flags.empty() ? std::string{}
                         : fmt::format("    {})\n        {}\n        return\n        ;;\n",
                                       fmt::join(flags, " | "), commands);
}

std::string quoted(std::string text) {
    for (auto at = text.find('\''); at != text.npos; at = text.find('\'', at + 4))
        text.replace(at, 1, R"('\'')");
    return "'" + text + "'";
}

std::string described(const std::vector<Word>& words) {
    std::string out;
    for (const auto& word : words)
        out += fmt::format("            {}\n", quoted(fmt::format("{}:{}", word.text, word.meaning)));
    return out;
}

} // namespace

std::string bash_completion(const CLI::App& program) {
    const Words all(program);
    const auto function = function_of(program);
    auto out = fmt::format(
        "# Completion of {0} in bash, made from the program's own table of commands: {0} completion "
        "bash\n{1}() {{\n    local at={0} before= word words=\n    COMPREPLY=()\n",
        program.get_name(), function);
    out += walk(all, R"("${COMP_WORDS[@]:1:COMP_CWORD-1}")");
    // Files are found by readline itself, where nothing else is.
    auto files = all.before_files;
    files.insert(all.before_folders.begin(), all.before_folders.end());
    out += "    case $before in\n" + branch(files, ":") +
           branch(all.before_others, "compopt +o default 2>/dev/null") + "    esac\n    case $at in\n";
    for (const auto& command : all.commands) {
        std::vector<std::string> words;
        for (const auto* list : {&command.commands, &command.flags})
            for (const auto& word : *list)
                words.push_back(word.text);
        out += fmt::format("    \"{}\")\n        words=\"{}\"\n{}        ;;\n", command.path,
                           fmt::join(words, " "),
                           command.has_files ? "" : "        compopt +o default 2>/dev/null\n");
    }
    return out + fmt::format("    esac\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- "
                             "\"${{COMP_WORDS[COMP_CWORD]}}\")\n"
                             "}}\ncomplete -o default -F {} {}\n",
                             function, program.get_name());
}

std::string zsh_completion(const CLI::App& program) {
    const Words all(program);
    const auto function = function_of(program);
    auto out = fmt::format(
        "#compdef {0}\n# Completion of {0} in zsh, made from the program's own table of commands: {0} "
        "completion zsh\n{1}() {{\n    local at={0} before= word\n    local -a commands flags\n",
        program.get_name(), function);
    out += walk(all, R"("${(@)words[2,CURRENT-1]}")");
    out += "    case $before in\n" + branch(all.before_files, "_files") +
           branch(all.before_folders, "_files -/") + branch(all.before_others, "_message value") +
           "    esac\n    case $at in\n";
    for (const auto& command : all.commands)
        out += fmt::format(
            "    \"{}\")\n        commands=(\n{}        )\n        flags=(\n{}        )\n{}        ;;\n",
            command.path, described(command.commands), described(command.flags),
            command.has_files ? "        _files\n" : "");
    return out + fmt::format("    esac\n    (( $#commands )) && _describe command commands\n"
                             "    _describe -o flag flags\n}}\n{} \"$@\"\n",
                             function);
}

} // namespace slashpost::admin

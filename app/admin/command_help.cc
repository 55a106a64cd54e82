#include "app/admin/command_help.h"

#include "core/base/suggest.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <set>
#include <sys/ioctl.h>
#include <unistd.h>
#include <vector>

namespace slashpost::admin {

namespace {

constexpr std::size_t columns_min = 40;
constexpr std::size_t columns_max = 120;
constexpr std::size_t columns_elsewhere = 80;
constexpr std::size_t beside_min = 36; // with less room, what a flag does stands beneath it
constexpr std::size_t beneath_indent = 6;

// Where the line goes on: under what stands behind the last two spaces, or under its own beginning.
std::size_t second_column(std::string_view line) {
    const auto gap = line.rfind("  ");
    return gap == line.npos ? 0 : gap + 2;
}

void append_wrapped(std::string& out, std::string_view line, std::size_t columns) {
    auto indent = second_column(line);
    if (indent + columns_min / 2 > columns)
        indent = beneath_indent;
    std::string rest(line);
    while (rest.size() > columns) {
        auto end = rest.rfind(' ', columns);
        if (end == rest.npos || end < indent || rest.find_first_not_of(' ') > end)
            end = rest.find(' ', std::max(columns, indent));
        if (end == rest.npos)
            break;
        out.append(rest, 0, rest.find_last_not_of(' ', end) + 1) += '\n';
        const auto begin = rest.find_first_not_of(' ', end);
        rest = begin == rest.npos ? std::string{} : std::string(indent, ' ') + rest.substr(begin);
    }
    out += rest;
}

std::string path_of(const CLI::App& app) {
    return app.get_parent() ? fmt::format("{} {}", path_of(*app.get_parent()), app.get_name())
                            : app.get_name();
}

class HelpPage final : public CLI::Formatter {
  public:
    HelpPage(std::size_t columns, std::size_t left) : columns_(columns) { column_width(left); }

    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
        auto text = CLI::Formatter::make_help(app, std::move(name), mode);
        while (text.find("\n\n\n") != text.npos) // between groups of flags
            text.erase(text.find("\n\n\n"), 1);
        return text;
    }
    std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
        return CLI::Formatter::make_usage(app, path_of(*app));
    }
    std::string make_description(const CLI::App* app) const override {
        return wrapped(CLI::Formatter::make_description(app), columns_);
    }
    std::string make_footer(const CLI::App* app) const override {
        return wrapped(CLI::Formatter::make_footer(app), columns_);
    }
    std::string make_option(const CLI::Option* option, bool is_positional) const override {
        return entry(make_option_name(option, is_positional) + make_option_opts(option),
                     make_option_desc(option));
    }
    std::string make_subcommand(const CLI::App* command) const override {
        return entry(command->get_display_name(true), command->get_description());
    }

  private:
    [[nodiscard]] std::string entry(const std::string& name, const std::string& description) const {
        const bool beside = get_column_width() + beside_min <= columns_;
        const auto indent = beside ? get_column_width() : beneath_indent;
        auto out = "  " + name;
        if (description.empty())
            return out + '\n';
        if (beside && out.size() < indent)
            out.resize(indent, ' ');
        else
            out += '\n' + std::string(indent, ' ');
        for (const char character : wrapped(description, columns_ - indent)) {
            out += character;
            if (character == '\n')
                out.append(indent, ' ');
        }
        return out + '\n';
    }
    std::size_t columns_;
};

// Looks at words from left to right as CLI11 does, but knows what to say when one is not understood.
class Reader {
  public:
    explicit Reader(const CLI::App& program) : app_(&program) {}

    std::optional<std::string> read(std::span<const std::string> words) {
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto& word = words[i];
            if (word == "--")
                return std::nullopt;
            if (word.size() > 1 && word.starts_with('-')) {
                const auto name = word.substr(0, word.find('='));
                const auto* option = find_option(name);
                if (!option)
                    return unknown_flag(name);
                asks_for_help_ |= option == app_->get_help_ptr() || option == app_->get_version_ptr();
                if (option->get_items_expected_max() == 1 && !given_.insert(option).second)
                    return fmt::format("'{}' is given twice; keep one", name);
                const auto left = words.subspan(i + 1);
                const auto values = name == word ? count_values(*option, left) : 0;
                if (values > left.size())
                    return fmt::format("'{}' needs a value: {} {}", name, name, option->get_type_name());
                i += values;
            } else if (const auto* command = find_command(word)) {
                app_ = command;
            } else if (positionals() > 0) {
                continue;
            } else if (!commands().empty()) {
                return unknown_command(word);
            } else {
                return fmt::format("'{}' is not expected behind '{}'", word, path_of(*app_));
            }
        }
        if (app_->get_require_subcommand_min() > 0 && !asks_for_help_)
            return fmt::format("a command is missing behind '{}': {}", path_of(*app_),
                               fmt::join(commands(), ", "));
        return std::nullopt;
    }

  private:
    // How many of the words behind a flag are its own, or have to be.
    static std::size_t count_values(const CLI::Option& option, std::span<const std::string> left) {
        auto count = static_cast<std::size_t>(option.get_items_expected_min());
        const auto most = static_cast<std::size_t>(option.get_items_expected_max());
        while (count < most && count < left.size() && !left[count].starts_with('-'))
            ++count;
        return count;
    }
    [[nodiscard]] const CLI::Option* find_option(const std::string& name) const {
        for (const auto* app = app_; app != nullptr; app = app->get_parent()) {
            if (const auto* option = app->get_option_no_throw(name))
                return option;
            if (!app->get_fallthrough())
                break;
        }
        return nullptr;
    }
    [[nodiscard]] const CLI::App* find_command(const std::string& name) const {
        const auto all = app_->get_subcommands([&](const CLI::App* app) { return app->check_name(name); });
        return all.empty() ? nullptr : all.front();
    }
    [[nodiscard]] std::vector<std::string> commands() const {
        std::vector<std::string> names;
        for (const auto* command : app_->get_subcommands({}))
            names.push_back(command->get_name());
        return names;
    }
    [[nodiscard]] std::size_t positionals() const {
        return app_->get_options([](const CLI::Option* option) { return option->get_positional(); }).size();
    }
    [[nodiscard]] std::vector<std::string> flags() const {
        std::vector<std::string> names;
        for (const auto* option : flags_of(*app_))
            for (const auto& name : option->get_lnames())
                names.push_back("--" + name);
        return names;
    }

    static std::string with_guess(std::string sentence, std::string_view typed,
                                  const std::vector<std::string>& known) {
        const std::vector<std::string_view> views(known.begin(), known.end());
        if (const auto guess = nearest(typed, views))
            sentence += fmt::format("; do you mean '{}'?", *guess);
        return sentence;
    }
    [[nodiscard]] std::string unknown_command(const std::string& word) const {
        return with_guess(fmt::format("'{}' is not a command of '{}'", word, path_of(*app_)), word,
                          commands());
    }
    [[nodiscard]] std::string unknown_flag(const std::string& name) const {
        for (const auto* above = app_->get_parent(); above != nullptr; above = above->get_parent()) {
            if (above->get_option_no_throw(name))
                return fmt::format("'{}' stands before the command: {} {} ... {}", name, path_of(*above),
                                   name, path_of(*app_).substr(path_of(*above).size() + 1));
        }
        for (const auto* below : app_->get_subcommands({})) {
            if (below->get_option_no_throw(name))
                return fmt::format("'{}' stands behind the command: {} {}", name, path_of(*below), name);
        }
        const auto doubled = name.starts_with("--") ? name : "-" + name;
        return with_guess(fmt::format("'{}' is not a flag of '{}'", name, path_of(*app_)), doubled, flags());
    }

    const CLI::App* app_; // the innermost command so far
    std::set<const CLI::Option*> given_;
    bool asks_for_help_ = false;
};

void give_to_all(CLI::App& app, const std::shared_ptr<CLI::FormatterBase>& page) {
    app.formatter(page);
    for (auto* command : app.get_subcommands([](CLI::App*) { return true; }))
        give_to_all(*command, page);
}

} // namespace

std::size_t terminal_columns() {
    winsize size{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return columns_elsewhere;
    return std::clamp<std::size_t>(size.ws_col, columns_min, columns_max);
}

void lay_out_help(CLI::App& program, std::size_t columns, std::size_t left) {
    give_to_all(program, std::make_shared<HelpPage>(columns, left));
}

std::vector<const CLI::Option*> flags_of(const CLI::App& app) {
    std::vector<const CLI::Option*> flags;
    for (const auto* at = &app; at != nullptr; at = at->get_fallthrough() ? at->get_parent() : nullptr)
        std::ranges::copy_if(at->get_options({}), std::back_inserter(flags),
                             [](const CLI::Option* option) { return option->nonpositional(); });
    return flags;
}

std::optional<std::string> misunderstood(const CLI::App& program, std::span<const std::string> words) {
    return Reader(program).read(words);
}

std::string wrapped(std::string_view text, std::size_t columns) {
    std::string out;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        append_wrapped(out, text.substr(0, end), columns);
        if (end < text.size())
            out += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

} // namespace slashpost::admin

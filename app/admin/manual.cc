#include "app/admin/manual.h"

#include "app/admin/command_help.h"
#include "core/base/ascii.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace slashpost::admin {

namespace {

constexpr std::string_view usual_heading = "Options"; // of flags, by CLI11

std::string path_of(const CLI::App& app) {
    return app.get_parent() ? fmt::format("{} {}", path_of(*app.get_parent()), app.get_name())
                            : app.get_name();
}

std::string_view take_line(std::string_view& text) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return line;
}

std::string item(std::string_view name, std::string_view value, std::string_view meaning) {
    auto out = fmt::format(".TP\n\\fB{}\\fR", in_manual(name));
    if (!value.empty())
        out += fmt::format(" \\fI{}\\fR", in_manual(value));
    return fmt::format("{}\n{}\n", out, in_manual(meaning));
}

std::string options_of(const CLI::App& app) {
    std::string out;
    for (const auto* option : app.get_options({})) {
        if (option->get_group() != usual_heading)
            continue;
        const auto type = option->get_items_expected_max() > 0 && !option->get_positional()
                              ? option->get_type_name()
                              : std::string{};
        out += item(option->get_name(option->get_positional(), true), type, option->get_description());
    }
    return out;
}

std::string usage_of(const CLI::App& app) {
    auto usage = path_of(app);
    const auto options = app.get_options({});
    for (const auto* option : options)
        if (option->get_positional())
            usage += option->get_required() ? fmt::format(" {}", option->get_name(true))
                                            : fmt::format(" [{}]", option->get_name(true));
    if (std::ranges::any_of(options, [](const CLI::Option* one) { return one->nonpositional(); }))
        usage += " [OPTIONS]";
    return usage;
}

// The commands that do something, in the order of the help.
std::string commands_of(const CLI::App& app) {
    std::string out;
    for (const auto* command :
         app.get_subcommands([](const CLI::App* one) { return !one->get_name().empty(); })) {
        if (!command->get_subcommands([](const CLI::App*) { return true; }).empty()) {
            out += commands_of(*command);
            continue;
        }
        out += fmt::format(".SS \"{}\"\n{}", in_manual(usage_of(*command)),
                           manual_paragraphs(command->get_description()));
        out += options_of(*command);
        if (const auto footer = command->get_footer(); !footer.empty())
            out += ".PP\n" + manual_paragraphs(footer);
    }
    return out;
}

} // namespace

std::string in_manual(std::string_view text) {
    constexpr std::string_view special = "\\-'\"^~`";
    constexpr std::string_view as[] = {"\\e", "\\-", "\\(aq", "\\(dq", "\\(ha", "\\(ti", "\\(ga"};
    std::string out;
    for (const char character : text) {
        const auto place = special.find(character);
        if (place != special.npos)
            out += as[place];
        else if (character == '.' && (out.empty() || out.back() == '\n'))
            out += "\\&."; // no order
        else
            out += character;
    }
    return out;
}

std::string manual_paragraphs(std::string_view text) {
    enum class Before { nothing, line, block };
    auto before = Before::nothing;
    std::string out;
    const auto end_block = [&] {
        if (std::exchange(before, Before::nothing) == Before::block)
            out += ".fi\n.RE\n";
    };
    while (!text.empty()) {
        const auto line = take_line(text);
        if (line.empty()) {
            end_block();
            out += ".PP\n";
        } else if (!line.starts_with("  ")) {
            end_block();
            out += in_manual(line) + '\n';
            if (!text.empty() && text.front() != '\n' && text.front() != ' ')
                out += ".br\n";
            before = Before::line;
        } else if (const auto gap = line.find("  ", 2); gap != line.npos) {
            end_block();
            out += item(line.substr(2, gap - 2), "", line.substr(line.find_first_not_of(' ', gap)));
        } else {
            if (std::exchange(before, Before::block) != Before::block)
                out += ".RS 4\n.nf\n";
            out += in_manual(line.substr(2)) + '\n';
        }
    }
    end_block();
    return out;
}

std::string manual_title(std::string_view name, std::string_view section, const ManualHead& head) {
    std::string title;
    for (const char character : name)
        title += ascii::upper(character);
    return fmt::format(".TH {} {} \"\" \"Slashpost {}\" \"Slashpost\"\n.SH NAME\n{} \\- {}\n",
                       in_manual(title), section, head.version, in_manual(name), in_manual(head.summary));
}

std::string manual_page(const CLI::App& program, const ManualHead& head) {
    const auto& name = program.get_name();
    auto out = manual_title(name, "8", head);
    out += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR [OPTIONS] \\fICOMMAND\\fR [OPTIONS]\n", in_manual(name));
    out += ".SH DESCRIPTION\n" + manual_paragraphs(program.get_description());
    out += ".SH OPTIONS\n" + options_of(program);
    out += ".SH COMMANDS\n" + commands_of(program);
    if (const auto footer = program.get_footer(); !footer.empty())
        out += ".SH NOTES\n" + manual_paragraphs(footer);
    if (!head.files.empty())
        out += ".SH FILES\n" + manual_paragraphs(head.files);
    return out + fmt::format(".SH SEE ALSO\n{}\n", in_manual(head.see_also));
}

} // namespace slashpost::admin

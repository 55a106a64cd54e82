#include "app/settings_text.h"

#include "app/admin/command_help.h"

#include <fmt/format.h>
#include <utility>

namespace slashpost::app {

namespace {

constexpr std::size_t file_columns = 100;

// Whether the help tells the default in words; then it may be another one on another machine.
bool tells_default(const Setting& setting) {
    return setting.fallback.empty() || setting.help.find("Default:") != std::string_view::npos;
}

std::string as_comment(std::string_view text) {
    std::string out = "# ";
    for (const char character : admin::wrapped(text, file_columns)) {
        out += character;
        if (character == '\n')
            out += "# ";
    }
    return out + '\n';
}

} // namespace

const char* const how_settings_are_given =
    R"(Each setting can be given in three places; a flag wins over the environment, the environment over the file:
  flag                 --listen 0.0.0.0:8080
  environment          SLASHPOST_LISTEN=0.0.0.0:8080
  configuration file   listen = 0.0.0.0:8080

In the file, a '#' begins a comment at the beginning of a line only. A value that begins with a quotation mark, or begins or ends with a space, stands in quotation marks: "..." with \" and \\ for a quotation mark and a backslash in it, or '...' as it is.

Signals: SIGTERM or SIGINT finishes requests in flight, folds clicks and closes the store; a second one stops at once. SIGHUP reads certificates and countries again. Exit codes: 0 stopped in order, 1 could not start or failed, 2 wrong arguments.)";

std::string meaning_of(const Setting& setting) {
    const auto fallback =
        tells_default(setting) ? std::string{} : fmt::format(" Default: {}.", setting.fallback);
    return fmt::format("{} Give {}.{}", setting.help, setting.bounds, fallback);
}

std::string settings_page(const admin::ManualHead& head) {
    auto out = admin::manual_title("slashpost.conf", "5", head);
    out += ".SH DESCRIPTION\n" + admin::manual_paragraphs(how_settings_are_given);
    out += ".SH SETTINGS\n";
    std::string_view topic;
    for (const auto& setting : settings()) {
        if (setting.topic != std::exchange(topic, setting.topic))
            out += fmt::format(".SS \"{}\"\n", admin::in_manual(topic));
        out += fmt::format(".TP\n\\fB{}\\fR = \\fI{}\\fR\n{}\n", admin::in_manual(setting.name),
                           admin::in_manual(setting.hint), admin::in_manual(meaning_of(setting)));
    }
    out += ".SH FILES\n" + admin::manual_paragraphs(head.files);
    return out + fmt::format(".SH SEE ALSO\n{}\n", admin::in_manual(head.see_also));
}

std::string settings_as_comments() {
    auto out = as_comment(
        "Settings of Slashpost: `name = value` lines. Every setting is here as a comment, with its "
        "default or with what a value looks like; take away the '#' in front of a name, and give "
        "the value that you want. 'slashpost config --config FILE' says what a file comes to.");
    std::string_view topic;
    for (const auto& setting : settings()) {
        if (setting.topic != std::exchange(topic, setting.topic))
            out += fmt::format("\n#\n# {}\n#\n", topic);
        out += fmt::format("\n{}#{} = {}\n", as_comment(meaning_of(setting)), setting.name,
                           tells_default(setting) ? std::string(setting.hint) : setting.fallback);
    }
    return out;
}

} // namespace slashpost::app

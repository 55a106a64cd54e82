#include "app/settings_text.h"

#include "app/cli.h"
#include "app/config_file.h"
#include "tests/app/temporary_file.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <sstream>
#include <vector>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;

namespace {

// Lines that begin with '#' and a letter, without the '#': the settings.
std::vector<std::string> settings_in(const std::string& text) {
    std::vector<std::string> found;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.empty() || line == "#" || line.starts_with("# "))
            continue;
        REQUIRE(line.starts_with('#'));
        found.push_back(line.substr(1));
    }
    return found;
}

} // namespace

TEST_CASE("a file to begin with has every setting as a comment, and is a good file as it is", "[config]") {
    const auto text = settings_as_comments();
    const auto lines = settings_in(text);
    REQUIRE(lines.size() == settings().size());
    CHECK(std::ranges::find(lines, "listen = localhost:8080") != lines.end());
    CHECK(std::ranges::find(lines, "domain = HOST[:PORT]") != lines.end());
    CHECK(std::ranges::find(lines, "durability = synced") != lines.end());
    CHECK_THAT(text,
               Catch::Contains("\n# Where the API and the redirects are served. Give a numeric address"));
    CHECK_THAT(text, Catch::Contains("\n#\n# Visitors\n#\n"));
    const test::TemporaryFile file(text);
    CHECK(must(read_config_file(file.path())).values.empty());
}

TEST_CASE("the lines of that file, taken out of their comments, are the defaults", "[config]") {
    std::string text;
    for (const auto& line : settings_in(settings_as_comments()))
        for (const auto& setting : settings())
            if (line.starts_with(std::string(setting.name) + " = ") && !line.ends_with(setting.hint))
                text += line + "\n";
    CHECK_THAT(text, Catch::Contains("rate-limit = 6000\n"));
    const test::TemporaryFile file(text);
    const auto read = must(read_config_file(file.path()));
    CHECK(read.values.size() > 20);
    const auto given = must(make_config({.file = read.values, .environment = {}, .flags = {}}));
    const auto defaults = must(make_config({}));
    CHECK(describe(given, {}) == describe(defaults, {}));
}

TEST_CASE("what differs from machine to machine is in no file that the build makes", "[config]") {
    const auto lines = settings_in(settings_as_comments());
    for (const char* line : {"io-threads = N", "workers = N", "redirect-cache-mb = N"})
        CHECK(std::ranges::find(lines, line) != lines.end());
    const auto page = settings_page({.version = "1", .summary = "s", .files = {}, .see_also = "x(1)"});
    CHECK_THAT(page, Catch::StartsWith(".TH SLASHPOST.CONF 5 \"\" \"Slashpost 1\""));
    for (const auto& setting : settings()) {
        const auto name = admin::in_manual(setting.name);
        CHECK_THAT(page, Catch::Contains(".TP\n\\fB" + name + "\\fR = \\fI"));
        CHECK_THAT(page, Catch::Contains(admin::in_manual(setting.help)));
    }
}

TEST_CASE("the program prints its manual, its completion and a file to begin with", "[cli]") {
    const auto printed = [](std::vector<const char*> words) { return read_command_line(words, {}); };
    CHECK(printed({"config", "--commented"}).text == settings_as_comments());
    CHECK_THAT(printed({"manual"}).text, Catch::StartsWith(".TH SLASHPOST 8 ") &&
                                             Catch::Contains(".SS \"slashpost serve [OPTIONS]\"\n") &&
                                             !Catch::Contains("\\-\\-rate\\-limit"));
    CHECK_THAT(printed({"manual", "slashpost.conf"}).text, Catch::StartsWith(".TH SLASHPOST.CONF 5 "));
    CHECK_THAT(printed({"completion", "bash"}).text,
               Catch::Contains("complete -o default -F _slashpost slashpost\n"));
    CHECK_THAT(printed({"completion", "zsh"}).text, Catch::StartsWith("#compdef slashpost\n"));
    CHECK(printed({"completion", "fish"}).action == Invocation::Action::complain);
    CHECK(printed({"manual", "sed"}).action == Invocation::Action::complain);
}

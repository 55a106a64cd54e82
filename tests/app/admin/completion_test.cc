// What the programs print for shells and for man, from a small program's table of commands.
#include "app/admin/completion.h"

#include "app/admin/command_help.h"
#include "app/admin/manual.h"
#include "tests/app/temporary_file.h"

#include <CLI/CLI.hpp>
#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>

using namespace slashpost;

namespace {

// tool [--data DIR] add NAME | key make [--name WORD] FILE
struct Tool {
    Tool() {
        program.fallthrough();
        program.add_option("--data", text, "The 'data' folder. [TOOL_DATA]")->type_name("DIR");
        program.add_option("--hidden", text)->group("");
        program.footer("Exit codes: 0 done.");
        program.require_subcommand(1);
        auto* add = program.add_subcommand("add", "Add one: now.");
        add->add_option("NAME", text, "Its name.")->required();
        auto* make = program.add_subcommand("key", "Keys.")->add_subcommand("make", "Make a key.");
        make->add_option("--name", text, "What it is called.")->type_name("WORD");
        make->add_option("--into", text, "Where to.")->type_name("FILE");
        make->add_option("--setting", text, "A setting.")->group("Settings");
        make->add_option("FILE", text, "A file.");
        make->footer("Says it once.\n  tool key make x\n.not an order");
    }
    CLI::App program{"tool: does things.\n\nFirst:\n  tool add x  adds it", "tool"};
    std::string text;
};

// What bash proposes for `words`, of which the last is being typed; one a line.
std::string proposed(const std::string& words) {
    const test::TemporaryFile script(admin::bash_completion(Tool().program) + "COMP_WORDS=(tool " + words +
                                     "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _tool; "
                                     "printf '%s ' \"${COMPREPLY[@]}\"");
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> bash(
        ::popen(fmt::format("{} {}", "/usr/bin/bash", script.path().string()).c_str(), "r"), ::pclose);
    REQUIRE(bash);
    std::array<char, 4096> bytes{};
    return {bytes.data(), std::fread(bytes.data(), 1, bytes.size(), bash.get())};
}

} // namespace

TEST_CASE("bash completes commands, the flags of each, and those that stand everywhere", "[admin]") {
    CHECK(proposed("\"\"") == "add key --help --data ");
    CHECK(proposed("k") == "key ");
    CHECK(proposed("key m") == "make ");
    CHECK(proposed("key make --n") == "--name ");
    CHECK(proposed("key make --d") == "--data ");
    CHECK(proposed("add --name") == " ");
    CHECK(proposed("--hid") == " ");
}

TEST_CASE("a flag's value is no command, and completed as what it is", "[admin]") {
    CHECK(proposed("--data key \"\"") == "add key --help --data "); // a folder that is called key
    CHECK(proposed("key make --name \"\"") == " ");
    CHECK(proposed("--data \"\"") == " "); // bash finds folders by itself
    const auto zsh = admin::zsh_completion(Tool().program);
    CHECK_THAT(zsh, Catch::StartsWith("#compdef tool\n"));
    CHECK_THAT(zsh, Catch::Contains("    --into)\n        _files\n") &&
                        Catch::Contains("    --data)\n        _files -/\n") &&
                        Catch::Contains("    --name | --setting)\n        _message value\n"));
    CHECK_THAT(zsh, Catch::Contains("            'add:Add one: now.'\n") &&
                        Catch::Contains(R"(            '--data:The '\''data'\'' folder. [TOOL_DATA]')"));
    CHECK_THAT(zsh, !Catch::Contains("hidden"));
}

TEST_CASE("a manual page tells every command with its flags, but not the settings", "[admin]") {
    const auto page = admin::manual_page(Tool().program, {.version = "1.2.3",
                                                          .summary = "do well-known things",
                                                          .files = "  /etc/tool  its settings",
                                                          .see_also = "other(1)"});
    CHECK_THAT(page, Catch::StartsWith(".TH TOOL 8 \"\" \"Slashpost 1.2.3\" \"Slashpost\"\n.SH NAME\n"
                                       "tool \\- do well\\-known things\n.SH SYNOPSIS\n"));
    CHECK_THAT(page, Catch::Contains(".SH DESCRIPTION\ntool: does things.\n.PP\nFirst:\n"
                                     ".TP\n\\fBtool add x\\fR\nadds it\n"));
    CHECK_THAT(page, Catch::Contains(".SS \"tool add NAME [OPTIONS]\"\nAdd one: now.\n"));
    CHECK_THAT(page, Catch::Contains(".SS \"tool key make [FILE] [OPTIONS]\"\n"));
    CHECK_THAT(page, Catch::Contains(".TP\n\\fB\\-\\-name\\fR \\fIWORD\\fR\nWhat it is called.\n"));
    CHECK_THAT(page,
               Catch::Contains("Says it once.\n.RS 4\n.nf\ntool key make x\n.fi\n.RE\n\\&.not an order\n"));
    CHECK_THAT(page, Catch::Contains("The \\(aqdata\\(aq folder."));
    CHECK_THAT(page, Catch::Contains(".SH FILES\n.TP\n\\fB/etc/tool\\fR\nits settings\n"));
    CHECK_THAT(page, !Catch::Contains("\\-\\-setting") && !Catch::Contains("hidden"));
    CHECK_THAT(page, Catch::EndsWith(".SH SEE ALSO\nother(1)\n"));
}

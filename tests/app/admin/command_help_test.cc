#include "app/admin/command_help.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

using namespace slashpost::admin;

namespace {

// A program with a flag, two commands, one of which has commands of its own.
struct Sample {
    CLI::App program{"What it is for.", "sample"};
    std::string text;
    std::vector<std::string> several;

    Sample() {
        program.require_subcommand(1);
        program.set_version_flag("--version", "sample 1");
        program.add_option("--data", text, "The folder.")->type_name("DIR");
        auto& serve = *program.add_subcommand(
            "serve", "Start what there is to be started, and go on until a signal comes.");
        serve
            .add_option("--listen", text,
                        "Where the API and the redirects are served, which is on this machine only.")
            ->type_name("ADDRESS:PORT");
        serve.add_option("--tag", several, "Any number of them.");
        serve.footer("Signals:\n  SIGTERM   finishes requests in flight, folds clicks and closes the store "
                     "before it leaves");
        auto& account = *program.add_subcommand("account", "Accounts.")->require_subcommand(1);
        account.add_subcommand("list", "All of them.");
        account.add_subcommand("show", "One.")->add_option("NAME", text, "Its name.");
    }
    [[nodiscard]] std::string wrong(const std::vector<std::string>& words) const {
        return misunderstood(program, words).value_or("");
    }
    [[nodiscard]] std::string help(std::size_t columns, const char* command) {
        lay_out_help(program, columns, 30);
        return program.get_subcommand(command)->help();
    }
};

std::size_t longest_line(const std::string& text) {
    std::istringstream lines(text);
    std::size_t longest = 0;
    for (std::string line; std::getline(lines, line);)
        longest = std::max(longest, line.size());
    return longest;
}

} // namespace

TEST_CASE("a word that is no command or flag is named, with what may be meant", "[command help]") {
    const Sample sample;
    CHECK(sample.wrong({"sevre"}) == "'sevre' is not a command of 'sample'; do you mean 'serve'?");
    CHECK(sample.wrong({"acount", "list"}) ==
          "'acount' is not a command of 'sample'; do you mean 'account'?");
    CHECK(sample.wrong({"account", "lsit"}) ==
          "'lsit' is not a command of 'sample account'; do you mean 'list'?");
    CHECK(sample.wrong({"dance"}) == "'dance' is not a command of 'sample'");
    CHECK(sample.wrong({"serve", "--lisen=x"}) ==
          "'--lisen' is not a flag of 'sample serve'; do you mean '--listen'?");
    CHECK(sample.wrong({"serve", "-listen", "x"}) ==
          "'-listen' is not a flag of 'sample serve'; do you mean '--listen'?");
    CHECK(sample.wrong({"serve", "now"}) == "'now' is not expected behind 'sample serve'");
    CHECK(sample.wrong({"sevre", "--help"}) == "'sevre' is not a command of 'sample'; do you mean 'serve'?");
}

TEST_CASE("a flag on the wrong side of its command is answered with the right place", "[command help]") {
    const Sample sample;
    CHECK(sample.wrong({"--listen", "x", "serve"}) ==
          "'--listen' stands behind the command: sample serve --listen");
    CHECK(sample.wrong({"account", "list", "--data", "x"}) ==
          "'--data' stands before the command: sample --data ... account list");
}

TEST_CASE("a flag of all commands may be mistyped behind one of them", "[command help]") {
    CLI::App program{"What it is for.", "sample"};
    std::string text;
    program.fallthrough();
    program.add_option("--data", text, "The folder.");
    program.add_subcommand("list", "All of them.");
    const std::vector<std::string> right{"list", "--data", "x"}, wrong{"list", "--dta", "x"};
    CHECK_FALSE(misunderstood(program, right).has_value());
    CHECK(misunderstood(program, wrong) == "'--dta' is not a flag of 'sample list'; do you mean '--data'?");
}

TEST_CASE("a command or a value that is missing is asked for", "[command help]") {
    const Sample sample;
    CHECK(sample.wrong({}) == "a command is missing behind 'sample': serve, account");
    CHECK(sample.wrong({"account"}) == "a command is missing behind 'sample account': list, show");
    CHECK(sample.wrong({"serve", "--listen"}) == "'--listen' needs a value: --listen ADDRESS:PORT");
    CHECK(sample.wrong({"serve", "--listen", "a", "--listen=b"}) == "'--listen' is given twice; keep one");
    CHECK(sample.wrong({"serve", "--tag", "a", "--tag", "b"}).empty());
}

TEST_CASE("words that are understood are not complained about", "[command help]") {
    const Sample sample;
    for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                  {"--version"},
                                                  {"serve"},
                                                  {"serve", "--listen", "-1"},
                                                  {"serve", "--listen=x", "--tag", "a", "b", "--help"},
                                                  {"--data", "serve", "account", "show", "ann"},
                                                  {"account", "--help"},
                                                  {"account", "show", "--", "-x"}})
        CHECK(sample.wrong(words).empty());
}

TEST_CASE("help names the whole command and is as wide as the terminal at most", "[command help]") {
    Sample sample;
    for (const std::size_t columns : {40U, 60U, 80U, 120U}) {
        const auto help = sample.help(columns, "serve");
        CAPTURE(columns, help);
        CHECK(longest_line(help) <= columns);
        CHECK_THAT(help, Catch::Contains("Usage: sample serve [OPTIONS]\n"));
    }
    CHECK_THAT(
        sample.help(80, "serve"),
        Catch::Contains("  --listen ADDRESS:PORT       Where the API and the redirects are served, which\n"
                        "                              is on this machine only.\n") &&
            Catch::Contains("  SIGTERM   finishes requests in flight, folds clicks and closes the store\n"
                            "            before it leaves\n"));
    CHECK_THAT(sample.help(40, "serve"), Catch::Contains("  --listen ADDRESS:PORT\n"
                                                         "      Where the API and the redirects\n"
                                                         "      are served, which is on this\n"
                                                         "      machine only.\n"));
}

TEST_CASE("a word that is longer than the terminal is wide stays whole", "[command help]") {
    CHECK(wrapped("see https://example.com/a/long/address for more", 20) ==
          "see\nhttps://example.com/a/long/address\nfor more");
    CHECK(wrapped("\n\na b\n", 40) == "\n\na b\n");
}

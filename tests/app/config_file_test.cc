#include "app/config_file.h"

#include "app/cli.h"
#include "tests/app/temporary_file.h"
#include "tests/support/must.h"
#include "tests/support/seed.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <string>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;
using slashpost::test::TemporaryFile;

namespace {

std::string refusal(std::string_view text) {
    const TemporaryFile file(text);
    const auto read = read_config_file(file.path());
    if (read.has_value())
        return {};
    const auto& message = read.error().message;
    const auto folder = file.path().string();
    REQUIRE(message.starts_with(folder));
    return message.substr(folder.size());
}

std::string password_in(std::string_view line) {
    const TemporaryFile file(line);
    return must(read_config_file(file.path())).values.find("smtp-password")->second;
}

Config config_in(std::string_view text) {
    const TemporaryFile file(text);
    auto read = must(read_config_file(file.path()));
    return must(make_config({.file = std::move(read.values), .environment = {}, .flags = {}}));
}

// A value of the setting, different every time where that is possible.
std::string another_value(const Setting& setting, std::mt19937& random) {
    static const std::map<std::string_view, std::string_view> typed{
        {"ADDRESS:PORT", "[::1]:5353"},
        {"HOST[:PORT]", "go.example.com:99"},
        {"HOST,...", "a.example,b.example"},
        {"SCHEME,...", "tel,mailto"},
        {"CIDR,...", "10.0.0.0/8,2001:db8::/32"},
        {"URL", ""},
        {"ADDRESS", "post@example.com"},
        {"NAME", "x-1"},
        {"BYTES", "2048"},
        {"TIME", "30min"},
        {"LIST", "24h,7d"},
    };
    if (setting.name == "public-url")
        return "https://x.example/a";
    if (setting.name == "dashboard-host")
        return "links.example.com:8443";
    if (setting.name == "acme")
        return "https://authority.example/directory";
    if (setting.name == "store")
        return "postgres://slashpost@db.example/links";
    if (setting.name == "smtp-url")
        return "smtps://mail.example:465";
    if (setting.name == "robots-tag")
        return "noindex, nofollow";
    if (setting.bounds == "a name without control characters")
        return "Short Links #1";
    if (setting.hint == "N") {
        const auto to = setting.bounds.rfind(" to "); // "1 to 24"
        const long most =
            to == setting.bounds.npos ? 119 : std::stol(std::string(setting.bounds.substr(to + 4)));
        return std::to_string(std::min(most, 20 + static_cast<long>(random() % 100)));
    }
    if (setting.hint == "WORD")
        return std::string(setting.bounds.substr(setting.bounds.rfind(' ') + 1));
    if (const auto found = typed.find(setting.hint); found != typed.end())
        return std::string(found->second);
    static constexpr std::string_view letters = "aZ0 #\"'\\=\n\r\t[]{},;%\x7F\xC3\xBC";
    std::string value;
    for (std::size_t i = 0; i < 1 + random() % 12; ++i)
        value += letters[random() % letters.size()];
    return value;
}

} // namespace

TEST_CASE("a value is all that stands behind the '=', with every '#' in it", "[config file]") {
    CHECK(password_in("smtp-password = Str0ng#Secret\n") == "Str0ng#Secret");
    CHECK(password_in("smtp-password = Str0ng #Secret # really \n") == "Str0ng #Secret # really");
    CHECK(password_in("smtp-password=#\n") == "#");
    CHECK(password_in("smtp-password = a=b;c\\d\"e'f\n") == "a=b;c\\d\"e'f");
    CHECK(password_in("smtp-password = \"Str0ng#Secret\"\n") == "Str0ng#Secret");
    CHECK(password_in("smtp-password = \" a \\\"b\\\" \\\\ c\\n \"") == " a \"b\" \\ c\n ");
    CHECK(password_in("smtp-password = ' \"#\\n '\r\n") == " \"#\\n ");
    CHECK(password_in("\xEF\xBB\xBFsmtp-password =\n").empty());
}

TEST_CASE("a configuration file has comments, quotes, lists and addresses in brackets", "[config file]") {
    const auto config =
        config_in("# Slashpost\n   # more\nlisten = [::]:8080\ndata = \"/var/lib/slash post\"\n"
                  "api-host = api.example.com, API2.example.com\n\n\tworkers=7\n");
    CHECK(config.listen.text() == "[::]:8080");
    CHECK(config.data == "/var/lib/slash post");
    CHECK(config.api_hosts == std::vector<std::string>{"api.example.com", "api2.example.com"});
    CHECK(config.workers == 7);
}

TEST_CASE("a mistake in a configuration file is refused with its line and what is meant", "[config file]") {
    CHECK(
        refusal("\n# a\nlisen = 127.0.0.1:80\n") ==
        ", line 3: 'lisen' is not a setting; do you mean 'listen'? 'slashpost serve --help' lists them all");
    CHECK(refusal("SLASHPOST_RATE_LIMIT = 1\n") == ", line 1: 'SLASHPOST_RATE_LIMIT' is not a setting; do "
                                                   "you mean 'rate-limit'? 'slashpost serve --help' "
                                                   "lists them all");
    CHECK(refusal("colour = red\n") ==
          ", line 1: 'colour' is not a setting; 'slashpost serve --help' lists them all");
    CHECK(refusal("[serve]\nworkers = 3\n") ==
          ", line 1: sections are not known here; write plain 'name = value' lines");
    CHECK(refusal("workers 3") == ", line 1: 'workers 3' is not of the form 'name = value'");
    CHECK_THAT(refusal("workers = 3\ndata = x\nworkers = 3\n"),
               Catch::StartsWith(", line 3: 'workers' is given twice (first in ") &&
                   Catch::EndsWith(", line 1); keep one of the lines"));
    CHECK(refusal("data = \"a\n") == ", line 1: data: the closing quotation mark is missing");
    CHECK(refusal("data = \"a\" # default\n") == ", line 1: data: '# default' stands behind the closing "
                                                 "quotation mark; a comment has a line of its own");
    CHECK(refusal("data = \"C:\\data\"\n") == ", line 1: data: '\\d' means nothing between quotation marks; "
                                              "write a backslash as \\\\, or the value "
                                              "between ' and '");
}

TEST_CASE("a wrong value of a configuration file is refused with its line", "[config file]") {
    const TemporaryFile file("\nworkers = 7 # few\n");
    auto read = must(read_config_file(file.path()));
    const auto config = make_config({.file = std::move(read.values),
                                     .environment = {},
                                     .flags = {},
                                     .file_path = file.path(),
                                     .file_places = std::move(read.places)});
    REQUIRE_FALSE(config.has_value());
    CHECK(config.error().message ==
          "workers: '7 # few' is not valid (" + file.path().string() +
              ", line 2); give 1 to 1024; a '#' behind a value belongs to it, comments "
              "have lines of their own");
}

TEST_CASE("a configuration file that cannot be read is an error that says why", "[config file]") {
    const auto why = [](const char* path) {
        const auto read = read_config_file(path);
        return read.has_value() ? "" : read.error().message;
    };
    CHECK(why("/nonexistent/slashpost.conf") ==
          "cannot read the configuration file /nonexistent/slashpost.conf: No such file or directory; check "
          "the path "
          "and its rights");
    CHECK(why("/") == "cannot read the configuration file /: it is a folder; check the path and its rights");
    CHECK_THAT(why("/dev/zero"), Catch::Contains("it has more than a MiB"));
}

TEST_CASE("what `config` writes is read back equal, whatever the values are", "[config file]") {
    const auto seed = test::new_seed("what `config` writes");
    CAPTURE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 50; ++round) {
        Layer flags;
        for (const auto& setting : settings())
            if (!setting.name.ends_with("-file") || setting.name == "first-key-file")
                flags.emplace(setting.name, another_value(setting, random));
        const Layers layers{.file = {}, .environment = {}, .flags = flags};
        const auto config = must(make_config(layers));
        const auto text = describe(config, layers, Secrets::shown);
        CAPTURE(text);
        const auto again = config_in(text);
        for (const auto& setting : settings()) {
            CAPTURE(setting.name);
            CHECK(setting.get(again) == setting.get(config));
        }
    }
}

TEST_CASE("the defaults that `config` writes are read back equal", "[config file]") {
    const auto config = must(make_config({}));
    const auto again = config_in(describe(config, {}));
    for (const auto& setting : settings())
        CHECK(setting.get(again) == setting.get(config));
}

TEST_CASE("a secret is shown only when that is asked for", "[config file]") {
    const Layers layers{.file = {}, .environment = {}, .flags = {{"smtp-password", "hunter#2"}}};
    const auto config = must(make_config(layers));
    CHECK(config.smtp_password == "hunter#2");
    const auto hidden = describe(config, layers);
    CHECK(hidden.find("hunter") == hidden.npos);
    CHECK_THAT(hidden, Catch::Contains("\n# smtp-password is not shown; --show-secrets writes it here\n"));
    CHECK(config_in(hidden).smtp_password.empty());
    CHECK_THAT(describe(config, layers, Secrets::shown), Catch::Contains("\nsmtp-password = \"hunter#2\"\n"));
    const std::vector<const char*> words{"config", "--smtp-password", "x", "--show-secrets"};
    CHECK_THAT(read_command_line(words, {}).text, Catch::Contains("\nsmtp-password = \"x\"\n"));
}

TEST_CASE("a secret can stand in a file of its own, which ends its line or not", "[config file]") {
    for (const auto* text : {"hunter#2", "hunter#2\n", "hunter#2\r\n"}) {
        const TemporaryFile file(text);
        const Layers layers{
            .file = {}, .environment = {}, .flags = {{"smtp-password-file", file.path().string()}}};
        const auto config = must(make_config(layers));
        CHECK(config.smtp_password == "hunter#2");
        for (const auto secrets : {Secrets::hidden, Secrets::shown}) {
            const auto written = describe(config, layers, secrets);
            CHECK(written.find("hunter") == written.npos);
            CHECK_THAT(written, Catch::Contains("\n# smtp-password is read from smtp-password-file\n"));
            CHECK(config_in(written).smtp_password == "hunter#2");
        }
    }
}

TEST_CASE("of a secret and its file the one in the stronger place counts", "[config file]") {
    const TemporaryFile file("of the file");
    const auto path = file.path().string();
    const auto password = [](const Layers& layers) { return must(make_config(layers)).smtp_password; };
    CHECK(password({.file = {{"smtp-password-file", path}},
                    .environment = {{"smtp-password", "of the environment"}},
                    .flags = {}}) == "of the environment");
    CHECK(password({.file = {{"smtp-password", "of the other file"}},
                    .environment = {{"smtp-password-file", path}},
                    .flags = {}}) == "of the file");
    const auto both = make_config(
        {.file = {}, .environment = {}, .flags = {{"smtp-password", "a"}, {"smtp-password-file", path}}});
    REQUIRE_FALSE(both.has_value());
    CHECK(both.error().message == "smtp-password (flag --smtp-password) and smtp-password-file (flag "
                                  "--smtp-password-file) are both given; keep one of them");
}

TEST_CASE("a file without a secret in it is refused with words that say why", "[config file]") {
    const auto why = [](const std::string& path) {
        const auto config =
            make_config({.file = {}, .environment = {}, .flags = {{"smtp-password-file", path}}});
        return config.has_value() ? "" : config.error().message;
    };
    CHECK(why("/nonexistent") ==
          "smtp-password-file: cannot use the file /nonexistent: No such file or directory; "
          "check the path and its rights (flag --smtp-password-file)");
    CHECK_THAT(why("/"), Catch::Contains("cannot use the file /: Is a directory"));
    const TemporaryFile empty("\n");
    CHECK_THAT(why(empty.path().string()), Catch::Contains("there is nothing in it"));
    const TemporaryFile two("a\nb\n");
    CHECK_THAT(why(two.path().string()), Catch::Contains("more than one line"));
    const TemporaryFile large(std::string(4097, 'a'));
    CHECK_THAT(why(large.path().string()), Catch::Contains("more than 4096 bytes"));
    const TemporaryFile largest(std::string(4096, 'a') + "\n");
    CHECK(why(largest.path().string()).empty());
}

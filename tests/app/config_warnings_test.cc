#include "app/config_warnings.h"

#include "tests/app/temporary_file.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;
using slashpost::test::TemporaryFile;

namespace {

using Warnings = std::vector<std::string>;

Warnings warnings(const Layers& layers, const Environment& environment = {}) {
    return warnings_of(must(make_config(layers)), layers, environment);
}
Warnings warnings_of_flags(Layer flags) {
    return warnings({.file = {}, .environment = {}, .flags = std::move(flags)});
}

} // namespace

TEST_CASE("a variable of the environment that is no setting is named with the one that may be meant",
          "[config warnings]") {
    CHECK(warnings({}, {{"SLASHPOST_LISEN", "x"}}) ==
          Warnings{"the environment variable SLASHPOST_LISEN is no setting and does nothing; do you mean "
                   "SLASHPOST_LISTEN?"});
    CHECK(
        warnings({}, {{"SLASHPOST_COLOUR", "red"}}) ==
        Warnings{
            "the environment variable SLASHPOST_COLOUR is no setting and does nothing; take it away, or see "
            "--help"});
}

TEST_CASE("variables of others are not warned of", "[config warnings]") {
    CHECK(warnings({}, {{"PATH", "/bin"},
                        {"SLASHPOST_LISTEN", "127.0.0.1:80"},
                        {"SLASHPOST_CONFIG", "a"},
                        {"SLASHPOST_DATA", "a"},
                        {"SLASHPOST_SMTP_PASSWORD_FILE", "a"},
                        {"SLASHPOST_PROGRAMS", "build"},
                        {"SLASHPOST_KEY", "0123"},
                        {"SLASHPOST_SERVICE_HOST", "10.0.0.1"},
                        {"SLASHPOST_PORT", "tcp://10.0.0.1:8080"},
                        {"SLASHPOST_PORT_8080_TCP_ADDR", "10.0.0.1"}})
              .empty());
}

TEST_CASE("a setting that does nothing without another one is named with it", "[config warnings]") {
    const auto one = [](Layer flags) {
        const auto all = warnings_of_flags(std::move(flags));
        CHECK(all.size() == 1);
        return all.empty() ? "" : all.front();
    };
    CHECK(one({{"https-redirect", "on"}}) ==
          "https-redirect (flag --https-redirect) does nothing without tls-listen; "
          "give that too, or take https-redirect away");
    CHECK_THAT(one({{"https-redirect", "all"}}), Catch::Contains("without tls-listen"));
    CHECK_THAT(one({{"hsts", "300"}}), Catch::Contains("hsts (flag --hsts) does nothing without tls-listen"));
    CHECK_THAT(one({{"certificates", "/certs"}}), Catch::Contains("without tls-listen"));
    CHECK_THAT(one({{"https-port", "443"}, {"tls-listen", "127.0.0.1:4"}}),
               Catch::Contains("without https-redirect"));
    CHECK_THAT(one({{"rate-period", "5"}, {"rate-limit", "0"}}), Catch::Contains("without rate-limit"));
    CHECK_THAT(one({{"acme", "letsencrypt"}}),
               Catch::Contains("acme (flag --acme) does nothing without tls-listen"));
    for (const auto& [name, value] :
         {std::pair{"acme-email", "a@example.com"}, {"acme-ca", "/ca.pem"}, {"acme-challenge", "http-01"}})
        CHECK_THAT(one({{name, value}}), Catch::Contains("does nothing without acme;"));
    CHECK_THAT(one({{"smtp-from", "a@example.com"}}), Catch::Contains("without smtp-url"));
    CHECK_THAT(one({{"smtp-user", "ann"}}), Catch::Contains("without smtp-url"));
    CHECK_THAT(one({{"oidc-name", "Example"}}), Catch::Contains("without oidc-issuer"));
    CHECK_THAT(one({{"smtp-ca", "/ca.pem"}}), Catch::Contains("without smtp-url"));
    CHECK_THAT(one({{"smtp-insecure", "on"}}), Catch::Contains("without smtp-url"));
    const Layer mail{{"smtp-url", "smtps://mail.example.com"}, {"smtp-from", "a@example.com"}};
    auto without_password = mail;
    without_password.emplace("smtp-user", "ann");
    CHECK_THAT(one(without_password),
               Catch::Contains("smtp-user") && Catch::Contains("without smtp-password"));
    CHECK(warnings_of_flags(mail).empty());
}

TEST_CASE("what is used, and defaults that are written out, are not warned of", "[config warnings]") {
    CHECK(warnings({}).empty());
    CHECK(warnings_of_flags({{"tls-listen", "0.0.0.0:443"},
                             {"https-redirect", "on"},
                             {"hsts", "300"},
                             {"https-port", "443"},
                             {"certificates", "/certs"},
                             {"acme-webroot", "/acme"},
                             {"acme", "letsencrypt"},
                             {"acme-email", "a@example.com"}})
              .empty());
    Layer all;
    for (const auto& setting : settings())
        all.emplace(setting.name, setting.fallback);
    CHECK(warnings({.file = all, .environment = {}, .flags = {}}).empty());
}

TEST_CASE("a secret that others can see is warned of", "[config warnings]") {
    const Layer mail{
        {"smtp-url", "smtps://mail.example.com"}, {"smtp-from", "a@example.com"}, {"smtp-user", "ann"}};
    auto as_flag = mail;
    as_flag.emplace("smtp-password", "secret");
    const auto flag = warnings_of_flags(as_flag);
    REQUIRE(flag.size() == 1);
    CHECK_THAT(flag.front(), Catch::StartsWith("smtp-password is given as a flag") &&
                                 Catch::Contains("--smtp-password-file"));

    const TemporaryFile file("secret");
    auto in_file = mail;
    in_file.emplace("smtp-password-file", file.path().string());
    for (const auto& [mode, warned] : {std::pair{0644, true}, {0620, true}, {0640, false}, {0600, false}}) {
        CAPTURE(mode);
        std::filesystem::permissions(file.path(), static_cast<std::filesystem::perms>(mode));
        const auto found = warnings_of_flags(in_file);
        CHECK(found.size() == (warned ? 1U : 0U));
        if (warned && !found.empty())
            CHECK(found.front() == "smtp-password-file: others may read or change " + file.path().string() +
                                       ", which holds a secret; chmod 600 " + file.path().string());
    }

    std::filesystem::permissions(file.path(), std::filesystem::perms{0644});
    const Layers in_configuration{
        .file = as_flag, .environment = {}, .flags = {}, .file_path = file.path(), .file_places = {}};
    CHECK(warnings(in_configuration).size() == 1);
}

#include "app/config.h"

#include "app/cli.h"
#include "tests/app/temporary_file.h"

#include <catch2/catch.hpp>
#include <cctype>
#include <string>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::TemporaryFile;

namespace {

Invocation read(std::vector<const char*> arguments) { return read_command_line(arguments, {}); }

// `text` with every run of white space as one space: help as it is before it is broken into lines.
std::string in_one_line(std::string_view text) {
    std::string out;
    for (const char character : text)
        if (!std::isspace(static_cast<unsigned char>(character)))
            out += character;
        else if (!out.ends_with(' '))
            out += ' ';
    return out;
}

std::string complaint(const Layers& layers) {
    const auto config = make_config(layers);
    return config.has_value() ? "" : config.error().message;
}

} // namespace

TEST_CASE("without any setting the server is local, safe and complete", "[config][threat-42]") {
    const auto config = make_config({});
    REQUIRE(config.has_value());
    CHECK(config->data == "./data");
    CHECK(config->listen == Endpoint{.address = "localhost", .port = 8080});
    CHECK(config->ops_listen == Endpoint{.address = "localhost", .port = 8081});
    CHECK_FALSE(config->tls_listen);
    CHECK(config->certificates == "/etc/letsencrypt/live");
    CHECK(config->https_redirect == HttpsRedirect::off);
    CHECK(config->hsts_seconds == 0);
    CHECK(config->acme_webroot.empty());
    CHECK(config->acme.empty());
    CHECK(config->domain_or_default() == "localhost:8080");
    CHECK(config->api_hosts.empty());
    CHECK(config->rate_limit == 6000);
    CHECK(config->rate_period_seconds == 60);
    CHECK(config->body_bytes_max == 1'048'576);
    CHECK(config->durability == data::Durability::synced);
    CHECK(config->quarantine_days == 30);
    CHECK(config->event_days == 30);
    CHECK(config->bulk_links_max == 10);
    CHECK(config->click_id_parameter == "sp_click");
    CHECK(config->io_threads >= 1);
}

TEST_CASE("the authority that gives certificates is off, one that is known by name, or an https address",
          "[config]") {
    const auto acme = [](const std::string& text) {
        const auto config = make_config({.file = {}, .environment = {}, .flags = {{"acme", text}}});
        return config.has_value() ? config->acme : "refused";
    };
    CHECK(acme("off").empty());
    CHECK(acme("letsencrypt") == "https://acme-v02.api.letsencrypt.org/directory");
    CHECK(acme("https://localhost:14000/dir") == "https://localhost:14000/dir");
    for (const auto* text : {"http://ca.example/dir", "https://", "https://ca.example/d ir",
                             "https://me@ca.example/dir", "https://ca.example/dir#x", "LetsEncrypt", "on"})
        CHECK(acme(text) == "refused");
    const auto orders = [](const Layer& flags) {
        return make_config({.file = {}, .environment = {}, .flags = flags})->orders_certificates();
    };
    CHECK_FALSE(orders({{"acme", "letsencrypt"}}));
    CHECK_FALSE(orders({{"tls-listen", "127.0.0.1:4"}}));
    CHECK(orders({{"acme", "letsencrypt"}, {"tls-listen", "127.0.0.1:4"}}));
}

TEST_CASE("a flag wins over the environment, the environment over the file", "[config]") {
    Layers layers{.file = {{"workers", "3"}, {"rate-limit", "30"}, {"rate-period", "300"}},
                  .environment = {{"workers", "4"}, {"rate-limit", "40"}},
                  .flags = {{"workers", "5"}},
                  .file_path = "a.conf",
                  .file_places = {{"rate-period", "a.conf, line 7"}}};
    const auto config = make_config(layers);
    REQUIRE(config.has_value());
    CHECK(config->workers == 5);
    CHECK(config->rate_limit == 40);
    CHECK(config->rate_period_seconds == 300);
    const auto text = describe(*config, layers);
    CHECK_THAT(text, Catch::Contains("# flag --workers:\nworkers = \"5\"\n"));
    CHECK_THAT(text, Catch::Contains("# environment variable SLASHPOST_RATE_LIMIT:\nrate-limit = \"40\"\n"));
    CHECK_THAT(text, Catch::Contains("# a.conf, line 7:\nrate-period = \"300\"\n"));
}

TEST_CASE("values at a bound are taken, values beyond it are refused with what to give", "[config]") {
    struct Case {
        const char* name;
        const char* text;
        bool good;
    };
    const auto c = GENERATE(
        Case{"io-threads", "1", true}, Case{"io-threads", "256", true}, Case{"io-threads", "0", false},
        Case{"io-threads", "257", false}, Case{"io-threads", "-1", false}, Case{"io-threads", "2x", false},
        Case{"io-threads", "", false}, Case{"workers", "1024", true}, Case{"workers", "1025", false},
        Case{"rate-limit", "0", true}, Case{"rate-limit", "2147483648", false},
        Case{"rate-limit", "99999999999999999999", false}, Case{"rate-period", "0", false},
        Case{"body-limit", "1KiB", true}, Case{"body-limit", "1023", false},
        Case{"body-limit", "64MiB", true}, Case{"body-limit", "65MiB", false},
        Case{"body-limit", "1GiB", false}, Case{"listen", "0.0.0.0:80", true},
        Case{"listen", "[::]:80", true}, Case{"listen", "localhost:8080", true},
        Case{"listen", "::1:80", false}, Case{"listen", "127.0.0.1", false},
        Case{"listen", "127.0.0.1:65536", false}, Case{"listen", "example.com:80", false},
        Case{"listen", ":80", false}, Case{"tls-listen", "0.0.0.0:443", true}, Case{"tls-listen", "", true},
        Case{"tls-listen", "443", false}, Case{"https-redirect", "on", true},
        Case{"https-redirect", "all", true}, Case{"https-redirect", "yes", false},
        Case{"https-port", "65535", true}, Case{"https-port", "65536", false}, Case{"hsts", "63072000", true},
        Case{"hsts", "63072001", false}, Case{"durability", "relaxed", true},
        Case{"durability", "none", false}, Case{"log-format", "json", true},
        Case{"log-format", "JSON", false}, Case{"destination-schemes", "mailto,tel", true},
        Case{"destination-schemes", "javascript", false}, Case{"destination-schemes", "tel,data", false},
        Case{"destination-schemes", "1a", false}, Case{"destination-schemes", "ws", false},
        Case{"destination-schemes", "tel,cid", false}, Case{"public-scheme", "auto", true},
        Case{"public-scheme", "https", true}, Case{"public-scheme", "http", false},
        Case{"api-host", "api.example.com, b.example.com", true}, Case{"api-host", "a b", false},
        Case{"domain", "go.example.com", true}, Case{"domain", "localhost:8080", true},
        Case{"domain", "http://go.example.com", false}, Case{"domain", "go.example.com/x", false},
        Case{"data", "", false}, Case{"quarantine-days", "3650", true},
        Case{"quarantine-days", "3651", false}, Case{"event-days", "1", true},
        Case{"event-days", "3650", true}, Case{"event-days", "0", false}, Case{"event-days", "3651", false},
        Case{"bulk-limit", "1", true}, Case{"bulk-limit", "1000", true}, Case{"bulk-limit", "0", false},
        Case{"bulk-limit", "1001", false}, Case{"click-id-parameter", "cid", true},
        Case{"click-id-parameter", "", false}, Case{"click-id-parameter", "a b", false},
        Case{"shutdown-grace", "0", true}, Case{"fold-interval-ms", "19", false},
        Case{"dns-server", "127.0.0.1:53", true}, Case{"dns-server", "[::1]:5353", true},
        Case{"dns-server", "localhost:53", true}, Case{"dns-server", "", true},
        Case{"dns-server", "127.0.0.1", false}, Case{"dns-server", "127.0.0.1:0", false},
        Case{"dns-server", "dns.example:53", false}, Case{"trusted-proxies", "", true},
        Case{"trusted-proxies", "10.0.0.0/8, ::1", true}, Case{"trusted-proxies", "0.0.0.0/0", false},
        Case{"hours-kept", "2", true}, Case{"hours-kept", "91", false}, Case{"days-kept", "0", true},
        Case{"visitor-key-hours", "25", false}, Case{"visitor-key-hours", "0", false},
        Case{"ignore-clicks-from", "192.0.2.0/24", true}, Case{"ignore-clicks-from", "::/0", false},
        Case{"privacy-signals", "honour", true}, Case{"robots-tag", "noindex, nofollow", true},
        Case{"robots-tag", "noindex\r\nX: y", false}, Case{"robots-tag", "", true},
        Case{"trusted-proxies", "proxy.example", false}, Case{"geoip", "/a file.mmdb", true});
    CAPTURE(c.name, c.text);
    const auto words = complaint({.file = {}, .environment = {}, .flags = {{c.name, c.text}}});
    CHECK(words.empty() == c.good);
    if (!c.good) {
        CHECK_THAT(words, Catch::StartsWith(c.name));
        CHECK_THAT(words, Catch::Contains("; give "));
        CHECK_THAT(words, Catch::Contains("flag --"));
    }
}

TEST_CASE("a mail server is an address with a sender", "[config]") {
    const auto complains = [](Layer flags) {
        return complaint({.file = {}, .environment = {}, .flags = std::move(flags)});
    };
    const std::pair<std::string, std::string> from{"smtp-from", "post@example.com"};
    for (const auto* url :
         {"smtp://mail.example.com", "smtp://localhost:25", "smtps://127.0.0.1:465", "smtps://[::1]"})
        CHECK(complains({{"smtp-url", url}, from}).empty());
    for (const auto* url :
         {"mail.example.com", "http://mail.example.com", "smtp://", "smtp://a b", "smtp://host:x",
          "smtp://ann:secret@mail.example.com", "smtp://mail.example.com/path"})
        CHECK_THAT(complains({{"smtp-url", url}, from}), Catch::Contains("give smtp://HOST"));
    CHECK_THAT(complains({{"smtp-url", "smtp://localhost"}}), Catch::Contains("smtp-from"));
    CHECK_THAT(complains({{"smtp-from", "a@b.co>\r\nX: y"}}), Catch::Contains("e-mail address"));
}

TEST_CASE("a provider to sign in with is an issuer that knows this server, and says whom it lets in",
          "[config]") {
    const auto complains = [](Layer flags) {
        return complaint({.file = {}, .environment = {}, .flags = std::move(flags)});
    };
    const std::pair<std::string, std::string> client{"oidc-client-id", "slashpost"};
    for (const auto* url : {"https://sso.example.com", "https://sso.example.com:8443/realms/main/",
                            "http://localhost:9000", "http://127.0.0.1:9000/oidc"})
        CHECK(complains({{"oidc-issuer", url}, client}).empty());
    for (const auto* url : {"sso.example.com", "http://sso.example.com", "https://", "https://a b",
                            "https://ann@sso.example.com", "https://sso.example.com/?realm=main",
                            "https://sso.example.com/#x", "ftp://sso.example.com"})
        CHECK_THAT(complains({{"oidc-issuer", url}, client}), Catch::Contains("give an https address"));
    const std::pair<std::string, std::string> issuer{"oidc-issuer", "https://sso.example.com"};
    CHECK_THAT(complains({issuer}), Catch::StartsWith("oidc-client-id: "));
    for (const auto* trusting : {"oidc-link-by-email", "oidc-newcomers"}) {
        CHECK_THAT(complains({issuer, client, {trusting, "on"}}), Catch::Contains("give oidc-email-domains"));
        CHECK(complains({issuer, client, {trusting, "on"}, {"oidc-email-domains", "example.com"}}).empty());
    }
}

TEST_CASE("addresses in mails begin with the public address, the API's host or the domain", "[config]") {
    const auto url = [](Layer flags) {
        const auto config = make_config({.file = {}, .environment = {}, .flags = std::move(flags)});
        return config.has_value() ? config->api_url() : config.error().message;
    };
    CHECK(url({}) == "http://localhost:8080/v1");
    CHECK(url({{"domain", "go.example.com"}}) == "http://go.example.com/v1");
    CHECK(url({{"api-host", "api.example.com,b.example"}}) == "https://api.example.com/v1");
    CHECK(url({{"public-url", "https://x.example:8443/a/"}, {"api-host", "b.example"}}) ==
          "https://x.example:8443/a/v1");
    for (const auto* given : {"x.example", "https://", "ftp://x.example", "https://u@x.example",
                              "https://x.example/?a", "https://x.example/'b"})
        CHECK_THAT(url({{"public-url", given}}), Catch::Contains("public-url"));
}

TEST_CASE("the dashboard has addresses of its own, never those of short links", "[config]") {
    const auto url = [](Layer flags) {
        const auto config = make_config({.file = {}, .environment = {}, .flags = std::move(flags)});
        return config.has_value() ? config->dashboard_url() : config.error().message;
    };
    CHECK(url({}) == "http://localhost:8082");
    CHECK(url({{"dashboard-listen", "0.0.0.0:9000"}}) == "http://localhost:9000");
    CHECK(url({{"dashboard-listen", "192.0.2.1:9000"}}) == "http://192.0.2.1:9000");
    CHECK(url({{"dashboard-listen", "off"}}) == "");
    CHECK(url({{"dashboard-host", "links.example.com"}}) == "https://links.example.com");
    CHECK(url({{"dashboard-host", "Links.Example.com:8443"}}) == "https://links.example.com:8443");
    CHECK(url({{"dashboard-host", "links.localhost:8082"}}) == "http://links.localhost:8082");
    CHECK(url({{"dashboard-host", "go.example.com"}, {"domain", "go.example.com:8080"}}) ==
          "dashboard-host: go.example.com shows short links, and the dashboard is never where those are; "
          "give it "
          "a host of its own");
    CHECK_THAT(url({{"dashboard-listen", "8082"}}), Catch::Contains("dashboard-listen"));
}

TEST_CASE("an environment variable that is empty counts as not given", "[config]") {
    CHECK(read_environment({{"SLASHPOST_WORKERS", ""}, {"SLASHPOST_OPS_LISTEN", "127.0.0.1:9"}}) ==
          Layer{{"ops-listen", "127.0.0.1:9"}});
}

TEST_CASE("every setting has a help, bounds and a default that its bounds allow", "[config]") {
    const auto help = read({"serve", "--help"});
    REQUIRE(help.action == Invocation::Action::print);
    const auto words = in_one_line(help.text);
    for (const auto& setting : settings()) {
        CAPTURE(setting.name);
        Config config;
        CHECK(setting.help.size() > 20);
        CHECK_FALSE(setting.bounds.empty());
        CHECK(setting.set(config, setting.fallback));
        CHECK_FALSE(setting.topic.empty());
        CHECK_THAT(words, Catch::Contains("--" + std::string(setting.name) + " "));
        CHECK_THAT(words, Catch::Contains("[" + setting.environment_name() + "]"));
        CHECK_THAT(words, Catch::Contains(std::string(setting.help)));
        CHECK_THAT(help.text, Catch::Contains("\n" + std::string(setting.topic) + ":\n"));
    }
}

TEST_CASE("the program explains itself", "[cli]") {
    CHECK_THAT(read({"--help"}).text, Catch::Contains("Usage: slashpost ") && Catch::Contains("config"));
    CHECK(read({"help"}).text == read({"--help"}).text);
    CHECK(read({"help", "serve"}).text == read({"serve", "--help"}).text);
    CHECK_THAT(read({"help", "serve"}).text, Catch::Contains("Usage: slashpost serve [OPTIONS]\n"));
    CHECK(read({"version"}).text == read({"--version"}).text);
    CHECK(read({"--version"}).action == Invocation::Action::print);
    CHECK_THAT(read({"--version"}).text, Catch::StartsWith("slashpost "));
    CHECK_THAT(read({"config", "--workers", "9"}).text, Catch::Contains("workers = \"9\""));
    CHECK(read({"serve", "--workers", "9"}).action == Invocation::Action::serve);
    CHECK(read({"serve", "--workers", "9"}).config.workers == 9);
}

TEST_CASE("wrong arguments are complained about in one line", "[cli]") {
    const auto arguments = GENERATE(
        std::vector<const char*>{}, std::vector<const char*>{"nope"}, std::vector<const char*>{"serve", "x"},
        std::vector<const char*>{"serve", "--nope"}, std::vector<const char*>{"serve", "--workers"},
        std::vector<const char*>{"serve", "--workers", "many"},
        std::vector<const char*>{"serve", "--config", "/nonexistent"});
    const auto invocation = read(arguments);
    CHECK(invocation.action == Invocation::Action::complain);
    CHECK_THAT(invocation.text, Catch::StartsWith("slashpost: "));
    CHECK(std::ranges::count(invocation.text, '\n') == 1);
}

TEST_CASE("a mistyped command or flag is answered with the one that may be meant", "[cli]") {
    CHECK(read({"sevre"}).text == "slashpost: 'sevre' is not a command of 'slashpost'; do you mean 'serve'? "
                                  "'slashpost help' explains what there is\n");
    CHECK_THAT(read({"help", "confg"}).text,
               Catch::Contains("'confg'") && Catch::Contains("do you mean 'config'?"));
    CHECK_THAT(read({"serve", "--lisen", "x"}).text,
               Catch::Contains("'--lisen'") && Catch::Contains("'--listen'?"));
    CHECK_THAT(read({"--data", "x", "serve"}).text,
               Catch::Contains("'--data' stands behind the command: slashpost serve --data"));
}

TEST_CASE("the file of SLASHPOST_CONFIG is read, and one of the flag instead of it", "[cli]") {
    const TemporaryFile first("workers = 3\n");
    const TemporaryFile second("workers = 4\n");
    const auto path = first.path().string();
    const Environment environment{{"SLASHPOST_CONFIG", path}};
    CHECK(read_command_line(std::vector<const char*>{"serve"}, environment).config.workers == 3);
    const auto other = second.path().string();
    CHECK(read_command_line(std::vector<const char*>{"serve", "--config", other.c_str()}, environment)
              .config.workers == 4);
}

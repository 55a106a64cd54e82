#include "app/first_start.h"

#include "core/ops/domains.h"
#include "core/schema/schema.h"
#include "core/schema/store.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using namespace slashpost;
using namespace slashpost::app;
using slashpost::test::must;
using slashpost::test::TempFolder;

namespace {

Config config_of(const std::filesystem::path& data, Layer flags) {
    flags.emplace("data", data.string());
    return must(make_config({.file = {}, .environment = {}, .flags = std::move(flags)}));
}

// A store after its first start with these flags.
struct Started {
    explicit Started(Layer flags) : config(config_of(folder.path(), std::move(flags))) {
        must(install_if_new(config, *installation, "http://localhost:8080/v1/links", "", log));
    }
    // What a later start with these flags is warned of.
    std::string warning(Layer flags) {
        const auto later = config_of(folder.path(), std::move(flags));
        return must(domain_warning(later, installation->engine())).value_or("");
    }

    TempFolder folder;
    Config config;
    Log log{LogLevel::error, LogFormat::text};
    std::unique_ptr<Installation> installation = must(Installation::open(config, log));
};

} // namespace

TEST_CASE("the line of the first start reaches the API, whichever host answers it", "[first start]") {
    const TempFolder folder;
    const auto call = [&](Layer flags, bool has_certificates = false) {
        return links_call(config_of(folder.path(), std::move(flags)), {.plain = 80, .tls = 443},
                          [=](std::string_view) { return has_certificates; });
    };
    CHECK(call({}) == "http://localhost:80/v1/links");
    CHECK(call({{"listen", "0.0.0.0:80"}, {"domain", "go.example.com"}}) == "http://localhost:80/v1/links");
    CHECK(call({{"listen", "192.0.2.1:80"}}) == "http://192.0.2.1:80/v1/links");
    CHECK(call({{"api-host", "api.example.com,b.example"}}) ==
          "-H 'Host: api.example.com' http://localhost:80/v1/links");
    const Layer https{
        {"api-host", "api.example.com"}, {"tls-listen", "0.0.0.0:443"}, {"https-redirect", "on"}};
    CHECK(call(https) == "-H 'Host: api.example.com' http://localhost:80/v1/links");
    CHECK(call(https, true) == "-H 'Host: api.example.com' --connect-to 'api.example.com:443:localhost:443' "
                               "https://api.example.com/v1/links");
    CHECK(call({{"tls-listen", "0.0.0.0:443"}, {"https-redirect", "on"}}, true) ==
          "http://localhost:80/v1/links");
}

TEST_CASE("the first key goes to a file that only its user may read", "[first start]") {
    const TempFolder folder;
    const auto path = folder.path() / "key";
    Started first(Layer{{"first-key-file", path.string()}});
    std::ifstream file(path);
    std::string key, more;
    std::getline(file, key);
    CHECK(key.size() == 64);
    CHECK_FALSE(std::getline(file, more));
    CHECK(static_cast<int>(std::filesystem::status(path).permissions()) == 0600);
}

TEST_CASE("a first key never goes over what is there, and the start is as if it had not been",
          "[first start]") {
    const TempFolder folder, data;
    const auto path = folder.path() / "key";
    const auto elsewhere = folder.path() / "elsewhere";
    const auto config = config_of(data.path(), {{"first-key-file", path.string()}});
    Log log(LogLevel::error, LogFormat::text);
    const auto installation = must(Installation::open(config, log));
    const auto refusal = [&] {
        const auto done = install_if_new(config, *installation, "http://localhost:8080/v1/links", "", log);
        CHECK(must(installation->engine().read([](data::View& view) { return store_is_empty(view); })));
        return done.has_value() ? "" : done.error().message;
    };
    const auto there =
        "first-key-file: " + path.string() + " is there already; remove it, or give another path";
    std::ofstream(path) << "mine";
    CHECK(refusal() == there);
    CHECK(std::filesystem::file_size(path) == 4);
    std::filesystem::remove(path);
    std::filesystem::create_symlink(elsewhere, path);
    CHECK(refusal() == there);
    CHECK_FALSE(std::filesystem::exists(elsewhere));
    std::filesystem::remove(path);
    must(install_if_new(config, *installation, "http://localhost:8080/v1/links", "", log));
    CHECK(std::filesystem::exists(path));
    must(install_if_new(config, *installation, "http://localhost:8080/v1/links", "",
                        log)); // later starts leave it alone
}

TEST_CASE("the first start makes a one-time address where it shows it, and none where the key goes to a file",
          "[first start]") {
    const auto tokens = [](Layer flags) {
        const TempFolder folder;
        const auto config = config_of(folder.path(), std::move(flags));
        Log log(LogLevel::error, LogFormat::text);
        const auto installation = must(Installation::open(config, log));
        must(install_if_new(config, *installation, "http://localhost:8080/v1/links", "http://localhost:8082",
                            log));
        int count = 0;
        must(installation->engine().read([&](data::View& view) {
            return schema().sign_in_tokens.each(view, [&](const SignInToken&) -> Result<bool> {
                ++count;
                return true;
            });
        }));
        return count;
    };
    const TempFolder keys;
    CHECK(tokens({}) == 1);
    CHECK(tokens({{"first-key-file", (keys.path() / "key").string()}}) == 0);
}

TEST_CASE("a domain that comes later than the first start is not used, which is told", "[first start]") {
    Started first(Layer{{"domain", "go.example.com"}});
    CHECK(first.warning({{"domain", "go.example.com"}}).empty());
    CHECK(first.warning({}).empty());
    const auto data = first.folder.path().string();
    CHECK(first.warning({{"domain", "to.example.com"}}) ==
          "--domain to.example.com is not used: the store has the domain go.example.com since its first "
          "start; make "
          "another with: slashpost-admin --data " +
              data + " domain add to.example.com --verified, then: slashpost-admin --data " + data +
              " domain default to.example.com");
    must(first.installation->service().run_as_operator([](SystemContext& system) {
        return add_domain(system, {.full_name = "to.example.com", .verified = true});
    }));
    CHECK(first.warning({{"domain", "to.example.com"}}).empty());
}

TEST_CASE("visitors of other machines cannot use links on localhost, which is told", "[first start]") {
    Started first(Layer{});
    CHECK(first.warning({}).empty());
    CHECK(first.warning({{"listen", "127.0.0.1:80"}}).empty());
    CHECK(first.warning({{"listen", "[::1]:80"}}).empty());
    CHECK_THAT(
        first.warning({{"listen", "0.0.0.0:80"}}),
        Catch::StartsWith("new links are on localhost:8080, which leads visitors to their own machines; give "
                          "the name of this server with --domain at the first start"));
    CHECK_FALSE(first.warning({{"tls-listen", "[::]:443"}}).empty());
    Started named(Layer{{"domain", "go.example.com"}, {"listen", "0.0.0.0:80"}});
    CHECK(named.warning({{"listen", "0.0.0.0:80"}}).empty());
}

TEST_CASE("a domain on the dashboard's host is told at the start", "[first start][threat-22]") {
    Started first(Layer{{"domain", "links.example.com"}});
    const auto warning = [&](const std::string& dashboard) {
        const auto later = config_of(first.folder.path(), {{"dashboard-host", dashboard}});
        Settings settings;
        settings.dashboard_url = later.dashboard_url();
        return must(dashboard_warning(later, settings, first.installation->engine())).value_or("");
    };
    CHECK(warning("").empty());
    CHECK(warning("dashboard.example.com").empty());
    const auto admin = "slashpost-admin --data " + first.folder.path().string() + " domain ";
    CHECK(
        warning("links.example.com:8443") ==
        "links.example.com shows short links, and the dashboard is there, too, where scripts of links can do "
        "what the people do who are signed in; give the dashboard another host with --dashboard-host, or "
        "take "
        "the name away with: " +
            admin + "remove NAME, or: " + admin + "set DOMAIN --aliases NAMES");
}

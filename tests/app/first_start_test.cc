#include "app/first_start.h"

#include "core/ops/domains.h"
#include "core/schema/store.h"
#include "tests/support/must.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>

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
        must(install_if_new(config, *site, "http://localhost:8080", log));
    }
    // What a later start with these flags is warned of.
    std::string warning(Layer flags) {
        const auto later = config_of(folder.path(), std::move(flags));
        return must(domain_warning(later, site->engine())).value_or("");
    }

    TempFolder folder;
    Config config;
    Log log{LogLevel::error, LogFormat::text};
    std::unique_ptr<Site> site = must(Site::open(config, log));
};

} // namespace

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
    must(first.site->service().run_as_operator(
        [](Desk& desk) { return add_domain(desk, {.full_name = "to.example.com", .verified = true}); }));
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

// The dashboard's host is no domain's.
#include "core/ops/dashboard_host.h"

#include "core/ops/domain_aliases.h"
#include "tests/support/domains.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

TEST_CASE("the dashboard's host is compared without ports, and never on the machine's own names",
          "[domains][threat-22]") {
    const auto is_its = [](std::string url, std::string_view full_name) {
        Settings settings;
        settings.dashboard_url = std::move(url);
        return is_dashboard_host(settings, full_name);
    };
    CHECK(is_its("https://links.example.com", "links.example.com"));
    CHECK(is_its("https://links.example.com:8443", "links.example.com"));
    CHECK(is_its("https://links.example.com", "links.example.com:8080"));
    CHECK(is_its("https://links.example.com/", "links.example.com"));
    CHECK(is_its("http://192.0.2.1:8082", "192.0.2.1:8080"));
    CHECK(is_its("http://[2001:db8::1]:8082", "[2001:db8::1]"));
    CHECK_FALSE(is_its("https://links.example.com", "example.com"));
    CHECK_FALSE(is_its("https://links.example.com", "www.links.example.com"));
    CHECK_FALSE(is_its("https://links.example.com", "xlinks.example.com"));
    CHECK_FALSE(is_its("http://localhost:8082", "localhost:8080"));
    CHECK_FALSE(is_its("http://localhost:8082", "localhost"));
    CHECK_FALSE(is_its("http://127.0.0.1:8082", "127.0.0.1:8080"));
    CHECK_FALSE(is_its("http://links.localhost:8082", "links.localhost:8080"));
    CHECK_FALSE(is_its("", "links.example.com"));
    CHECK_FALSE(is_its("", ""));
}

TEST_CASE("nobody registers the dashboard's host, with whatever port and in whatever spelling",
          "[domains][threat-22]") {
    World world;
    world.settings.dashboard_url = "https://links.example.com";
    const Seat me(world);
    const std::string refused = "InvalidFormat domain: InvalidFormat fullName";
    for (const auto* name : {"links.example.com", "LINKS.Example.com.", "links.example.com:8443"}) {
        INFO(name);
        CHECK(refusal_of(me.add(name)) == refused);
        CHECK(refusal_of(world.operate([&](SystemContext& system) {
                  return add_domain(system, {.full_name = name, .verified = true});
              })) == refused);
    }
    CHECK(me.add("links.example.com").error().fields[0].message ==
          "is the host of the dashboard, where no short links may be");
    CHECK(refusal_of(me.add("go.links.example.com")) == "none");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("a domain from before the dashboard had its host is not verified any more",
          "[domains][threat-22]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("links.example.com"));
    world.settings.dashboard_url = "https://links.example.com";
    const std::string refused = "InvalidFormat domain: InvalidFormat fullName";
    CHECK(refusal_of(me.prove(domain)) == refused);
    CHECK(refusal_of(world.operate([&](SystemContext& system) {
              return change_domain(system, domain, {.verified = Change<bool>::set(true)});
          })) == refused);
    world.settings.dashboard_url = "https://elsewhere.example.com";
    CHECK(refusal_of(me.prove(domain)) == "none");
    world.settings.dashboard_url = "https://links.example.com";
    CHECK(refusal_of(me.set(domain.id, {.active = Change<bool>::set(true)})) ==
          "none"); // is told at the start
    CHECK(must(world.engine->read([&](data::View& view) {
              return names_on_dashboard_host(view, world.settings);
          })) == std::vector<std::string>{"links.example.com"});
}

TEST_CASE("the dashboard's host is no further name of a domain, and none is verified that is",
          "[domains][threat-22]") {
    World world;
    const Seat me(world);
    const auto domain = must(me.add("example.com"));
    const auto with = [&](std::vector<std::string> names) {
        DomainChange change{.aliases = Change<std::vector<std::string>>::set(names)};
        change.proved_aliases = std::move(names);
        return world.operate([&](SystemContext& system) -> Result<Domain> {
            return change_domain(system, TRY(find_any_domain(system.txn, domain.id.hex())), change);
        });
    };
    must(with({"www.example.com"}));
    world.settings.dashboard_url = "https://www.example.com:8443";
    CHECK_FALSE(must(me.prove(domain)).aliases[0].verified); // not even "www."
    CHECK_FALSE(must(with({"www.example.com"})).aliases[0].verified);
    CHECK(refusal_of(me.write([&](Context& ctx) -> Result<Domain> {
              const auto found = TRY(find_managed_domain(ctx, domain.id.hex()));
              const auto& alias = found.aliases.at(0);
              return verify_alias(ctx, found, alias,
                                  std::vector{verification_record(found, alias.full_name).value});
          })) == "InvalidFormat domain: InvalidFormat aliases");
    must(with({}));
    CHECK(refusal_of(with({"m.example.com", "WWW.example.com:80"})) ==
          "InvalidFormat domain: InvalidFormat aliases[1]");
    CHECK(must(world.engine->read([&](data::View& view) {
              return names_on_dashboard_host(view, world.settings);
          })).empty());
    world.settings.dashboard_url = {};
    must(with({"www.example.com"}));
    world.settings.dashboard_url = "https://www.example.com";
    CHECK(must(world.engine->read([&](data::View& view) {
              return names_on_dashboard_host(view, world.settings);
          })) == std::vector<std::string>{"www.example.com"});
    CHECK(world.inconsistency().empty());
}

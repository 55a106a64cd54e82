#include "tests/support/world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

Result<Domain> change(World& world, std::string_view name, const DomainChange& what) {
    return world.operate([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, name)), what);
    });
}

Result<void> remove(World& world, std::string_view name) {
    return world.operate([&](SystemContext& system) -> Result<void> {
        return remove_domain(system, TRY(find_any_domain(system.txn, name)));
    });
}

} // namespace

TEST_CASE("a domain's name is kept in normal form and is unique in it", "[domains]") {
    World world;
    CHECK(world.domain("Bücher.Example.").full_name == "xn--bcher-kva.example");
    CHECK(world.domain("localhost:8080").full_name == "localhost:8080");
    const auto again = world.operate(
        [](SystemContext& system) { return add_domain(system, {.full_name = "GO.example.com:443"}); });
    REQUIRE_FALSE(again.has_value());
    CHECK(again.error().fields.at(0) == FieldError{"AlreadyExists", "fullName", "is already in use"});
    for (const char* wrong : {"", "a b", "http://a.example", "-a.example", "a..example"}) {
        INFO(wrong);
        CHECK_FALSE(
            world.operate([&](SystemContext& system) { return add_domain(system, {.full_name = wrong}); })
                .has_value());
    }
}

TEST_CASE("settings of a domain are checked all at once", "[domains]") {
    World world;
    const auto refused = change(world, "go.example.com",
                                {.redirect_type = Change<std::uint32_t>::set(303),
                                 .custom_homepage = Change<std::string>::set("javascript:alert(1)"),
                                 .not_found_url = Change<std::string>::set("ftp://example.com/"),
                                 .slashtag_length_min = Change<std::uint32_t>::set(0),
                                 .slashtag_length_max = Change<std::uint32_t>::set(256)});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().fields.size() == 5);
    const auto changed = change(world, "go.example.com",
                                {.redirect_type = Change<std::uint32_t>::set(301),
                                 .custom_homepage = Change<std::string>::set(" https://example.com/home "),
                                 .slashtag_length_min = Change<std::uint32_t>::set(255),
                                 .slashtag_length_max = Change<std::uint32_t>::set(255)});
    REQUIRE(changed.has_value());
    CHECK(changed->redirect_type == 301);
    CHECK(changed->custom_homepage == "https://example.com/home");
    CHECK(change(world, "go.example.com", {.custom_homepage = Change<std::string>::clear()})
              ->custom_homepage.empty());
}

TEST_CASE("a domain's branding is kept in the form in which pages show it", "[domains]") {
    World world;
    const auto set = Change<std::string>::set;
    const auto changed = change(world, "go.example.com",
                                {.branding = {.name = set("Ac\u00e9 & Co"),
                                              .color = set("#FF8800"),
                                              .logo_url = set(" HTTPS://cdn.example.com/a b.svg?x=1 "),
                                              .home_text = set("One\r\nTwo")}});
    REQUIRE(changed.has_value());
    CHECK(changed->branding == Branding{.name = "Ac\u00e9 & Co",
                                        .color = "ff8800",
                                        .logo_url = "https://cdn.example.com/a%20b.svg?x=1",
                                        .home_text = "One\nTwo"});
    const auto renamed = change(world, "go.example.com", {.branding = {.name = set("Acme")}});
    CHECK(renamed->branding.color == "ff8800");
    const auto cleared =
        change(world, "go.example.com", {.branding = {.logo_url = Change<std::string>::clear()}});
    CHECK(cleared->branding.logo_url.empty());
    CHECK(cleared->branding.name == "Acme");
}

TEST_CASE("what could be more than a text, a colour and a picture is no branding", "[domains][threat-7]") {
    World world;
    const auto set = Change<std::string>::set;
    const auto refusal = [&](const BrandingChange& branding) {
        const auto refused = change(world, "go.example.com", {.branding = branding});
        std::string out;
        if (!refused.has_value())
            for (const auto& field : refused.error().fields)
                out += field.code + " " + field.property + "; ";
        return out;
    };
    for (const char* url :
         {"http://a.example/l.png", "javascript:alert(1)", "data:image/png;base64,AA", "//a.example/l.png",
          "ftp://a.example/l.png", "https://*/l.png", "https://*.example/l.png", "https://a;b.example/l.png",
          "https://a'b.example/l.png", "https://[::1]/l.png", "https://user@a.example/l.png", "l.png"}) {
        INFO(url);
        CHECK(refusal({.logo_url = set(url)}) == "InvalidFormat branding.logoUrl; ");
    }
    for (const char* color : {"red", "ff88", "ff88000", "gg8800", "##ff8800", "ff8800;"}) {
        INFO(color);
        CHECK(refusal({.color = set(color)}) == "InvalidFormat branding.color; ");
    }
    CHECK(refusal({.name = set("a\nb"), .home_text = set("a\tb")}) ==
          "InvalidFormat branding.name; InvalidFormat branding.homeText; ");
    CHECK(refusal({.name = set(std::string(100, 'a')), .home_text = set(std::string(500, 'a'))}).empty());
    CHECK(refusal({.name = set(std::string(101, 'a')), .home_text = set(std::string(501, 'a'))}) ==
          "InvalidLength branding.name; InvalidLength branding.homeText; ");
}

TEST_CASE("a domain's case rule changes only while it has no links", "[domains]") {
    World world;
    const DomainChange sensitive{.slashtag_case_sensitive = Change<bool>::set(true)};
    const auto link = world.create({.destination = "https://example.com/"});
    CHECK_FALSE(change(world, "go.example.com", sensitive).has_value());
    REQUIRE(world.remove(link->link.id).has_value());
    CHECK(change(world, "go.example.com", sensitive)->slashtag.case_sensitive);
}

TEST_CASE("a domain is removed only when it has no active links, be it active or not", "[domains]") {
    World world;
    const auto link = world.create({.destination = "https://example.com/"});
    CHECK(remove(world, "go.example.com").error().code == "Conflict");
    REQUIRE(change(world, "go.example.com", {.active = Change<bool>::set(false)}).has_value());
    CHECK(remove(world, "go.example.com").error().code == "Conflict");
    REQUIRE(world.remove(link->link.id).has_value());
    REQUIRE(remove(world, "go.example.com").has_value());
    CHECK(remove(world, "go.example.com").error().kind == ErrorKind::not_found);
    const auto made = world.create({.destination = "https://example.com/"});
    CHECK(made.error().source == "domain");
    CHECK(world.inconsistency().empty());
}

TEST_CASE("sharing and unsharing decide where links can be made", "[domains]") {
    World world;
    const auto domain = world.domain("other.example.com");
    const auto workspace = world.installed.account.default_workspace;
    const auto make = [&] {
        return world.create({.destination = "https://example.com/", .domain = {.id = domain.id}}).has_value();
    };
    CHECK(make());
    for (int twice = 0; twice < 2; ++twice)
        REQUIRE(world
                    .operate([&](SystemContext& system) {
                        return unshare_domain(system, domain.id, workspace, LinksLeft::keep);
                    })
                    .has_value());
    CHECK_FALSE(make());
    for (int twice = 0; twice < 2; ++twice)
        REQUIRE(
            world.operate([&](SystemContext& system) { return share_domain(system, domain.id, workspace); })
                .has_value());
    CHECK(make());
    CHECK_FALSE(
        world.operate([&](SystemContext& system) { return share_domain(system, DomainId(), workspace); })
            .has_value());
    CHECK(world.inconsistency().empty());
}

// With which status visitors are redirected, and whether their method goes along (wire "The visitor's side").
#include "tests/core/redirect/redirect_world.h"

#include <catch2/catch.hpp>

using namespace slashpost;
using namespace slashpost::test;

namespace {

const Domain plain_domain{.id = domain_id, .full_name = "go.example.com", .verified = true};

} // namespace

TEST_CASE("the domain says with which code", "[redirect]") {
    RedirectWorld world;
    world.put(RedirectWorld::link("sale", "https://a.example/"));
    for (const auto type : {301U, 302U, 307U, 308U}) {
        auto domain = plain_domain;
        domain.custom_homepage = "https://home.example/";
        domain.not_found_url = "https://lost.example/";
        domain.redirect_type = type;
        world.put(domain);
        CHECK(world.visit({.path = "/sale"}).redirect_type == type);
        CHECK(world.visit({.path = "/"}).redirect_type == 302);
        CHECK(world.visit({.path = "/gone"}).redirect_type == 302);
    }
}

TEST_CASE("a link redirects with the status of its own, whatever its domain's", "[redirect]") {
    RedirectWorld world;
    for (const auto type : {301U, 302U, 307U, 308U}) {
        auto domain = plain_domain;
        domain.redirect_type = type == 302 ? 308 : 302;
        world.put(domain);
        auto own = RedirectWorld::link("own", "https://a.example/");
        own.redirect_type = type;
        world.put(own);
        auto plain = RedirectWorld::link("plain", "https://a.example/");
        plain.id = id_of<LinkId>(0xc2);
        world.put(plain);
        CHECK(world.visit({.path = "/own"}).redirect_type == type);
        CHECK(world.visit({.path = "/plain"}).redirect_type == domain.redirect_type);
        CHECK(world.redirector->keeps_method("go.example.com", "/own") == (type >= 307));
        CHECK(world.redirector->keeps_method("go.example.com", "/plain") == (type == 302));
        CHECK(world.redirector->keeps_method("go.example.com", "/nowhere") == (type == 302));
    }
}

TEST_CASE("a method goes along where the domain redirects with 307 or 308", "[redirect]") {
    RedirectWorld world;
    for (const auto type : {301U, 302U, 307U, 308U}) {
        auto domain = plain_domain;
        domain.redirect_type = type;
        world.put(domain);
        CHECK(world.redirector->keeps_method("GO.example.com:443", "/sale") == (type >= 307));
        CHECK_FALSE(world.redirector->keeps_method("other.example.com", "/sale"));
    }
    auto domain = plain_domain;
    domain.redirect_type = 307;
    domain.revoked = true;
    world.put(domain);
    CHECK_FALSE(world.redirector->keeps_method("go.example.com", "/sale"));
}

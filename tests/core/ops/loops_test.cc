// No address of ours leads back to where it is given, whichever way it is spelled and whatever lies on the
// way.
#include "tests/support/domains.h"

using namespace slashpost;
using namespace slashpost::test;

namespace {

std::string problems_of(const auto& result) {
    if (result.has_value())
        return "none";
    std::string out;
    for (const auto& field : result.error().fields)
        out += (out.empty() ? "" : ", ") + field.code + " " + field.property;
    return out;
}

Result<Domain> set(World& world, const Domain& domain, const DomainChange& change) {
    return world.operate([&](Desk& desk) -> Result<Domain> {
        return change_domain(desk, TRY(find_any_domain(desk.txn, domain.id.hex())), change);
    });
}

Change<std::string> to(const char* address) { return Change<std::string>::set(address); }

} // namespace

TEST_CASE("a loop is found however a browser or a visitor may spell the address", "[links]") {
    World world;
    for (const char* address :
         {"http://go.example.com/./slug", "http://go.example.com/x/../slug", "http://go.example.com/%73lug",
          "http://go.example.com./slug", "http://go.example.com//slug", "http://go.example.com/slug//",
          "http://go.example.com/x/%2e%2E/./SLUG/", "http:go.example.com\\slug?x=1#y",
          "https://GO.example.com:443//%53lug"}) {
        INFO(address);
        CHECK(problems_of(world.create({.destination = address, .slashtag = "slug"})) ==
              "InvalidFormat destination");
    }
    for (const char* address : {"http://go.example.com/slug+", "http://go.example.com/slug.qr",
                                "http://go.example.com/slug/x", "http://go.example.com/%2573lug"}) {
        INFO(address);
        CHECK(problems_of(world.create({.destination = address, .slashtag = "slug"})) == "none");
        must(world.remove(must(world.list({}, {.limit = 1})).front().link.id));
    }
}

TEST_CASE("the home page and the page for what is not found are on the way of a loop", "[links]") {
    World world;
    const auto other = world.domain("other.example");
    must(set(world, other,
             {.custom_homepage = to("https://go.example.com/home"),
              .not_found_url = to("https://go.example.com/lost")}));
    const auto link = [&](const char* slashtag, const char* destination) {
        return problems_of(world.create({.destination = destination, .slashtag = slashtag}));
    };
    CHECK(link("home", "https://other.example") == "InvalidFormat destination");
    CHECK(link("home", "https://other.example/x/..") == "InvalidFormat destination");
    CHECK(link("lost", "https://other.example/nothing") == "InvalidFormat destination");
    CHECK(link("lost", "https://other.example/a/b") == "InvalidFormat destination");
    CHECK(link("home", "https://other.example/nothing") == "none");
    // A link that will be over leads on to where what is not found does.
    must(world.write([&](Context& ctx) {
        return create_link(ctx, {.destination = "https://example.com/",
                                 .domain = {.id = other.id, .full_name = {}},
                                 .slashtag = "brief",
                                 .ttl_seconds = 60});
    }));
    CHECK(link("lost", "https://other.example/brief") == "InvalidFormat destination");
    CHECK(link("lost", "https://example.com/") == "none");
}

TEST_CASE("what a domain leads to by itself leads not back to it over others", "[domains]") {
    World world;
    const auto main = world.installed.domain, other = world.domain("other.example");
    must(set(world, other, {.not_found_url = to("https://go.example.com/nothing")}));
    const std::string loop = "InvalidFormat notFoundUrl";
    CHECK(problems_of(set(world, main, {.not_found_url = to("https://other.example/x")})) == loop);
    must(set(world, other,
             {.custom_homepage = to("https://go.example.com/"), .not_found_url = to("https://a.example/")}));
    CHECK(problems_of(set(world, main, {.custom_homepage = to("https://other.example")})) ==
          "InvalidFormat customHomepage");
    CHECK(problems_of(set(world, main,
                          {.custom_homepage = to("https://other.example/x"),
                           .not_found_url = to("https://other.example/")})) == "none");
    // Over a link that leads to an address without one.
    must(world.write([&](Context& ctx) {
        return create_link(ctx, {.destination = "https://go.example.com/missing",
                                 .domain = {.id = other.id, .full_name = {}},
                                 .slashtag = "back"});
    }));
    CHECK(problems_of(set(world, main, {.not_found_url = to("https://other.example/back")})) == loop);
}

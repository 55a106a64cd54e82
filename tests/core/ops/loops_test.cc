// No address of ours leads back to where it is given, whichever way it is spelled and whatever lies on the
// way.
#include "tests/support/domains.h"
#include "tests/support/parts.h"

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
    return world.operate([&](SystemContext& system) -> Result<Domain> {
        return change_domain(system, TRY(find_any_domain(system.txn, domain.id.hex())), change);
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

TEST_CASE("where links lead that have ended is on the way of a loop", "[links][domains]") {
    World world;
    const auto main = world.installed.domain, other = world.domain("other.example");
    const auto make = [&](DomainId domain, const char* slashtag, const char* destination,
                          const char* expired) {
        return problems_of(world.write([&](Context& ctx) {
            return create_link(ctx, {.destination = destination,
                                     .domain = {.id = domain, .full_name = {}},
                                     .slashtag = slashtag,
                                     .expired_url = expired,
                                     .ttl_seconds = 60});
        }));
    };
    CHECK(make(main.id, "self", "https://example.com/", "https://go.example.com/SELF?x=1") ==
          "InvalidFormat expiredUrl");
    CHECK(make(other.id, "brief", "https://example.com/", "https://go.example.com/sale") == "none");
    CHECK(make(main.id, "sale", "https://other.example/brief", "") == "InvalidFormat destination");
    CHECK(make(main.id, "sale", "https://example.com/", "https://other.example/brief") ==
          "InvalidFormat expiredUrl");
    CHECK(make(main.id, "sale", "https://example.com/", "https://other.example/nothing") == "none");
    // Without one of its own it is its domain's, else the one of what is not found.
    CHECK(make(other.id, "plain", "https://example.com/", "") == "none");
    must(set(world, other, {.expired_url = to("https://go.example.com/late")}));
    CHECK(make(main.id, "late", "https://other.example/plain", "") == "InvalidFormat destination");
    CHECK(make(main.id, "late", "https://other.example/brief", "") == "none");
    CHECK(problems_of(set(world, main, {.expired_url = to("https://go.example.com/x")})) ==
          "InvalidFormat expiredUrl");
    CHECK(problems_of(set(world, main, {.expired_url = to("https://other.example/plain")})) ==
          "InvalidFormat expiredUrl");
    CHECK(problems_of(set(world, main, {.expired_url = to("https://example.com/{path}?{domain}")})) ==
          "none");
}

TEST_CASE("a link that moves to where its expiredUrl leads is refused", "[links]") {
    World world;
    const auto made = world.create({.destination = "https://example.com/",
                                    .slashtag = "old",
                                    .expired_url = "https://go.example.com/new"});
    CHECK(problems_of(made) == "none");
    CHECK(problems_of(world.update(made->link.id, {.slashtag = to("new")})) == "InvalidFormat slashtag");
    CHECK(problems_of(world.update(made->link.id, {.slashtag = to("new"),
                                                   .expired_url = Change<std::string>::clear()})) == "none");
}

TEST_CASE("a link that passes paths on leads to no domain of this server", "[links]") {
    World world;
    const auto other = world.domain("other.example");
    const auto make = [&](const char* slashtag, const char* destination, const char* expired = "") {
        return problems_of(world.create(
            {.destination = destination, .slashtag = slashtag, .expired_url = expired, .pass_path = true}));
    };
    CHECK(make("docs", "https://go.example.com/x") == "InvalidFormat destination");
    CHECK(make("docs", "https://go.example.com/docs/x") == "InvalidFormat destination");
    CHECK(make("docs", "https://other.example/") == "InvalidFormat destination");
    CHECK(make("docs", "https://docs.example/", "https://other.example/") == "none");
    CHECK(make("docs2", "https://docs.example/", "https://go.example.com/docs2/x") ==
          "InvalidFormat expiredUrl");
    world.settings.destination_schemes = {"http", "https", "tel", "app"};
    CHECK(make("call", "tel:+49301234") == "InvalidFormat destination");
    CHECK(make("open", "app://open/x") == "none");
}

TEST_CASE("a link begins to pass paths on only if all of its destinations take one", "[links]") {
    World world;
    const auto pass = [&](LinkId link) {
        return problems_of(world.update(link, {.pass_path = Change<bool>::set(true)}));
    };
    const auto near = must(world.create({.destination = "https://go.example.com/x", .slashtag = "near"}));
    CHECK(pass(near.link.id) == "InvalidFormat passPath");
    CHECK(problems_of(world.update(near.link.id, {.destination = to("https://docs.example/"),
                                                  .pass_path = Change<bool>::set(true)})) == "none");
    CHECK(problems_of(world.update(near.link.id, {.destination = to("https://go.example.com/x")})) ==
          "InvalidFormat destination");
    CHECK(problems_of(world.update(near.link.id, {.destination = to("https://go.example.com/x"),
                                                  .pass_path = Change<bool>::set(false)})) == "none");

    const auto ruled = must(world.create({.destination = "https://docs.example/", .slashtag = "ruled"}));
    must(change_parts(world, ruled.link.id, [](Context& ctx, const Link& link) {
        auto rule = rule_input();
        rule.destination = "https://go.example.com/x";
        return create_rule(ctx, link, rule);
    }));
    CHECK(pass(ruled.link.id) == "InvalidFormat passPath");
}

TEST_CASE("what is below a link that passes paths on is on the way of a loop", "[links]") {
    World world;
    const auto pass = [&](const char* slashtag, const char* destination) {
        return problems_of(
            world.create({.destination = destination, .slashtag = slashtag, .pass_path = true}));
    };
    const auto link = [&](const char* slashtag, const char* destination) {
        return problems_of(world.create({.destination = destination, .slashtag = slashtag}));
    };
    CHECK(pass("docs", "https://late.example/a?x=1") == "none");
    CHECK(link("far", "https://go.example.com/docs/b") == "none");
    CHECK(link("plain", "https://example.com/") == "none");
    CHECK(link("near", "https://go.example.com/plain/b") == "none"); // of no link
    // A domain that comes later makes a circle out of it.
    const auto late = world.domain("late.example");
    must(set(world, late, {.not_found_url = to("https://go.example.com/back")}));
    CHECK(link("back", "https://go.example.com/docs/b") == "InvalidFormat destination");
    must(set(world, late, {.not_found_url = to("https://example.com/")}));
    CHECK(link("back", "https://go.example.com/docs/b") == "none");
}

TEST_CASE("addresses of all scripts, and of several parts, are on the way of a loop", "[links]") {
    World world;
    auto domain = world.domain("words.example", {.charset = SlashtagCharset::unicode});
    const auto make = [&](const char* slashtag, const char* destination) {
        return problems_of(world.create({.destination = destination,
                                         .domain = {.id = domain.id, .full_name = {}},
                                         .slashtag = slashtag}));
    };
    for (const char* address :
         {"http://words.example/a/früh", "http://words.example/A/fr%C3%BCh",
          "https://words.example/a%2FFRU%CC%88H", "http://words.example/x/../a/./früh/?x=1",
          "http://words.example//a/früh//"}) {
        INFO(address);
        CHECK(make("a/früh", address) == "InvalidFormat destination");
    }
    CHECK(make("a/früh", "http://words.example/a") == "none");
    CHECK(make("a", "http://words.example/A/Fr\xc3\xbch") == "InvalidFormat destination");
    CHECK(make("b", "http://go.example.com/a/fr%C3%BCh") == "none"); // where there is no such slashtag
}

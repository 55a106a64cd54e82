// What is below a link that passes paths on (wire "The visitor's side").
#include "core/redirect/below.h"

#include "core/schema/routing.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

// "docs (a/b)" for each slashtag that the path may be below of.
std::string above(std::string_view path, SlashtagForm form = {}) {
    AddressBuffer buffer;
    PathsAbove paths(path, form);
    std::string out;
    while (const auto found = paths.next(buffer)) {
        CHECK(found->kind == PathKind::below);
        out +=
            (out.empty() ? "" : ", ") + std::string(found->slashtag) + " (" + std::string(found->rest) + ")";
    }
    return out;
}

// "none" where nothing can be appended.
std::string appended(std::string_view destination, std::string_view rest) {
    std::string out = "before ";
    const bool is_appended = append_below(out, destination, rest);
    CHECK(out.starts_with("before "));
    CHECK(is_appended == (out != "before "));
    return is_appended ? out.substr(7) : "none";
}

Link docs(std::string destination = "https://docs.example/base?v=2#top") {
    auto link = RedirectWorld::link("docs", std::move(destination));
    link.pass_path = true;
    return link;
}

} // namespace

TEST_CASE("what a path may be below of is what stands before its slashes", "[redirect]") {
    CHECK(above("/docs/a/b") == "docs (a/b)");
    CHECK(above("/Docs/A") == "docs (A)");
    CHECK(above("/Docs/A", {.letters = Case::minded}) == "Docs (A)");
    CHECK(above("//docs/a") == "docs (a)");
    CHECK(above("/%64ocs/%61?") == "docs (%61?)");
    CHECK(above("/docs//a/") == "docs (a/), docs (/a/)");
    for (const auto* path : {"", "/", "//", "/docs", "/docs/", "docs", "/docs%2Fa", "/a.b/c", "/docs+/a",
                             "/docs.qr/a", "/robots.txt/a", "/.well-known/a", "/a&b/c"}) {
        INFO(path);
        CHECK(above(path).empty());
    }
}

TEST_CASE("a rest goes behind the destination's path, as it was sent", "[redirect]") {
    CHECK(appended("https://a.example/base", "x/y") == "https://a.example/base/x/y");
    CHECK(appended("https://a.example/base/", "x/y/") == "https://a.example/base/x/y/");
    CHECK(appended("https://a.example/", "x") == "https://a.example/x");
    CHECK(appended("https://a.example", "x") == "https://a.example/x");
    CHECK(appended("https://a.example?v=1#top", "x") == "https://a.example/x?v=1#top");
    CHECK(appended("https://a.example/base?to=/b/", "x") == "https://a.example/base/x?to=/b/");
    CHECK(appended("https://a.example/base#/b", "x") == "https://a.example/base/x#/b");
    CHECK(appended("https://a.example/", "/x.example") == "https://a.example//x.example");
    CHECK(appended("https://a.example/", "%2Fx%20y%3Fz") == "https://a.example/%2Fx%20y%3Fz");
    CHECK(appended("https://a.example/", "a:b@c;d=1,2&e") == "https://a.example/a:b@c;d=1,2&e");
    CHECK(appended("https://a.example/", "x#y") == "https://a.example/x");
    CHECK(appended("app://", "x") == "app:///x");
    CHECK(appended("app://open/", "x") == "app://open/x");
}

TEST_CASE("a rest is safe to stand in a header", "[redirect]") {
    CHECK(appended("https://a.example/", "x y\r\nSet-Cookie:z") ==
          "https://a.example/x%20y%0D%0ASet-Cookie:z");
    CHECK(appended("https://a.example/", "\xc3\xa4\"<>\\^`{|}%%4") ==
          "https://a.example/%C3%A4%22%3C%3E%5C%5E%60%7B%7C%7D%25%254");
    CHECK(appended("https://a.example/", std::string("a\0b", 3)) == "https://a.example/a%00b");
}

TEST_CASE("a rest never leads out of the destination's path", "[redirect]") {
    for (const auto* rest :
         {"..", "../x", "x/..", "x/../y", "%2e%2E/x", ".%2e", "x%2F..%2Fy", "x\\..\\y", "x%5c..", "x/..#y"}) {
        INFO(rest);
        CHECK(appended("https://a.example/base", rest) == "none");
    }
    CHECK(appended("https://a.example/base", ".../..x/x../.") == "https://a.example/base/.../..x/x../.");
    CHECK(appended("https://a.example/base", "%252e%252e") == "https://a.example/base/%252e%252e");
}

TEST_CASE("nothing is below an address without a host, nor has a rest more room than a header",
          "[redirect]") {
    CHECK(appended("tel:+49301234", "x") == "none");
    CHECK(appended("mailto:a@b.example", "x") == "none");
    // 4,096 bytes, of which 256 are kept free (has_room).
    CHECK(appended("https://a.example/", std::string(3'822, 'x')) ==
          "https://a.example/" + std::string(3'822, 'x'));
    CHECK(appended("https://a.example/", std::string(3'823, 'x')) == "none");
    CHECK(appended("https://a.example/", std::string(1'274, ' ')).size() == 18 + 3 * 1'274);
    CHECK(appended("https://a.example/", std::string(1'275, ' ')) == "none");
}

TEST_CASE("what is below a link goes on below its destination, and counts for the link", "[redirect]") {
    RedirectWorld world;
    world.put(docs());
    CHECK(world.follow("/docs") == "https://docs.example/base?v=2#top");
    CHECK(world.follow("/docs/") == "https://docs.example/base?v=2#top");
    CHECK(world.follow("/Docs/A/b.html") == "https://docs.example/base/A/b.html?v=2#top");
    CHECK(world.follow("/docs/a", "x=1&v=3") == "https://docs.example/base/a?v=2&x=1#top");
    CHECK(world.follow("/docs/a/%E2%80%9C/") == "https://docs.example/base/a/%E2%80%9C/?v=2#top");
    REQUIRE(world.clicks() == 5);
    CHECK(decode_click(world.lane.records[4])->link == link_id);
    CHECK(world.visit({.path = "/docs/a"}).outcome == Outcome::forward);
    CHECK(world.visit({.path = "/docs+"}).outcome == Outcome::page);
    CHECK(world.visit({.path = "/docs.qr"}).outcome == Outcome::page);
}

TEST_CASE("what is below other links is missing, and so is what leads out of the destination", "[redirect]") {
    RedirectWorld world;
    auto link = docs();
    link.pass_path = false;
    world.put(link);
    CHECK(world.visit({.path = "/docs/a"}).outcome == Outcome::missing);
    world.put(docs());
    for (const auto& path : {std::string("/docs/../a"), std::string("/docs/%2e%2e/a"),
                             std::string("/docs/a/.."), std::string("/gone/a"), std::string("/gone/docs/a"),
                             std::string("/docs~/a"), "/docs/" + std::string(4'096, 'x')}) {
        INFO(path);
        CHECK(world.visit({.path = path}).outcome == Outcome::missing);
        CHECK(world.answer.location.empty());
    }
    CHECK(world.clicks() == 0);
}

TEST_CASE("where the missing lead, and where a link leads that has ended, takes no path along",
          "[redirect]") {
    RedirectWorld world;
    world.put(Domain{.id = domain_id,
                     .full_name = "go.example.com",
                     .verified = true,
                     .not_found_url = "https://lost.example/%7Bpath%7D"});
    auto link = docs();
    link.expires_at = world.clock.now();
    link.expired_url = "https://old.example/";
    world.put(link);
    CHECK(world.follow("/docs/a") == "https://old.example/");
    CHECK(world.follow("/gone/a") == "https://lost.example/gone/a");
    CHECK(world.clicks() == 0);
}

TEST_CASE("a path goes on below the destination that a rule has chosen", "[redirect]") {
    RedirectWorld world;
    auto link = docs();
    link.routing = compile_routing(
        {.rules = {{.id = id_of<RuleId>(1),
                    .destination = "https://de.example/start",
                    .conditions = {
                        {.property = RuleProperty::language, .op = RuleOperator::in, .values = {"de"}}}}}});
    world.put(link);
    CHECK(world.visit({.path = "/docs/a", .accept_language = "de"}).location == "https://de.example/start/a");
    CHECK(world.visit({.path = "/docs/a"}).location == "https://docs.example/base/a?v=2#top");
    CHECK(world.visit({.path = "/docs", .accept_language = "de"}).location == "https://de.example/start");
}

TEST_CASE("the method of what is below a link goes along as that of the link", "[redirect]") {
    RedirectWorld world;
    auto link = docs();
    link.redirect_type = 308;
    world.put(link);
    CHECK(world.visit({.path = "/docs/a"}).redirect_type == 308);
    CHECK(world.redirector->keeps_method("go.example.com", "/docs/a"));
    CHECK(world.redirector->keeps_method("go.example.com", "/docs"));
    CHECK_FALSE(world.redirector->keeps_method("go.example.com", "/gone/a"));
}

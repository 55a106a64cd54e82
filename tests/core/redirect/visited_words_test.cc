// Paths on domains whose slashtags have letters of all scripts, and slashes within.
#include "core/redirect/below.h"
#include "tests/core/redirect/redirect_world.h"

using namespace slashpost;
using namespace slashpost::test;
using namespace slashpost::redirect;

namespace {

// The slashtag of a path with a sign of what else it asks for, or "(home)" or "(other)".
std::string words(std::string_view text, Case letters = Case::ignored) {
    AddressBuffer buffer;
    const auto found = visited_path(text, {.letters = letters, .any_script = true}, buffer);
    const std::string slashtag(found.slashtag);
    switch (found.kind) {
    case PathKind::slashtag:
        return slashtag;
    case PathKind::slashtag_and_parameters:
        return slashtag + " with " + std::string(found.rest);
    case PathKind::preview:
        return slashtag + " shown";
    case PathKind::qr_code:
        return slashtag + " drawn";
    case PathKind::home:
        return "(home)";
    case PathKind::other:
        return "(other)";
    default:
        return "(page)";
    }
}

Domain unicode_domain() {
    Domain domain{.id = domain_id, .full_name = "go.example.com", .verified = true};
    domain.slashtag.charset = SlashtagCharset::unicode;
    return domain;
}

Link link_of(std::uint64_t number, std::string slashtag, std::string destination, bool pass_path = false) {
    auto link = RedirectWorld::link(std::move(slashtag), std::move(destination));
    link.id = id_of<LinkId>(number);
    link.pass_path = pass_path;
    return link;
}

} // namespace

TEST_CASE("a slashtag of any script is found escaped or not, in any case and spelling", "[redirect]") {
    for (const auto* path : {"/stra%C3%9Fe",
                             "/Stra\xc3\x9f"
                             "e",
                             "/STRASSE", "/%73tra%c3%9fe/", "//strasse"})
        CHECK(words(path) == "strasse");
    CHECK(words("/caf%C3%A9") == "caf\u00e9");
    CHECK(words("/CAFE%CC%81") == "caf\u00e9");
    CHECK(words("/CAFE%CC%81", Case::minded) == "CAF\u00c9");
    CHECK(words("/%E6%97%A5%E6%9C%AC") == "日本");
    CHECK(words("/%F0%A0%80%80") == "\U00020000");
    CHECK(words("/sale") == "sale");
    CHECK(words("/Sale", Case::minded) == "Sale");
}

TEST_CASE("a slash between two parts is one of the slashtag", "[redirect]") {
    CHECK(words("/a/b") == "a/b");
    CHECK(words("/A%2FB/c") == "a/b/c");
    CHECK(words("//a/b/") == "a/b");
    CHECK(words("/2026/Fr%C3%BChling") == "2026/frühling");
    CHECK(words("/v1/x") == "v1/x"); // which no slashtag can be
    for (const auto* path : {"/a//b", "/a/./b", "/a/../b", "/a/.b", "/a/ /b", "/a/%00", "/a/b+c", "/a\\b"})
        CHECK(words(path) == "(other)");
}

TEST_CASE("what is glued to such a slashtag is no part of it", "[redirect]") {
    CHECK(words("/a/b.") == "a/b");
    CHECK(words("/a/b/).") == "a/b");
    CHECK(words("/a/b%20") == "a/b");
    CHECK(words("/a/b%E2%80%9D,") == "a/b");
    CHECK(words("/%E6%97%A5%E3%80%82") == "日");
    CHECK(words("/a%E2%80%8B/b%EF%B8%8F") == "a/b");
    CHECK(words("/%C3%A4+") == "ä shown");
    CHECK(words("/a/b+/") == "a/b shown");
    CHECK(words("/a/b.QR") == "a/b drawn");
    CHECK(words("/a/b&x=1") == "a/b with x=1");
    CHECK(words("/a/&x=1") == "a with x=1");
    CHECK(words("/%E2%80%9D") == "(home)");
    CHECK(words("//") == "(home)");
    CHECK(words("/robots.txt") == "(page)");
    CHECK(words("/.well-known/x") == "(page)");
    CHECK(words("/%C3%A4/+") == "(other)");
}

TEST_CASE("what is no UTF-8, no letter, or too long is no slashtag of any script", "[redirect][threat-25]") {
    for (const auto* path : {"/%FF", "/a%C3", "/%C1%A1", "/%ED%A0%80", "/%F0%9F%98%80", "/%E2%82%AC",
                             "/a%CD%B8", "/%F4%90%80%80", "/%82%AD%C3%A4"}) {
        INFO(path);
        CHECK(words(path) == "(other)");
    }
    std::string path = "/";
    for (int i = 0; i < 127; ++i)
        path += "%C3%A4";
    CHECK(words(path).size() == 254);
    CHECK(words(path + "a").size() == 255);
    CHECK(words(path + "%C3%A4") == "(other)");
    CHECK(words(path + path + path + path + path) == "(other)");
    CHECK(words("/" + std::string(100'000, 'a') + "%C3%A4") == "(other)");
}

TEST_CASE("visitors of a domain of all scripts find its links, on other domains they are missing",
          "[redirect]") {
    RedirectWorld world;
    world.put(link_of(1, "frühling/2026", "https://a.example/"));
    CHECK(world.visit({.path = "/fr%C3%BChling/2026"}).outcome == Outcome::missing);
    world.put(unicode_domain());
    CHECK(world.follow("/fr%C3%BChling/2026") == "https://a.example/");
    CHECK(world.follow("/Fr%C3%9CHLING/2026.", "x=1") == "https://a.example/?x=1");
    CHECK(world.visit({.path = "/fr%C3%BChling/2027"}).outcome == Outcome::missing);
    CHECK(world.visit({.path = "/fr%C3%BChling"}).outcome == Outcome::missing);
    CHECK(world.visit({.path = "/fr%C3%BChling/2026.qr"}).page->short_url ==
          "http://go.example.com/fr%C3%BChling/2026?sp_scan");
    CHECK(world.clicks() == 2);
}

TEST_CASE("of links that pass paths on the longest slashtag answers", "[redirect]") {
    RedirectWorld world;
    world.put(unicode_domain());
    world.put(link_of(1, "docs", "https://docs.example/", true));
    world.put(link_of(2, "docs/api", "https://api.example/v1", true));
    world.put(link_of(3, "docs/api/old", "https://old.example/"));
    CHECK(world.follow("/docs") == "https://docs.example/");
    CHECK(world.follow("/docs/x/y.html") == "https://docs.example/x/y.html");
    CHECK(world.follow("/docs/x.qr") == "https://docs.example/x.qr");
    CHECK(world.follow("/docs/api") == "https://api.example/v1");
    CHECK(world.follow("/docs/api/%C3%A4/") == "https://api.example/v1/%C3%A4/");
    CHECK(world.follow("/docs/api/old") == "https://old.example/");
    CHECK(world.follow("/docs/api/old/x") == "https://api.example/v1/old/x"); // that link passes none on
    CHECK(world.visit({.path = "/docs+"}).outcome == Outcome::page);
    CHECK(world.visit({.path = "/none/docs/api/x"}).outcome == Outcome::missing);
    // Of more than eight parts the first eight are looked at.
    CHECK(world.follow("/docs/1/2/3/4/5/6/7/8/9/10") == "https://docs.example/1/2/3/4/5/6/7/8/9/10");
    world.put(link_of(4, "1/2/3/4/5/6/7/8", "https://eight.example/", true));
    world.put(link_of(5, "1/2/3/4/5/6/7/8/9", "https://nine.example/", true));
    CHECK(world.follow("/1/2/3/4/5/6/7/8/9") == "https://nine.example/");
    CHECK(world.follow("/1/2/3/4/5/6/7/8/9/10") == "https://eight.example/9/10");
}

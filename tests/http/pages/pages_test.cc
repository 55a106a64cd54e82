#include "http/pages/pages.h"

#include <catch2/catch.hpp>

#include <regex>

namespace slashpost::http {

namespace {

using redirect::Page;

constexpr std::string_view hostile =
    "\"'></title></script><script>alert(1)</script><img src=x onerror=alert(2)>"
    "&quot;\r\nSet-Cookie: a=b\xff\x01";

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

std::string header(const Reply& reply, std::string_view name) {
    std::string out;
    for (const auto& one : reply.headers)
        if (one.name == name)
            out += one.value;
    return out;
}

Page page_of(Page::Kind kind) {
    Page page;
    page.kind = kind;
    page.short_url = "https://go.example.com/sale";
    page.nonce = "00112233445566778899aabbccddeeff";
    return page;
}

// Every field says something that would hurt if it went out as it is.
Page hostile_page(Page::Kind kind) {
    auto page = page_of(kind);
    page.short_url += hostile;
    for (auto* text : {&page.title, &page.description, &page.image, &page.type, &page.locale, &page.app_url})
        *text = hostile;
    page.brand = std::make_shared<const redirect::PageBrand>(
        redirect::PageBrand{.domain = std::string(hostile), .name = std::string(hostile)});
    page.scripts = {{.uri = std::string(hostile), .text = std::string(hostile)},
                    {.uri = {}, .text = "<!-- <script> <plaintext> </body></html>"}};
    return page;
}

constexpr auto html_kinds = {Page::Kind::preview, Page::Kind::open_graph, Page::Kind::interstitial,
                             Page::Kind::app};

} // namespace

TEST_CASE("markup in a field never becomes markup of a page", "[pages][threat-7]") {
    for (const auto kind : html_kinds) {
        auto page = hostile_page(kind);
        if (kind == Page::Kind::app)
            page.scripts.clear();
        const auto reply = render_page(page, "https://a.example/" + std::string(hostile), {});
        CHECK(reply.status == 200);
        CHECK_FALSE(has(reply.body, "<img"));
        CHECK_FALSE(has(reply.body, "<script>"));
        CHECK_FALSE(has(reply.body, "<plaintext"));
        CHECK_FALSE(has(reply.body, "<!--"));
        CHECK_FALSE(has(reply.body, "\xff"));
        CHECK_FALSE(has(reply.body, "\x01"));
        const std::size_t own_scripts = kind == Page::Kind::interstitial || kind == Page::Kind::app ? 1 : 0;
        CHECK(count(reply.body, "<script") == own_scripts);
        CHECK(count(reply.body, "</script>") == own_scripts);
        CHECK(count(reply.body, "</title>") == 1);
        CHECK(count(reply.body, "</body>") == 1);
        for (const auto& one : reply.headers)
            CHECK(one.value.find_first_of("\r\n") == std::string::npos);
    }
}

TEST_CASE("every page has a policy of its own and is not kept", "[pages][threat-8]") {
    for (const auto kind : html_kinds) {
        const auto reply = render_page(page_of(kind), "https://a.example/", {});
        const auto policy = header(reply, "Content-Security-Policy");
        CHECK(
            policy.starts_with("default-src 'none'; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'; style-src 'nonce-00112233445566778899aabbccddeeff'"));
        CHECK_FALSE(has(policy, "unsafe"));
        CHECK(header(reply, "Content-Type") == "text/html; charset=utf-8");
        CHECK(header(reply, "X-Content-Type-Options") == "nosniff");
        CHECK(header(reply, "Cache-Control") == "private, no-store");
        CHECK_FALSE(std::regex_search(reply.body, std::regex(" on[a-z]+="))); // no handler in an attribute
        CHECK(has(reply.body, "<meta name=\"viewport\""));
        CHECK(has(reply.body, "content=\"noindex\"") == (kind != Page::Kind::open_graph));
    }
    const auto policy = [](Page::Kind kind) {
        return header(render_page(page_of(kind), "https://a.example/", {}), "Content-Security-Policy");
    };
    CHECK_FALSE(has(policy(Page::Kind::preview), "script-src"));
    CHECK_FALSE(has(policy(Page::Kind::open_graph), "script-src"));
    CHECK(policy(Page::Kind::app)
              .ends_with("; script-src 'nonce-00112233445566778899aabbccddeeff' 'strict-dynamic'"));
    CHECK(policy(Page::Kind::interstitial)
              .ends_with("; script-src 'nonce-00112233445566778899aabbccddeeff' 'strict-dynamic'; "
                         "img-src https: data:; connect-src https:; frame-src https:"));
}

TEST_CASE("scripts of a page that came by plain HTTP may ask plain HTTP", "[pages]") {
    auto page = page_of(Page::Kind::interstitial);
    page.short_url = "http://localhost:8080/sale";
    CHECK(header(render_page(page, "https://a.example/", {}), "Content-Security-Policy")
              .ends_with("img-src https: http: data:; connect-src https: http:; frame-src https: http:"));
}

TEST_CASE("a page shows the picture of its domain, from that host only, and waits for none", "[pages]") {
    const std::string base = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors "
                             "'none'; style-src 'nonce-00112233445566778899aabbccddeeff'";
    const auto branded = [](Page::Kind kind) {
        auto page = page_of(kind);
        page.brand = std::make_shared<const redirect::PageBrand>(
            redirect::PageBrand{.domain = "go.example.com",
                                .name = "Acme",
                                .color = "ff8800",
                                .logo_url = "https://cdn.example.com/l.svg?a=1&b=2"});
        return render_page(page, "https://a.example/", {});
    };
    for (const auto kind : html_kinds) {
        const auto reply = branded(kind);
        CHECK(has(reply.body, "<img class=\"logo\" src=\"https://cdn.example.com/l.svg?a=1&amp;b=2\" "
                              "alt=\"\" loading=\"lazy\" referrerpolicy=\"no-referrer\">"
                              "<bdi>Acme</bdi></header>"));
        CHECK(has(reply.body, "<footer><bdi>go.example.com</bdi></footer>"));
        CHECK(count(reply.body, "<style nonce=\"00112233445566778899aabbccddeeff\">") == 2);
        CHECK(count(reply.body, "<style") == 2);
        CHECK(has(reply.body, ">:root{--brand:#ff8800;--on-brand:#000}</style>"));
    }
    CHECK(header(branded(Page::Kind::preview), "Content-Security-Policy") ==
          base + "; img-src https://cdn.example.com");
    CHECK(header(branded(Page::Kind::app), "Content-Security-Policy") ==
          base + "; script-src 'nonce-00112233445566778899aabbccddeeff' 'strict-dynamic'; img-src "
                 "https://cdn.example.com");
    CHECK(count(header(branded(Page::Kind::interstitial), "Content-Security-Policy"), "img-src") == 1);
}

TEST_CASE("a preview shows where a link leads and offers the short address itself", "[pages]") {
    auto page = page_of(Page::Kind::preview);
    page.title = "Summer & more";
    const auto body = render_page(page, "https://a.example/?b=c&d=e", {}).body;
    CHECK(has(body, "<title>Summer &amp; more</title>"));
    CHECK(has(body, "<h1 dir=\"auto\">Summer &amp; more</h1>"));
    CHECK(has(body, "<bdi>https://a.example/?b=c&amp;d=e</bdi>"));
    CHECK(has(body, "href=\"https://go.example.com/sale\">Continue</a>"));
    CHECK_FALSE(has(body, "href=\"https://a.example"));
    CHECK(has(body, "noindex"));
    CHECK_FALSE(has(body, "elsewhere"));
    page.varies = true;
    CHECK(has(render_page(page, "https://a.example/", {}).body, "elsewhere"));
}

TEST_CASE("a social preview is what the link says of itself", "[pages]") {
    auto page = page_of(Page::Kind::open_graph);
    page.title = "Everything must go";
    page.description = "Until Sunday";
    page.image = "https://i.example/a.png?x=1&y=2";
    page.type = "article";
    page.locale = "en_GB";
    const auto full = render_page(page, "https://a.example/", {}).body;
    for (const auto* line :
         {"<title>Everything must go</title>", "<meta name=\"description\" content=\"Until Sunday\">",
          "<meta property=\"og:url\" content=\"https://go.example.com/sale\">",
          "<meta property=\"og:type\" content=\"article\">",
          "<meta property=\"og:title\" content=\"Everything must go\">",
          "<meta property=\"og:description\" content=\"Until Sunday\">",
          "<meta property=\"og:image\" content=\"https://i.example/a.png?x=1&amp;y=2\">",
          "<meta property=\"og:locale\" content=\"en_GB\">",
          "<meta name=\"twitter:card\" content=\"summary_large_image\">", "<a href=\"https://a.example/\">"})
        CHECK(has(full, line));
    const auto bare = render_page(page_of(Page::Kind::open_graph), "https://a.example/", {}).body;
    CHECK(has(bare, "<meta property=\"og:type\" content=\"website\">"));
    CHECK(has(bare, "content=\"summary\""));
    for (const auto* name : {"og:title", "og:description", "og:image", "og:locale", "\"description\""})
        CHECK_FALSE(has(bare, name));
}

TEST_CASE("a page with scripts leads on with scripts, without them, and by hand", "[pages]") {
    auto page = page_of(Page::Kind::interstitial);
    page.scripts = {{.uri = "https://p.example/a.js?x&y", .text = {}},
                    {.uri = {}, .text = "track('a', \"b\") // </script>"}};
    const auto body = render_page(page, "https://a.example/?b=c&d=e", {}).body;
    CHECK(has(body, "<noscript><meta http-equiv=\"refresh\" "
                    "content=\"0;url=https://a.example/?b=c&amp;d=e\"></noscript>"));
    CHECK(has(body, "<a id=\"go\" class=\"go\" href=\"https://a.example/?b=c&amp;d=e\">Continue</a>"));
    CHECK(has(body, "data-uri=\"https://p.example/a.js?x&amp;y\" data-text=\"\""));
    CHECK(has(body, "data-uri=\"\" data-text=\"track('a', &quot;b&quot;) // &lt;/script&gt;\""));
    CHECK(count(body, "<script nonce=\"00112233445566778899aabbccddeeff\">") == 1);
    CHECK(has(body, "location.replace"));
    CHECK_FALSE(has(body, "data-app=\""));
}

TEST_CASE("a page that opens an app offers the way without it", "[pages]") {
    auto page = page_of(Page::Kind::app);
    page.app_url = "instagram://user?a=b&c=d";
    const auto body = render_page(page, "myapp://a.example/", {}).body;
    CHECK(has(body, "<a class=\"go\" href=\"instagram://user?a=b&amp;c=d\">Open the app</a>"));
    CHECK(has(body, "data-app=\"instagram://user?a=b&amp;c=d\" href=\"myapp://a.example/\""));
    CHECK(has(body, "content=\"0;url=myapp://a.example/\""));
    CHECK_FALSE(has(body, "data-uri=\""));
}

TEST_CASE("very long fields are shown as they are", "[pages]") {
    auto page = page_of(Page::Kind::preview);
    page.title = std::string(100'000, '<');
    const auto reply = render_page(page, "https://a.example/" + std::string(100'000, 'a'), {});
    CHECK(reply.status == 200);
    CHECK(count(reply.body, "&lt;") == 200'000);
    CHECK(has(reply.body, "overflow-wrap:anywhere"));
}

TEST_CASE("a document goes out as it was given, as JSON", "[pages]") {
    auto page = page_of(Page::Kind::document);
    page.document = std::make_shared<const std::string>("[\"</script>\"]");
    const auto reply = render_page(page, {}, {});
    CHECK(reply.status == 200);
    CHECK(reply.body == "[\"</script>\"]");
    CHECK(header(reply, "Content-Type") == "application/json");
    CHECK(header(reply, "X-Content-Type-Options") == "nosniff");
    CHECK(header(reply, "Cache-Control") == "public, max-age=300");
}

} // namespace slashpost::http

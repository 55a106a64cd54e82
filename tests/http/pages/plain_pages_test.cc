#include "http/pages/plain_pages.h"

#include "core/base/base64.h"
#include "core/base/secret.h"

#include <catch2/catch.hpp>

#include <regex>

namespace slashpost::http {

namespace {

using redirect::PageBrand;

constexpr std::string_view base =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src ";
constexpr auto all = {PlainPage::home, PlainPage::door, PlainPage::missing, PlainPage::expired};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string policy_of(const Reply& reply) {
    for (const auto& one : reply.headers)
        if (one.name == "Content-Security-Policy")
            return one.value;
    return {};
}

// As a browser reckons what may style the page.
std::string hashes_of_styles(const std::string& body) {
    const std::regex style("<style>([^<]*)</style>");
    std::string out;
    for (std::sregex_iterator one(body.begin(), body.end(), style), end; one != end; ++one)
        out += (out.empty() ? "'sha256-" : " 'sha256-") + base64(sha256((*one)[1].str())) + "'";
    return out;
}

} // namespace

TEST_CASE("a plain page allows its own styles and nothing else", "[pages][threat-8]") {
    for (const auto page : all) {
        const auto reply = plain_page(page, nullptr);
        const auto styles = hashes_of_styles(reply.body);
        CHECK(styles.size() == std::string("'sha256-'").size() + 44);
        CHECK(policy_of(reply) == std::string(base) + styles);
        CHECK(has(reply.body, "<meta name=\"robots\" content=\"noindex\">"));
        CHECK(has(reply.body, "<meta name=\"viewport\""));
        CHECK(has(reply.body, "prefers-color-scheme:dark"));
        CHECK_FALSE(has(reply.body, "<script"));
        CHECK_FALSE(has(reply.body, "<img"));
        CHECK_FALSE(has(reply.body, "style=\""));
        CHECK(reply.status == (page == PlainPage::home || page == PlainPage::door ? 200 : 404));
        CHECK(reply.body.size() < 4096);
    }
}

TEST_CASE("a plain page of a domain shows its name, its title, its colour and its picture", "[pages]") {
    const PageBrand brand{.domain = "go.example.com",
                          .name = "Acme",
                          .color = "102030",
                          .logo_url = "https://cdn.example.com:8443/logo.svg",
                          .home_text = "Links of Acme.\nNothing else."};
    for (const auto page : {PlainPage::home, PlainPage::missing, PlainPage::expired}) {
        const auto reply = plain_page(page, &brand);
        CHECK(has(reply.body, " – Acme</title>"));
        CHECK(has(reply.body, "<bdi>Acme</bdi></header>"));
        CHECK(has(reply.body, "<footer><bdi>go.example.com</bdi></footer>"));
        CHECK(has(reply.body, "<style>:root{--brand:#102030;--on-brand:#fff}</style>"));
        CHECK(has(reply.body, "src=\"https://cdn.example.com:8443/logo.svg\""));
        CHECK(policy_of(reply) ==
              std::string(base) + hashes_of_styles(reply.body) + "; img-src https://cdn.example.com:8443");
        CHECK(has(reply.body, "Links of Acme.\nNothing else.") == (page == PlainPage::home));
    }
    CHECK_FALSE(has(plain_page(PlainPage::door, &brand).body, "Acme"));
}

TEST_CASE("a domain that sets nothing is named itself, once", "[pages]") {
    const PageBrand brand{.domain = "go.example.com"};
    const auto reply = plain_page(PlainPage::missing, &brand);
    CHECK(has(reply.body, "<title>Not found – go.example.com</title>"));
    CHECK(has(reply.body, "<header><bdi>go.example.com</bdi></header>"));
    CHECK_FALSE(has(reply.body, "<footer>"));
    CHECK_FALSE(has(policy_of(reply), "img-src"));
    CHECK(has(plain_page(PlainPage::home, &brand).body, "This address carries short links."));
}

TEST_CASE("a plain page says why it is there", "[pages]") {
    CHECK(has(plain_page(PlainPage::missing, nullptr).body, "<h1>Not found</h1>"));
    CHECK(has(plain_page(PlainPage::expired, nullptr).body, "<h1>This link has ended</h1>"));
    CHECK(has(plain_page(PlainPage::home, nullptr).body, "<h1>Short links</h1>"));
    CHECK(has(plain_page(PlainPage::door, nullptr).body, "<a href=\"/v1/docs\">"));
}

TEST_CASE("text on a domain's colour is black or white, whichever has more contrast", "[pages]") {
    const auto ink = [](const char* color) {
        const PageBrand brand{.domain = "go.example.com", .color = color};
        const auto body = plain_page(PlainPage::home, &brand).body;
        return has(body, "--on-brand:#000}") ? "black" : has(body, "--on-brand:#fff}") ? "white" : "none";
    };
    CHECK(ink("ffffff") == std::string("black"));
    CHECK(ink("000000") == std::string("white"));
    CHECK(ink("ff8800") == std::string("black"));
    CHECK(ink("00ff00") == std::string("black"));
    CHECK(ink("0000ff") == std::string("white"));
    CHECK(ink("757575") == std::string("white")); // 4.61 to 4.56
    CHECK(ink("777777") == std::string("black")); // 4.48 to 4.69
}

TEST_CASE("markup in a domain's branding never becomes markup of a page", "[pages][threat-7]") {
    const std::string hostile = "\"'></title></style><script>alert(1)</script><img src=x>\r\nA: b\xff";
    const PageBrand brand{.domain = "go.example.com",
                          .name = hostile,
                          .color = {},
                          .logo_url = "https://cdn.example.com/" + hostile,
                          .home_text = hostile};
    for (const auto page : all) {
        const auto reply = plain_page(page, &brand);
        CHECK_FALSE(has(reply.body, "<script"));
        CHECK_FALSE(has(reply.body, "<img src=x"));
        CHECK_FALSE(has(reply.body, "\xff"));
        for (const auto& one : reply.headers)
            CHECK(one.value.find_first_of("\r\n") == std::string::npos);
    }
}

} // namespace slashpost::http

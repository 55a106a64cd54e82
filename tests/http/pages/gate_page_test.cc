#include "http/pages/gate_page.h"

#include "http/pages/pages.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using redirect::GateNote;

Reply page_that(GateNote note, std::int64_t wait_seconds = 0) {
    redirect::Page page;
    page.kind = redirect::Page::Kind::gate;
    page.brand = std::make_shared<const redirect::PageBrand>(redirect::PageBrand{.domain = "go.example.com"});
    page.short_url = "https://go.example.com/a\"b";
    page.nonce = "0123456789abcdef";
    page.title = "never shown";
    page.note = note;
    page.wait_seconds = wait_seconds;
    return render_page(page, "https://secret.example/", "");
}

std::string header_of(const Reply& reply, std::string_view name) {
    for (const auto& header : reply.headers)
        if (header.name == name)
            return header.value;
    return {};
}

bool has(const Reply& reply, std::string_view part) { return reply.body.find(part) != std::string::npos; }

} // namespace

TEST_CASE("the page of a guarded link asks for the password and says nothing of the link", "[pages]") {
    const auto reply = page_that(GateNote::asks);
    CHECK(reply.status == 200);
    CHECK(has(reply, "<h1>This link asks for a password</h1>"));
    CHECK(has(reply, "<form method=\"post\">"));
    CHECK(has(reply, "name=\"password\" type=\"password\""));
    CHECK(has(reply, "<meta name=\"robots\" content=\"noindex\">"));
    CHECK_FALSE(has(reply, "secret.example"));
    CHECK_FALSE(has(reply, "never shown"));
    CHECK(header_of(reply, "Cache-Control") == "private, no-store");
    CHECK(header_of(reply, "Referrer-Policy") == "no-referrer");
    CHECK(header_of(reply, "Content-Security-Policy") ==
          "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; style-src 'nonce-0123456789abcdef'");
}

TEST_CASE("the page says that a password was wrong, and when the next may come", "[pages]") {
    const auto wrong = page_that(GateNote::wrong);
    CHECK(wrong.status == 403);
    CHECK(has(wrong, "role=\"alert\">That is not the password.</p>"));
    CHECK(has(wrong, "aria-invalid=\"true\" aria-describedby=\"wrong\""));
    const auto waits = page_that(GateNote::waits, 121);
    CHECK(waits.status == 429);
    CHECK(header_of(waits, "Retry-After") == "121");
    CHECK(has(waits, "tried again in 3 minutes."));
    CHECK_FALSE(has(waits, "<form"));
    CHECK(has(page_that(GateNote::waits, 120), "tried again in 120 seconds."));
    CHECK(has(page_that(GateNote::waits, 1), "tried again in 1 second."));
    const auto busy = page_that(GateNote::busy);
    CHECK(busy.status == 503);
    CHECK(header_of(busy, "Retry-After") == "1");
    CHECK(has(busy, "<form method=\"post\">"));
}

TEST_CASE("who only looks at a link for so many visitors is told how to go on", "[pages]") {
    const auto reply = page_that(GateNote::shut);
    CHECK(reply.status == 200);
    CHECK(has(reply, "href=\"https://go.example.com/a&quot;b\">Continue</a>"));
    CHECK_FALSE(has(reply, "secret.example"));
}

TEST_CASE("a form's password is read as browsers write it", "[pages]") {
    CHECK(password_of_form("password=a+b%2Bc") == "a b+c");
    CHECK(password_of_form("x=1&password=%e4%b8%ad&password=2") == "\xe4\xb8\xad");
    CHECK(password_of_form("password=a=b") == "a=b");
    CHECK(password_of_form("password") == "");
    CHECK(password_of_form("Password=x") == "");
    CHECK(password_of_form("") == "");
}

} // namespace slashpost::http

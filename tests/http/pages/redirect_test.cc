#include "http/pages/redirect.h"

#include "core/data/journal.h"
#include "http/server/session.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using redirect::Outcome;

struct OneAnswer final : redirect::Redirector, data::JournalLane {
    void answer(const redirect::Visit& visit, data::JournalLane&, redirect::Answer& answer) override {
        answer.outcome = given.outcome;
        answer.redirect_type = given.redirect_type;
        answer.location = given.location;
        answer.brand = given.brand;
        answer.page = given.page ? std::make_unique<redirect::Page>(*given.page) : nullptr;
        if (given.outcome == Outcome::ordered)
            answer.order = std::make_unique<redirect::PageOrder>(redirect::PageOrder{.kind = ordered});
        counted = visit.counts;
        ++visits;
    }
    bool keeps_method(std::string_view host, std::string_view /*path*/) override { return host == keeps; }
    bool is_guarded(std::string_view host, std::string_view /*path*/) override { return host == guards; }
    void make(const redirect::PageOrder&, redirect::Answer& answer) override {
        answer.outcome = made.outcome;
        answer.redirect_type = made.redirect_type;
        answer.location = made.location;
        answer.brand = made.brand;
        answer.page = made.page ? std::make_unique<redirect::Page>(*made.page) : nullptr;
    }
    bool append(data::BytesView) noexcept override { return true; }
    redirect::Answer given;
    redirect::Answer made; // of what was ordered
    redirect::Page::Kind ordered = redirect::Page::Kind::preview;
    std::string_view keeps;  // host on which methods are kept
    std::string_view guards; // host on which links are guarded
    bool counted = false;
    int visits = 0;
};

// The whole answer to GET /x when the redirects say so.
std::string answer(Outcome outcome, std::string location = {}, unsigned redirect_type = 302,
                   Method method = Method::get) {
    OneAnswer one;
    one.given = {.outcome = outcome, .redirect_type = redirect_type, .location = std::move(location)};
    Redirects redirects(one, one);
    RequestHead head;
    head.method = method;
    head.path = "/x";
    std::string out;
    redirects.serve(head, "Date: now\r\n", Persistence::keep, out);
    return out;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

} // namespace

TEST_CASE("a redirect is a few fixed lines", "[redirect]") {
    CHECK(answer(Outcome::forward, "https://example.com/a?b=c") ==
          "HTTP/1.1 302 Found\r\nDate: now\r\nLocation: https://example.com/a?b=c\r\n"
          "Cache-Control: private, no-store\r\nContent-Length: 0\r\n\r\n");
    CHECK(answer(Outcome::forward, "https://e.com", 301) ==
          "HTTP/1.1 301 Moved Permanently\r\nDate: now\r\nLocation: https://e.com\r\n"
          "Cache-Control: private, max-age=90\r\nContent-Length: 0\r\n\r\n");
    CHECK(has(answer(Outcome::forward, "https://e.com", 307), "307 Temporary Redirect\r\n"));
    CHECK(has(answer(Outcome::forward, "https://e.com", 307), "Cache-Control: private, no-store\r\n"));
    CHECK(has(answer(Outcome::forward, "https://e.com", 308), "308 Permanent Redirect\r\n"));
    CHECK(has(answer(Outcome::forward, "https://e.com", 308), "Cache-Control: private, max-age=90\r\n"));
}

TEST_CASE("who sends something is redirected where the status keeps method and body", "[redirect]") {
    OneAnswer one;
    one.keeps = "keeps.example";
    const auto ask = [&](Method method, std::string_view host) {
        Redirects redirects(one, one);
        RequestHead head;
        head.method = method;
        head.host = host;
        head.path = "/x";
        std::string out;
        const auto status = redirects.serve(head, "Date: now\r\n", Persistence::keep, out);
        return std::to_string(status) +
               (has(out, "Location: https://e.com/\r\n") ? " to https://e.com/" : "");
    };
    for (const auto method : {Method::post, Method::put, Method::patch, Method::del}) {
        INFO(static_cast<int>(method));
        one.given = {.outcome = Outcome::forward, .redirect_type = 308, .location = "https://e.com/"};
        CHECK(ask(method, "keeps.example") == "308 to https://e.com/");
        CHECK_FALSE(one.counted);
        CHECK(ask(method, "other.example") == "405");
        CHECK(one.visits == 1); // who is refused leaves no trace
        // What people would see on their way is passed over.
        one.given = {.outcome = Outcome::ordered, .redirect_type = 307, .location = "https://e.com/"};
        one.ordered = redirect::Page::Kind::interstitial;
        CHECK(ask(method, "keeps.example") == "307 to https://e.com/");
        // What is no link is read only.
        for (const auto kind : {redirect::Page::Kind::preview, redirect::Page::Kind::qr_code}) {
            one.ordered = kind;
            CHECK(ask(method, "keeps.example") == "405");
        }
        one.given = {.outcome = Outcome::home, .location = "https://e.com/"};
        CHECK(ask(method, "keeps.example") == "405");
        one.given = {.outcome = Outcome::missing, .location = "https://e.com/"};
        CHECK(ask(method, "keeps.example") == "404");
        one.given = {.outcome = Outcome::unavailable};
        CHECK(ask(method, "keeps.example") == "503");
        one.visits = 0;
    }
    one.given = {.outcome = Outcome::forward, .redirect_type = 308, .location = "https://e.com/"};
    for (const auto method : {Method::options, Method::other})
        CHECK(ask(method, "keeps.example") == "405");
    CHECK(ask(Method::get, "keeps.example") == "308 to https://e.com/");
    CHECK(one.counted);
}

TEST_CASE("a miss and a home page elsewhere are temporary and not cached", "[redirect][threat-26]") {
    for (const Outcome outcome : {Outcome::missing, Outcome::home, Outcome::expired}) {
        const std::string text = answer(outcome, "https://e.com/", 301);
        CHECK(has(text, "HTTP/1.1 302 Found\r\n"));
        CHECK(has(text, "Location: https://e.com/\r\n"));
        CHECK(has(text, "Cache-Control: private, no-store\r\n"));
    }
}

TEST_CASE("pages are inert and say what they are", "[redirect][threat-11]") {
    for (const auto& [outcome, status] : {std::pair{Outcome::home, "200 OK"},
                                          {Outcome::missing, "404 Not Found"},
                                          {Outcome::expired, "404 Not Found"},
                                          {Outcome::unknown_host, "404 Not Found"}}) {
        const std::string text = answer(outcome);
        CHECK(has(text, std::string("HTTP/1.1 ") + status + "\r\n"));
        CHECK(has(text, "Content-Type: text/html; charset=utf-8\r\n"));
        CHECK(has(text, "Content-Security-Policy: default-src 'none';"));
        CHECK(has(text, "X-Content-Type-Options: nosniff\r\n"));
        CHECK(has(text, "Referrer-Policy: no-referrer\r\n"));
        CHECK_FALSE(has(text, "Location"));
    }
    CHECK(has(answer(Outcome::missing), "Cache-Control: private, no-store\r\n"));
    CHECK(has(answer(Outcome::expired), "Cache-Control: private, no-store\r\n"));
    CHECK(has(answer(Outcome::home), "Cache-Control: private, max-age=60\r\n"));
}

TEST_CASE("a plain page presents the domain that was visited", "[redirect]") {
    OneAnswer one;
    Redirects redirects(one, one);
    const auto brand = std::make_shared<const redirect::PageBrand>(
        redirect::PageBrand{.domain = "go.example.com", .name = "Acme"});
    const auto visit = [&](Outcome outcome, bool is_ordered) {
        one.given.outcome = is_ordered ? Outcome::ordered : outcome;
        one.given.brand = one.made.brand = brand;
        one.made.outcome = outcome;
        RequestHead head;
        head.method = Method::get;
        head.path = "/";
        std::string out;
        if (redirects.serve(head, "Date: now\r\n", Persistence::keep, out) == 0)
            append_reply(out, make_page(one, *redirects.take_order()), Method::get, "Date: now\r\n",
                         Persistence::keep);
        return out;
    };
    for (const auto outcome : {Outcome::home, Outcome::missing, Outcome::expired})
        CHECK(has(visit(outcome, false), "<bdi>Acme</bdi>"));
    CHECK(visit(Outcome::missing, true) == visit(Outcome::missing, false));
}

TEST_CASE("who opens a host of the API, or this machine, is told where the API is described", "[redirect]") {
    const auto names_it = [](std::vector<std::string> api_hosts, std::string_view host, Outcome outcome,
                             std::string_view path = "/", std::string location = {}) {
        const ApiScope scope{.paths = ApiScope::Paths::v1, .hosts = std::move(api_hosts)};
        OneAnswer one;
        one.given = {.outcome = outcome, .location = std::move(location)};
        Redirects redirects(one, one, &scope);
        RequestHead head;
        head.method = Method::get;
        head.host = host;
        head.path = path;
        std::string out;
        const auto status = redirects.serve(head, "Date: now\r\n", Persistence::keep, out);
        const bool named = has(out, "href=\"/v1/docs\"");
        CHECK((!named || status == 200));
        return named;
    };
    for (const auto* host : {"localhost", "localhost:8080", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080",
                             "links.localhost"}) {
        CAPTURE(host);
        CHECK(names_it({}, host, Outcome::home));
        CHECK(names_it({}, host, Outcome::unknown_host));
        CHECK_FALSE(names_it({"api.example.com"}, host, Outcome::home));
    }
    CHECK(names_it({"api.example.com"}, "API.example.com", Outcome::unknown_host));
    CHECK(names_it({"api.example.com"}, "api.example.com", Outcome::home));
    // Visitors of a short domain, and whoever asks for a link.
    CHECK_FALSE(names_it({}, "go.example.com", Outcome::home));
    CHECK_FALSE(names_it({}, "localhost.example.com", Outcome::home));
    CHECK_FALSE(names_it({}, "127.example.com", Outcome::home));
    CHECK_FALSE(names_it({}, "", Outcome::unknown_host));
    CHECK_FALSE(names_it({"api.example.com"}, "go.example.com", Outcome::home));
    CHECK_FALSE(names_it({}, "localhost", Outcome::missing, "/x"));
    CHECK_FALSE(names_it({}, "localhost", Outcome::unknown_host, "/x"));
    CHECK_FALSE(names_it({}, "localhost", Outcome::home, "/", "https://example.com/"));
}

TEST_CASE("paths that are never slashtags have answers of their own", "[redirect]") {
    CHECK(has(answer(Outcome::robots), "\r\n\r\nUser-agent: *\n"));
    CHECK(has(answer(Outcome::favicon), "HTTP/1.1 204 No Content\r\n"));
    CHECK_FALSE(has(answer(Outcome::favicon), "Content-Length"));
    CHECK(has(answer(Outcome::well_known), "HTTP/1.1 404 Not Found\r\n"));
    const std::string down = answer(Outcome::unavailable);
    CHECK(has(down, "HTTP/1.1 503 Service Unavailable\r\n"));
    CHECK(has(down, "Retry-After: 1\r\n"));
    CHECK(has(down, "no-store"));
}

TEST_CASE("a location that could end its line is never sent", "[redirect][threat-2]") {
    for (const std::string location :
         {"https://e.com/\r\nSet-Cookie: a=b", "https://e.com/\n", "https://e.com/ x",
          "https://e.com/\xc3\xbc", "https://e.com/\x7f", "https://e.com/\t"}) {
        const std::string text = answer(Outcome::forward, location);
        CHECK(has(text, "HTTP/1.1 503 "));
        CHECK_FALSE(has(text, "Location"));
        CHECK_FALSE(has(text, "Set-Cookie"));
    }
}

TEST_CASE("HEAD gets lengths, not bodies", "[redirect]") {
    const std::string text = answer(Outcome::missing, {}, 302, Method::head);
    CHECK(text.ends_with("\r\n\r\n"));
    CHECK_FALSE(has(text, "Content-Length: 0\r\n"));
}

TEST_CASE("HEAD gets a page's headers without the page, and counts no click", "[redirect]") {
    for (const auto kind : {redirect::Page::Kind::preview, redirect::Page::Kind::interstitial,
                            redirect::Page::Kind::qr_code, redirect::Page::Kind::document}) {
        OneAnswer one;
        one.given = {.outcome = Outcome::page, .location = "https://a.example/"};
        one.given.page = std::make_unique<redirect::Page>();
        one.given.page->kind = kind;
        one.given.page->short_url = "http://go.example.com/x";
        one.given.page->document = std::make_shared<const std::string>("[]");
        Redirects redirects(one, one);
        RequestHead head;
        head.method = Method::get;
        head.path = "/x";
        std::string whole, headers;
        CHECK(redirects.serve(head, "Date: now\r\n", Persistence::keep, whole) == 200);
        CHECK(one.counted);
        head.method = Method::head;
        CHECK(redirects.serve(head, "Date: now\r\n", Persistence::keep, headers) == 200);
        CHECK_FALSE(one.counted);
        CHECK(headers.ends_with("\r\n\r\n"));
        CHECK(whole.starts_with(headers));
        CHECK(has(headers, "\r\nContent-Length: " + std::to_string(whole.size() - headers.size()) + "\r\n"));
        CHECK_FALSE(has(headers, "Location"));
    }
}

TEST_CASE("what is ordered is not answered yet, and is not lost", "[redirect]") {
    OneAnswer one;
    one.given = {.outcome = Outcome::ordered};
    Redirects redirects(one, one);
    RequestHead head;
    head.method = Method::get;
    head.path = "/x";
    std::string out = "before";
    CHECK(redirects.serve(head, "Date: now\r\n", Persistence::keep, out) == 0);
    CHECK(out == "before");
    CHECK(redirects.take_order() != nullptr);
    CHECK(redirects.take_order() == nullptr);
}

TEST_CASE("whoever ordered a page that is none after all gets what a redirect would have been",
          "[redirect]") {
    OneAnswer one;
    const auto made = [&](Outcome outcome, std::string location, unsigned redirect_type = 302) {
        one.made = {.outcome = outcome, .redirect_type = redirect_type, .location = std::move(location)};
        std::string out;
        append_reply(out, make_page(one, {}), Method::get, "Date: now\r\n", Persistence::keep);
        return out;
    };
    CHECK(made(Outcome::forward, "https://e.com/", 301) ==
          "HTTP/1.1 301 Moved Permanently\r\nDate: now\r\nCache-Control: private, max-age=90\r\n"
          "Location: https://e.com/\r\nContent-Length: 0\r\n\r\n");
    CHECK(made(Outcome::missing, "https://e.com/", 301) ==
          "HTTP/1.1 302 Found\r\nDate: now\r\nCache-Control: private, no-store\r\n"
          "Location: https://e.com/\r\nContent-Length: 0\r\n\r\n");
    CHECK(made(Outcome::missing, "") == answer(Outcome::missing));
    CHECK(made(Outcome::unavailable, "") == answer(Outcome::unavailable));
    CHECK(has(made(Outcome::forward, "https://e.com/\r\nSet-Cookie: a=b"), "HTTP/1.1 503 "));
    CHECK_FALSE(has(made(Outcome::forward, "https://e.com/\r\nSet-Cookie: a=b"), "Set-Cookie"));
}

TEST_CASE("a broken wish for a code is 400, and other answers look at no query", "[redirect]") {
    OneAnswer one;
    one.made = {.outcome = Outcome::page};
    one.made.page = std::make_unique<redirect::Page>();
    one.made.page->kind = redirect::Page::Kind::qr_code;
    one.made.page->short_url = "http://go.example.com/x";
    redirect::PageOrder order;
    order.query = "size=1";
    CHECK(make_page(one, order).status == 400);
    Redirects redirects(one, one);
    RequestHead head;
    head.method = Method::get;
    head.path = "/x";
    head.query = "size=1";
    std::string out;
    one.given.outcome = Outcome::forward;
    one.given.location = "https://a.example/";
    CHECK(redirects.serve(head, "Date: now\r\n", Persistence::keep, out) == 302);
}

} // namespace slashpost::http

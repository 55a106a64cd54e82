// Who is sent to HTTPS, and which files a certificate authority gets.
#include "http/server/https_rules.h"

#include "tests/http/server/tls_client.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using Redirect = HttpsRules::Redirect;

struct Answered {
    std::optional<unsigned> status;
    std::string location, text, body;
};

Answered ask(const HttpsRules& rules, const std::string& line, const std::string& host, bool secure = false) {
    const std::string request = line + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    RequestHead head;
    REQUIRE(parse_head(request, Limits{}, head) == HeadStatus::complete);
    Answered answered;
    answered.status = rules.answer(head, secure, "Date: now\r\n", Persistence::keep, answered.text);
    const std::size_t at = answered.text.find("Location: ");
    if (at != std::string::npos)
        answered.location = answered.text.substr(at + 10, answered.text.find("\r\n", at) - at - 10);
    if (answered.status)
        answered.body = answered.text.substr(answered.text.find("\r\n\r\n") + 4);
    return answered;
}

// Certificates for go.example.com and this machine's names.
struct Hosts {
    Hosts() {
        write_pair(folder.path() / "go",
                   make_pem({"x", "go.example.com", "localhost", "*.localhost", "*.example.org"}));
        REQUIRE(certificates.start().has_value());
    }
    HttpsRules rules(Redirect redirect, std::uint16_t port = 443) const {
        return {.redirect = redirect, .certificates = &certificates, .https_port = port, .acme_webroot = {}};
    }
    TemporaryFolder folder;
    Certificates certificates{{.folder = folder.path(), .default_host = {}, .report = {}}};
};

const std::string challenges = "/.well-known/acme-challenge/";

std::string get_challenge(const std::string& token) {
    return std::string("GET ").append(challenges).append(token);
}

} // namespace

TEST_CASE("a visitor of a host with a certificate is sent to the same address over HTTPS", "[https]") {
    const Hosts hosts;
    const HttpsRules rules = hosts.rules(Redirect::on);
    CHECK(rules.any());
    const auto get = ask(rules, "GET /a?b=c%20d", "Go.Example.com");
    CHECK(get.status == 301U);
    CHECK(get.location == "https://go.example.com/a?b=c%20d");
    CHECK(get.text.find("Cache-Control: private, max-age=90\r\n") != std::string::npos);
    CHECK(ask(rules, "HEAD /", "a.example.org:80").location == "https://a.example.org/");
    CHECK(ask(rules, "GET /a", "go.example.com:8080").location == "https://go.example.com/a");
    CHECK(ask(hosts.rules(Redirect::on, 8443), "GET /a", "go.example.com").location ==
          "https://go.example.com:8443/a");
    CHECK(ask(rules, "GET //evil.example", "go.example.com").location ==
          "https://go.example.com//evil.example");
}

TEST_CASE("nobody is sent to an address that is too long for a header", "[https]") {
    const Hosts hosts;
    const HttpsRules rules = hosts.rules(Redirect::on);
    const auto ask_for = [&](std::size_t path, std::size_t query) {
        return ask(rules, "GET /" + std::string(path, 'x') + "?" + std::string(query, 'y'), "go.example.com");
    };
    // 23 bytes stand in front of these, and one between them.
    CHECK(ask_for(4'096 - 23, 8'192 - 4'097).location.size() == 8'192);
    CHECK(ask_for(4'096 - 23, 8'192 - 4'096).status == 414U);
    CHECK(ask_for(4'096 - 22, 1).status == 414U);
    CHECK(ask_for(1, 8'192 - 25).location.size() == 8'192);
}

TEST_CASE("a request that changes something keeps its method and body", "[https]") {
    const Hosts hosts;
    for (const std::string method : {"POST", "PUT", "DELETE", "OPTIONS"})
        CHECK(ask(hosts.rules(Redirect::on), method + " /v1/links", "go.example.com").status == 308U);
}

TEST_CASE("nobody is sent to a warning, in a circle, or anywhere against the setting", "[https]") {
    const Hosts hosts;
    const HttpsRules on = hosts.rules(Redirect::on);
    CHECK_FALSE(ask(on, "GET /a", "uncovered.example").status);
    CHECK_FALSE(ask(on, "GET /a", "example.org").status);
    CHECK_FALSE(ask(on, "GET /a", "127.0.0.1:8080").status);
    CHECK_FALSE(ask(on, "GET /a", "a..b").status);
    CHECK_FALSE(ask(on, "GET /a", "go.example.com", true).status);
    CHECK_FALSE(ask(hosts.rules(Redirect::off), "GET /a", "go.example.com").status);
    CHECK_FALSE(hosts.rules(Redirect::off).any());
    CHECK_FALSE(ask(on, "GET " + challenges + "token", "go.example.com").status);
}

TEST_CASE("this machine's own names are sent only when that is set", "[https]") {
    const Hosts hosts;
    for (const std::string host : {"localhost", "localhost:8080", "app.localhost"}) {
        INFO(host);
        CHECK_FALSE(ask(hosts.rules(Redirect::on), "GET /a", host).status);
        CHECK(ask(hosts.rules(Redirect::on_loopback_too), "GET /a", host).status == 301U);
    }
}

TEST_CASE("a challenge is answered with its file, over both ports and for every host", "[https]") {
    const TemporaryFolder webroot;
    const Hosts hosts;
    HttpsRules rules = hosts.rules(Redirect::on_loopback_too);
    rules.acme_webroot = webroot.path();
    CHECK(HttpsRules{.acme_webroot = webroot.path()}.any());
    const std::string token = "LoqXcYV8q5ONbJQxbmR7SCTNo3tiAXDfowyjxAjEuX0";
    const auto folder = webroot.path() / ".well-known/acme-challenge";
    write_file(folder / token, token + ".9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI");
    for (const bool secure : {false, true}) {
        const auto found = ask(rules, get_challenge(token), "go.example.com", secure);
        CHECK(found.status == 200U);
        CHECK(found.body == token + ".9jg46WB3rR_AHD-EBXdN7cBkH1WOu0tA3M9fm21mqTI");
        CHECK(found.text.find("Content-Type: text/plain; charset=utf-8\r\n") != std::string::npos);
    }
    CHECK(ask(rules, "GET " + challenges + token, "new.example").status == 200U);
    const auto head = ask(rules, "HEAD " + challenges + token, "new.example");
    CHECK(head.status == 200U);
    CHECK(head.body.empty());
    CHECK(ask(rules, "POST " + challenges + token, "new.example").status == 405U);
    CHECK(ask(rules, "GET " + challenges + "missing", "new.example").status == 404U);
}

TEST_CASE("no other file can be had by way of a challenge", "[https]") {
    const TemporaryFolder webroot;
    const auto folder = webroot.path() / ".well-known/acme-challenge";
    const HttpsRules rules{.acme_webroot = webroot.path()};
    write_file(webroot.path() / "secret", "secret");
    write_file(folder / "deeper/secret", "secret");
    write_file(folder / "with.dot", "secret");
    std::filesystem::create_symlink(webroot.path() / "secret", folder / "link");
    for (const std::string token : {"../../secret", "%2e%2e/%2e%2e/secret", "..%2f..%2fsecret", "deeper",
                                    "deeper/secret", "with.dot", "with%2Edot", "link", "", "./link", ".."}) {
        INFO(token);
        const auto answered = ask(rules, get_challenge(token), "go.example.com");
        CHECK(answered.status == 404U);
        CHECK(answered.text.find("secret") == std::string::npos);
    }
    // Bounds: 128 characters, 4096 bytes.
    write_file(folder / std::string(128, 'a'), std::string(4096, 'x'));
    write_file(folder / std::string(129, 'a'), "x");
    write_file(folder / "large", std::string(4097, 'x'));
    CHECK(ask(rules, "GET " + challenges + std::string(128, 'a'), "h").body == std::string(4096, 'x'));
    CHECK(ask(rules, "GET " + challenges + std::string(129, 'a'), "h").status == 404U);
    CHECK(ask(rules, "GET " + challenges + "large", "h").status == 404U);
}

} // namespace slashpost::http

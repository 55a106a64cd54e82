// Forms that visitors post to guarded links: the only bodies of theirs that are read.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace slashpost::http {

namespace {

std::string form(std::string_view body, std::string_view path = "/form/a") {
    return fmt::format("POST {} HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                       "Content-Length: {}\r\n\r\n{}",
                       path, body.size(), body);
}

// What the page says that answers it, and 0 or another status than 200.
std::string said(const std::optional<Response>& response) {
    if (!response || response->status != 200)
        return fmt::format("{}", response ? response->status : 0);
    const auto& body = response->body;
    const auto begin = body.find("<title>") + 7;
    return body.substr(begin, body.find("</title>") - begin);
}

} // namespace

TEST_CASE("a guarded link gets the password of its form, and the connection goes on", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    CHECK(said(client.ask(form("password=open+sesame%21"))) == "&lt;open sesame!&gt;");
    CHECK(said(client.ask(form("a=b&password=%C3%A4%26=&password=second"))) == "&lt;\xc3\xa4&amp;=&gt;");
    CHECK(said(client.ask(form("passwords=x"))) == "&lt;&gt;");
    CHECK(said(client.ask("POST /form/a HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")) ==
          "nothing sent");
    CHECK(said(client.ask("GET /form/a HTTP/1.1\r\nHost: h\r\n\r\n")) == "nothing sent");
    CHECK(said(client.ask("POST /form/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                          "9\r\npassword=\r\n3\r\nabc\r\n0\r\n\r\n")) == "&lt;abc&gt;");
    CHECK(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n")->status == 302);
}

TEST_CASE("a form may come in pieces, and what is asked for behind it keeps its place", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto whole = form("password=secret") + "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";
    for (const char c : whole)
        client.send(std::string(1, c));
    CHECK(said(client.receive()) == "&lt;secret&gt;");
    CHECK(client.receive()->status == 302);
}

TEST_CASE("a form is told to go on when it asks", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send("POST /form/a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\nExpect: 100-continue\r\n\r\n");
    const auto go_on = client.receive();
    REQUIRE(go_on);
    CHECK(go_on->status == 100);
    client.send("password=x");
    CHECK(said(client.receive()) == "&lt;x&gt;");
}

TEST_CASE("a form has a bound, and no other visitor's body is read", "[server]") {
    Fixture fixture;
    {
        Client client = fixture.client();
        const auto response = client.ask(form("password=" + std::string(2048, 'a')));
        REQUIRE(response);
        CHECK(response->status == 413);
        CHECK(client.is_closed());
    }
    {
        Client client = fixture.client();
        std::string endless = "POST /form/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n";
        for (int i = 0; i < 300; ++i)
            endless += "8\r\naaaaaaaa\r\n";
        CHECK(client.ask(endless)->status == 413);
    }
    {
        Client client = fixture.client();
        const auto response =
            client.ask("PUT /form/a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\npassword=x");
        REQUIRE(response);
        CHECK(response->status == 405);
        CHECK(response->header("Connection") == "close");
    }
}

} // namespace slashpost::http

// Pages and codes for visitors, which take long, beside those who wait for something else.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string api = "GET /v1/a HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string slow_page = "GET /page/wait HTTP/1.1\r\nHost: h\r\n\r\n";

ServerOptions one_page_at_a_time(std::size_t waiting_max) {
    ServerOptions options = Fixture::quick_options();
    options.limits.visitor_workers = 1;
    options.limits.visitor_queue_max = waiting_max;
    return options;
}

} // namespace

TEST_CASE("while pages are made, redirects and API calls go on", "[server]") {
    Fixture fixture; // one I/O thread
    std::vector<Client> visitors;
    for (int i = 0; i < 8; ++i) {
        visitors.push_back(fixture.client());
        visitors.back().send(slow_page + slow_page + slow_page);
    }
    fixture.redirector.gate.until_waiting(2); // all workers that make pages
    Client other = fixture.client();
    for (int i = 0; i < 20; ++i) {
        CHECK(other.ask(go)->status == 302);
        CHECK(other.ask(api)->status == 200);
    }
    CHECK(fixture.server.metrics().visitor_workers_busy == 2);
    CHECK(fixture.server.metrics().visitors_waiting == 6); // one of each connection, however many it asks for
    fixture.redirector.gate.open();
    for (Client& visitor : visitors)
        for (int i = 0; i < 3; ++i)
            CHECK(visitor.receive()->status == 200);
}

TEST_CASE("a page among other requests keeps its place", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send(go + "GET /page/1 HTTP/1.1\r\nHost: h\r\n\r\n" + go +
                "HEAD /page/2 HTTP/1.1\r\nHost: h\r\n\r\n" + api + go);
    CHECK(client.receive()->status == 302);
    const auto page = client.receive();
    REQUIRE(page);
    CHECK(page->status == 200);
    CHECK(page->header("Content-Type") == "text/html; charset=utf-8");
    CHECK(page->body.find("/page/1") != std::string::npos);
    CHECK(client.receive()->status == 302);
    const auto head = client.receive("HEAD");
    REQUIRE(head);
    CHECK(head->body.empty());
    CHECK(std::stoi(head->header("Content-Length")) > 0);
    CHECK(client.receive()->body == "GET /v1/a []");
    CHECK(client.receive()->status == 302);
    const ServerMetrics metrics = fixture.server.metrics();
    CHECK(metrics.redirects[2] == 2);
    CHECK(metrics.redirects[3] == 3);
    CHECK(metrics.api[2] == 1);
}

TEST_CASE("a page is the last answer where the request says so, has a body or speaks HTTP/1.0", "[server]") {
    Fixture fixture;
    for (const std::string request :
         {"GET /page HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
          "GET /page HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\n", "GET /page HTTP/1.0\r\n\r\n"}) {
        Client client = fixture.client();
        const auto page = client.ask(request + go);
        REQUIRE(page);
        CHECK(page->status == 200);
        CHECK(page->header("Connection") == "close");
        CHECK(client.is_closed());
    }
}

TEST_CASE("when too many pages are asked for, the answer says so and the connection stays", "[server]") {
    Fixture fixture(one_page_at_a_time(1));
    Client making = fixture.client();
    making.send(slow_page);
    fixture.redirector.gate.until_waiting(1);
    Client waiting = fixture.client();
    waiting.send(slow_page);
    while (fixture.server.metrics().visitors_waiting == 0)
        std::this_thread::yield();
    Client client = fixture.client();
    const auto refused = client.ask(slow_page);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(refused->header("Retry-After") == "1");
    CHECK(refused->header("Content-Type") == "text/plain; charset=utf-8");
    CHECK(client.ask(go)->status == 302);
    fixture.redirector.gate.open();
    CHECK(making.receive()->status == 200);
    CHECK(waiting.receive()->status == 200);
    CHECK(client.ask(slow_page)->status == 200);
}

TEST_CASE("a page that fails costs one answer", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto failed = client.ask("GET /page/throw HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(failed);
    CHECK(failed->status == 500);
    CHECK(failed->body == "The request could not be served.\n");
    CHECK(client.ask(go)->status == 302);
}

TEST_CASE("a visitor who leaves before the page is made does no harm, nor does stopping", "[server]") {
    Fixture fixture;
    {
        Client client = fixture.client();
        client.send(slow_page);
        fixture.redirector.gate.until_waiting(1);
    }
    Client waiting = fixture.client();
    waiting.send(slow_page);
    fixture.redirector.gate.until_waiting(2);
    fixture.redirector.gate.open();
    fixture.server.stop();
    const auto page = waiting.receive();
    REQUIRE(page);
    CHECK(page->status == 200);
    CHECK(fixture.server.metrics().connections_open == 0);
}

} // namespace slashpost::http

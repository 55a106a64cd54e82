#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string echo = "POST /v1/echo HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello";

} // namespace

TEST_CASE("a connection serves one request after the other", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    for (int i = 0; i < 3; ++i) {
        const auto redirect = client.ask(go);
        REQUIRE(redirect);
        CHECK(redirect->status == 302);
        CHECK(redirect->header("Location") == "https://example.com/a");
        CHECK(redirect->header("Connection").empty());
        const auto reply = client.ask(echo);
        REQUIRE(reply);
        CHECK(reply->status == 200);
        CHECK(reply->body == "POST /v1/echo [hello]");
        CHECK(reply->header("Content-Type") == "application/json; charset=utf-8");
    }
}

TEST_CASE("pipelined requests are answered in their order", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    std::string all;
    for (int i = 0; i < 300; ++i) {
        const std::string n = std::to_string(i);
        all += i % 3 == 0 ? "GET /v1/" + n + " HTTP/1.1\r\nHost: h\r\n\r\n"
                          : "GET /go/" + n + " HTTP/1.1\r\nHost: h\r\n\r\n";
    }
    client.send(all);
    for (int i = 0; i < 300; ++i) {
        const std::string n = std::to_string(i);
        const auto response = client.receive();
        REQUIRE(response);
        if (i % 3 == 0)
            CHECK(response->body == "GET /v1/" + n + " []");
        else
            CHECK(response->header("Location") == "https://example.com/" + n);
    }
}

TEST_CASE("a request may arrive in pieces, split anywhere", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const std::string both = "\r\n" + go + echo;
    for (std::size_t at = 1; at < both.size(); ++at) {
        INFO(at);
        client.send(both.substr(0, at));
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        client.send(both.substr(at));
        const auto first = client.receive();
        REQUIRE(first);
        CHECK(first->status == 302);
        const auto second = client.receive();
        REQUIRE(second);
        CHECK(second->body == "POST /v1/echo [hello]");
    }
    for (const char c : both) {
        client.send({&c, 1});
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    CHECK(client.receive()->status == 302);
    CHECK(client.receive()->body == "POST /v1/echo [hello]");
}

TEST_CASE("HTTP/1.0 ends the connection unless it asks to keep it", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto kept = client.ask("GET /go/a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    REQUIRE(kept);
    CHECK(kept->header("Connection") == "keep-alive");
    const auto last = client.ask("GET /go/a HTTP/1.0\r\n\r\n");
    REQUIRE(last);
    CHECK(last->status == 302);
    CHECK(last->header("Connection") == "close");
    CHECK(client.is_closed());
}

TEST_CASE("Connection: close is kept to, by redirects and by the API", "[server]") {
    Fixture fixture;
    for (const char* path : {"/go/a", "/v1/a"}) {
        Client client = fixture.client();
        const auto last =
            client.ask(std::string("GET ") + path + " HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n" + go);
        REQUIRE(last);
        CHECK(last->header("Connection") == "close");
        CHECK(client.is_closed());
    }
}

TEST_CASE("HEAD gets the head that GET would get, and no body", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto redirect = client.ask("HEAD /go/a HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(redirect);
    CHECK(redirect->status == 302);
    CHECK_FALSE(fixture.redirector.seen().counts);
    const auto page = client.ask("HEAD /x HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(page);
    CHECK(page->status == 404);
    CHECK(std::stoi(page->header("Content-Length")) > 0);
    const auto reply = client.ask("HEAD /v1/a HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(reply);
    CHECK(reply->header("Content-Length") == "13"); // HEAD /v1/a []
    const auto after = client.ask(go);
    REQUIRE(after);
    CHECK(after->status == 302);
}

TEST_CASE("a client that expects to be told to go on is told so", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const std::string head =
        "POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    const auto go_on = client.ask(head);
    REQUIRE(go_on);
    CHECK(go_on->status == 100);
    const auto reply = client.ask("{}");
    REQUIRE(reply);
    CHECK(reply->body == "POST /v1/a [{}]");
    const auto at_once = client.ask(head + "{}");
    REQUIRE(at_once);
    CHECK(at_once->status == 200);
    const auto large = client.ask(
        "POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\nExpect: 100-continue\r\n\r\n");
    REQUIRE(large);
    CHECK(large->status == 413);
    CHECK(client.is_closed());
}

TEST_CASE("chunked bodies reach the API put together", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto reply = client.ask("POST /v1/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
                                  "3\r\n{\"a\r\n4\r\n\":1}\r\n0\r\n\r\n" +
                                  go);
    REQUIRE(reply);
    CHECK(reply->body == "POST /v1/a [{\"a\":1}]");
    CHECK(client.receive()->status == 302);
}

TEST_CASE("a body as large as allowed arrives whole", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const std::string body(1024 * 1024, 'x');
    const auto reply = client.ask("POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1048576\r\n\r\n" + body);
    REQUIRE(reply);
    CHECK(reply->body == "POST /v1/a [1048576]");
}

TEST_CASE("a large reply reaches a client that reads slowly", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send("GET /v1/large HTTP/1.1\r\nHost: h\r\n\r\n" + go);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const auto reply = client.receive();
    REQUIRE(reply);
    CHECK(reply->body.size() == 8'000'000);
    CHECK(client.receive()->status == 302);
}

TEST_CASE("the API answers below /v1 only, and only on its hosts", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.api_hosts = {"Api.Example.com"};
    Fixture fixture(options);
    Client client = fixture.client();
    const auto ask = [&](const std::string& target, const std::string& host) {
        return client.ask("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")->body;
    };
    CHECK(ask("/v1/a", "api.example.com") == "GET /v1/a []");
    CHECK(ask("/v1?a", "API.example.com.:443") == "GET /v1?a []");
    CHECK(ask("/v1/a", "go.example.com").find("Not found") != std::string::npos);
    CHECK(ask("/v1", "go.example.com").find("Not found") != std::string::npos);
    CHECK(ask("/v1a", "api.example.com").find("Not found") != std::string::npos);
    CHECK(ask("/V1/a", "api.example.com").find("Not found") != std::string::npos);
    CHECK(ask("/%76%31/a", "api.example.com").find("Not found") != std::string::npos);
    CHECK(ask("/x/v1/a", "api.example.com").find("Not found") != std::string::npos);
    CHECK(ask("http://api.example.com/v1/a", "go.example.com") == "GET /v1/a []");
    CHECK(ask("http://go.example.com/v1/a", "api.example.com").find("Not found") != std::string::npos);
}

TEST_CASE("assistants reach /mcp by what they post and by showing a key, visitors the link of that name",
          "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    CHECK(client.ask("POST /mcp HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")->body == "POST /mcp []");
    for (const std::string shown : {"apikey: k", "Authorization: Bearer k"})
        CHECK(client.ask("GET /mcp HTTP/1.1\r\nHost: h\r\n" + shown + "\r\n\r\n")->body == "GET /mcp []");
    CHECK(client.ask("DELETE /mcp HTTP/1.1\r\nHost: h\r\napikey: k\r\n\r\n")->body == "DELETE /mcp []");
    for (const std::string others : {"GET /mcp HTTP/1.1\r\nHost: h\r\n\r\n",
                                     "GET /mcp HTTP/1.1\r\nHost: h\r\nAuthorization: Basic Og==\r\n\r\n",
                                     "GET /mcpx HTTP/1.1\r\nHost: h\r\napikey: k\r\n\r\n"})
        CHECK(client.ask(others)->status == 404);
}

TEST_CASE("the API learns the host in normal form and the address of the peer", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    CHECK(client.ask("GET /v1/host HTTP/1.1\r\nHost: Go.Example.COM.:80\r\nX-Forwarded-For: 9.9.9.9\r\n\r\n")
              ->body == "go.example.com 127.0.0.1");
}

TEST_CASE("a visitor is passed on as sent", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    REQUIRE(client.ask("GET /go/%41?x=1&y HTTP/1.1\r\nHost: Go.example:81\r\nUser-Agent: a b\r\n\r\n"));
    const auto seen = fixture.redirector.seen();
    CHECK(seen.host == "Go.example:81");
    CHECK(seen.path == "/go/%41");
    CHECK(seen.query == "x=1&y");
    CHECK(seen.user_agent == "a b");
    CHECK(seen.counts);
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\nSec-Purpose: prefetch\r\n\r\n"));
    CHECK_FALSE(fixture.redirector.seen().counts);
}

TEST_CASE("a visitor is told of with what the headers say and the connection's address", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\nAccept-Language: de, \xff\r\n"
                       "Referer: https://e.com/\xc3\x28\r\n"
                       "X-Forwarded-For: 198.51.100.1\r\nForwarded: for=198.51.100.1;proto=https\r\n"
                       "X-Forwarded-Proto: https\r\n\r\n"));
    const auto seen = fixture.redirector.seen();
    CHECK(seen.accept_language == "de, \xff");
    CHECK(seen.referrer == "https://e.com/\xc3\x28");
    CHECK(seen.address == "127.0.0.1"); // nobody is believed
    CHECK_FALSE(seen.secure);
    // Nothing of it is left for the next request.
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n"));
    CHECK(fixture.redirector.seen().accept_language.empty());
    CHECK(fixture.redirector.seen().referrer.empty());
}

TEST_CASE("a trusted proxy says for whom it asks, request by request", "[server]") {
    auto options = Fixture::quick_options();
    options.trusted_proxies = {"127.0.0.0/8"};
    Fixture fixture(std::move(options));
    Client client = fixture.client();
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 6.6.6.6, 198.51.100.1\r\n"
                       "X-Forwarded-Proto: https\r\n\r\n"));
    CHECK(fixture.redirector.seen().address == "198.51.100.1");
    CHECK(fixture.redirector.seen().secure);
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\nForwarded: for=\"[2001:db8::1]\"\r\n\r\n"));
    CHECK(fixture.redirector.seen().address == "2001:db8::1");
    CHECK_FALSE(fixture.redirector.seen().secure);
    CHECK(client.ask("GET /v1/host HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 198.51.100.2\r\n\r\n")->body ==
          "h 198.51.100.2");
    REQUIRE(client.ask("GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n"));
    CHECK(fixture.redirector.seen().address == "127.0.0.1");
}

TEST_CASE("visitors may only look", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW"}) {
        const auto response = client.ask(std::string(method) + " /go/a HTTP/1.1\r\nHost: h\r\n\r\n");
        REQUIRE(response);
        CHECK(response->status == 405);
        CHECK(response->header("Allow") == "GET, HEAD");
    }
    // A body is not read; the connection ends with the answer.
    const auto response = client.ask("POST /go/a HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\nabc");
    REQUIRE(response);
    CHECK(response->status == 405);
    CHECK(client.is_closed());
}

TEST_CASE("a form that is sent to a link goes on with it where the domain keeps methods", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto bare = client.ask("DELETE /go/a HTTP/1.1\r\nHost: keeps.example\r\n\r\n");
    REQUIRE(bare);
    CHECK(bare->status == 308);
    CHECK(bare->header("Location") == "https://example.com/a");
    // A body is read and thrown away, and the connection ends with it.
    const auto sent =
        client.ask("POST /go/a HTTP/1.1\r\nHost: keeps.example\r\nContent-Length: 5\r\n\r\nabcde");
    REQUIRE(sent);
    CHECK(sent->status == 308);
    CHECK(sent->header("Location") == "https://example.com/a");
    CHECK(client.is_closed());
}

TEST_CASE("a handler that throws costs one request, and says nothing about why", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto reply = client.ask("GET /v1/throw HTTP/1.1\r\nHost: h\r\n\r\n");
    REQUIRE(reply);
    CHECK(reply->status == 500);
    CHECK(reply->body == R"({"code":"InternalError","message":"The request could not be served.",)"
                         R"("httpCode":500,"source":"request","errors":[]})");
    CHECK(client.ask(go)->status == 302);
}

TEST_CASE("several threads share one port, and no other server gets it", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.io_threads = 3;
    Fixture fixture(options);
    for (int i = 0; i < 20; ++i) {
        Client client = fixture.client();
        CHECK(client.ask(go)->status == 302);
        CHECK(client.ask(echo)->status == 200);
    }
    options.port = fixture.server.port();
    for (const unsigned threads : {1U, 2U}) {
        options.io_threads = threads;
        Server second(options, [](const Request&, const Respond&) {});
        const auto started = second.start();
        REQUIRE_FALSE(started);
        CHECK(started.error().message.find("Address already in use") != std::string::npos);
    }
}

TEST_CASE("addresses to listen on are IPv4, IPv6 or localhost", "[server]") {
    for (const char* address : {"127.0.0.1", "localhost", "0.0.0.0"}) {
        ServerOptions options = Fixture::quick_options();
        options.address = address;
        Fixture fixture(options);
        CHECK(fixture.client().ask(go)->status == 302);
    }
    for (const char* address : {"example.com", "", "1.2.3", "[::1"}) {
        ServerOptions options = Fixture::quick_options();
        options.address = address;
        CHECK_FALSE(Server(options, [](const Request&, const Respond&) {}).start());
    }
}

TEST_CASE("what was served is counted by kind and class", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    for (int i = 0; i < 5; ++i)
        client.ask(go);
    client.ask("GET /x HTTP/1.1\r\nHost: h\r\n\r\n");
    client.ask(echo);
    client.ask("GET x HTTP/1.1\r\nHost: h\r\n\r\n");
    const ServerMetrics metrics = fixture.server.metrics();
    CHECK(metrics.redirects[3] == 5);
    CHECK(metrics.redirects[4] == 1);
    CHECK(metrics.api[2] == 1);
    CHECK(metrics.refused[4] == 1);
    CHECK(metrics.connections_accepted == 1);
    std::uint64_t timed = 0;
    for (const std::uint64_t count : metrics.redirect_duration.buckets)
        timed += count;
    CHECK(timed == 6);
}

} // namespace slashpost::http

// Clients that break the rules, by mistake or on purpose.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

using std::chrono::milliseconds;

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";

ServerOptions with_limits(void (*change)(Limits&)) {
    ServerOptions options = Fixture::quick_options();
    change(options.limits);
    return options;
}

} // namespace

TEST_CASE("what cannot be read is answered once and the connection closed", "[server]") {
    Fixture fixture;
    const std::string smuggled = "GET /go/smuggled HTTP/1.1\r\nHost: h\r\n\r\n";
    const struct {
        std::string request;
        unsigned status;
    } cases[] = {
        {"POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
         400},
        {"POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400},
        {"GET /v1/a HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n", 400},
        {"GET /v1/a HTTP/1.1\r\n\r\n", 400},
        {"GET /v1/a HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n", 400},
        {"GET /v1/a HTTP/1.1\nHost: h\n\n", 400},
        {"GET /v1/" + std::string(20'000, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n", 414},
        {"GET /v1/a HTTP/1.1\r\nHost: h\r\nX: " + std::string(70'000, 'a') + "\r\n\r\n", 431},
        {"GET /v1/a HTTP/1.1\r\nHost: h\r\nReferer: " + std::string(40'000, 'a') + "\r\n\r\n", 431},
        {"POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1048577\r\n\r\n" + std::string(100'000, 'x'),
         413},
        {"POST /v1/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n200000\r\nxx", 413},
        {"POST /v1/a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;\x01\r\n", 400},
        {"GET /v1/a HTTP/1.1\r\nHost: h\r\nExpect: magic\r\n\r\n", 417},
    };
    for (const auto& [request, status] : cases) {
        INFO(request.substr(0, 80));
        Client client = fixture.client();
        client.send(request + smuggled);
        const auto response = client.receive();
        REQUIRE(response);
        CHECK(response->status == status);
        CHECK(response->header("Connection") == "close");
        CHECK(response->header("Content-Type") == "application/json; charset=utf-8");
        CHECK(response->body.find("\"httpCode\":" + std::to_string(status)) != std::string::npos);
        CHECK(client.is_closed());
    }
    CHECK(fixture.redirector.seen().path.empty());
    CHECK(fixture.client().ask(go)->status == 302);
}

TEST_CASE("what nobody reads of a head is passed over, however it arrives", "[server]") {
    Fixture fixture;
    const std::string cookie = "Cookie: a=" + std::string(30'000, 'x') + "\r\n";
    for (const std::size_t step : {std::size_t{100'000}, std::size_t{9'000}, std::size_t{1'001}}) {
        INFO(step);
        Client client = fixture.client();
        for (const std::string& path : {std::string("/go/1"), std::string("/go/2")}) {
            const auto request = "GET " + path + " HTTP/1.1\r\nHost: h\r\n" + cookie +
                                 "User-Agent: curl/8\r\n" + cookie + "Accept-Language: de\r\n\r\n";
            for (std::size_t at = 0; at < request.size(); at += step)
                client.send(request.substr(at, step));
            const auto response = client.receive();
            REQUIRE(response);
            CHECK(response->status == 302);
            const auto seen = fixture.redirector.seen();
            CHECK(seen.path == path);
            CHECK(seen.user_agent == "curl/8");
            CHECK(seen.accept_language == "de");
        }
    }
    const std::string torn = "Cookie: " + std::string(20'000, 'x') + "\x01" + std::string(20'000, 'x');
    for (const std::string& bad : {torn, cookie + " folded", cookie + cookie + cookie}) {
        Client client = fixture.client();
        const auto request = "GET /go HTTP/1.1\r\nHost: h\r\n" + bad + "\r\n\r\n";
        for (std::size_t at = 0; at < request.size(); at += 5'000)
            client.send(request.substr(at, 5'000));
        const auto response = client.receive();
        REQUIRE(response);
        CHECK((response->status == 400 || response->status == 431));
    }
}

TEST_CASE("refusals of the API carry the error body and the headers every API answer has", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.api_refusal_headers = [] {
        return std::vector<Header>{{"Access-Control-Allow-Origin", "*"}, {"cache-control", "private"}};
    };
    Fixture fixture(options);
    const auto api = fixture.client().ask("GET /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n");
    REQUIRE(api);
    CHECK(api->body == R"({"code":"InvalidFormat","message":"The length of the body is not stated clearly.",)"
                       R"("httpCode":400,"source":"request","errors":[]})");
    CHECK(api->header("Access-Control-Allow-Origin") == "*");
    CHECK(api->header("Cache-Control") == "private"); // once, and the API's
    CHECK(api->head.find("cache-control") == std::string::npos);
    CHECK(api->head.find("no-store") == std::string::npos);
    const auto visitor = fixture.client().ask("GET /x HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n");
    REQUIRE(visitor);
    CHECK(visitor->header("Content-Type") == "text/plain; charset=utf-8");
    CHECK(visitor->header("Access-Control-Allow-Origin").empty());
}

TEST_CASE("headers that trickle in do not hold a connection", "[server][threat-32]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.header_deadline = milliseconds(200); }));
    Client client = fixture.client();
    const auto begin = std::chrono::steady_clock::now();
    client.send("GET /v1/a HTTP/1.1\r\nHost: h\r\n");
    for (int i = 0; i < 50 && client.is_silent(milliseconds(20)); ++i)
        client.send("X: a\r\n");
    const auto response = client.receive();
    REQUIRE(response);
    CHECK(response->status == 408);
    CHECK(response->body.find("RequestTimeout") != std::string::npos);
    CHECK(client.is_closed());
    CHECK(std::chrono::steady_clock::now() - begin < milliseconds(2'000));
}

TEST_CASE("a body that trickles in does not hold a connection", "[server][threat-32]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.body_deadline = milliseconds(200); }));
    Client client = fixture.client();
    client.send("POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n");
    for (int i = 0; i < 50 && client.is_silent(milliseconds(20)); ++i)
        client.send("x");
    const auto response = client.receive();
    REQUIRE(response);
    CHECK(response->status == 408);
    CHECK(client.is_closed());
}

TEST_CASE("connections that say nothing are closed without a word", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) {
        limits.header_deadline = milliseconds(100);
        limits.idle_deadline = milliseconds(200);
    }));
    CHECK(fixture.client().is_closed());
    Client served = fixture.client();
    REQUIRE(served.ask(go));
    CHECK(served.is_closed());
    CHECK(fixture.server.metrics().connections_expired == 2);
}

TEST_CASE("a client that does not read its answers is cut off", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.write_deadline = milliseconds(200); }));
    Client client = fixture.client();
    client.send("GET /v1/large HTTP/1.1\r\nHost: h\r\n\r\n");
    CHECK(comes_true([&] { return fixture.server.metrics().connections_expired == 1; }));
    CHECK(comes_true([&] { return fixture.server.metrics().connections_open == 0; }));
}

TEST_CASE("a request that is cut off changes nothing", "[server]") {
    Fixture fixture;
    for (const std::string part : {"GET /go/a HTTP/1.1\r\nHost: h\r\n", "GE", "\r",
                                   "POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nabc"}) {
        Client client = fixture.client();
        client.send(part);
        client.finish_writing();
        CHECK(client.is_closed());
    }
    CHECK(fixture.redirector.seen().path.empty());
    CHECK(fixture.server.metrics().api[2] == 0);
}

TEST_CASE("a client that has said its last word still gets its answers", "[server]") {
    Fixture fixture;
    for (const std::string path : {"/go/a", "/v1/a"}) {
        Client client = fixture.client();
        client.send("GET " + path + " HTTP/1.1\r\nHost: h\r\n\r\n" + go);
        client.finish_writing();
        CHECK(client.receive());
        CHECK(client.receive()->status == 302);
        CHECK(client.is_closed());
    }
}

TEST_CASE("when all workers are busy and the queue is full, the API says so and redirects go on",
          "[server]") {
    Fixture fixture(with_limits([](Limits& limits) {
        limits.workers = 1;
        limits.queue_max = 1;
    }));
    const std::string wait = "GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n";
    Client working = fixture.client();
    working.send(wait);
    fixture.gate.until_waiting(1);
    Client queued = fixture.client();
    queued.send(wait);
    while (fixture.server.metrics().queue_depth == 0)
        std::this_thread::yield();

    Client client = fixture.client();
    const auto refused = client.ask(wait);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(refused->header("Retry-After") == "1");
    CHECK(client.ask(go)->status == 302);

    fixture.gate.open();
    CHECK(working.receive()->status == 200);
    CHECK(queued.receive()->status == 200);
    CHECK(client.ask(wait)->status == 200);
}

TEST_CASE("bodies of many clients together stay within a bound", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.bodies_bytes_max = 250'000; }));
    const std::string head = "POST /v1/a HTTP/1.1\r\nHost: h\r\napikey: a\r\nContent-Length: 100001\r\n\r\n";
    const std::string body(100'000, 'x');
    Client first = fixture.client();
    Client second = fixture.client();
    first.send(head + body);
    second.send(head + body);
    std::this_thread::sleep_for(milliseconds(50));
    const auto refused = fixture.client().ask(head + body);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(first.ask("x")->status == 200);
    CHECK(second.ask("x")->status == 200);
    CHECK(fixture.client().ask(head + body + "x")->status == 200);
}

TEST_CASE("bodies of requests that show no key have a bound of their own, and leave room for callers",
          "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.keyless_bodies_bytes_max = 150'000; }));
    const std::string head = "POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 100001\r\n";
    const std::string body = "\r\n" + std::string(100'000, 'x');
    Client stranger = fixture.client();
    stranger.send(head + body);
    std::this_thread::sleep_for(milliseconds(50));
    const auto refused = fixture.client().ask(head + body);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(fixture.client().ask(head + "apikey: a\r\n" + body + "x")->status == 200);
    CHECK(stranger.ask("x")->status == 200);
    CHECK(fixture.client().ask(head + body + "x")->status == 200);
}

TEST_CASE("a client that leaves during its API call does no harm", "[server]") {
    Fixture fixture;
    {
        Client client = fixture.client();
        client.send("GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
        fixture.gate.until_waiting(1);
    }
    fixture.gate.open();
    CHECK(fixture.client().ask(go)->status == 302);
    while (fixture.server.metrics().connections_open > 0)
        std::this_thread::yield();
}

TEST_CASE("urgent data during an API call does not end it", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send("GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.gate.until_waiting(1);
    client.send_urgent();
    CHECK(fixture.client().ask(go)->status == 302); // so the thread has seen it
    fixture.gate.open();
    CHECK(client.receive()->status == 200);
    CHECK(client.ask(go)->status == 302);
}

TEST_CASE("a long pipeline without reading is bounded and then served", "[server]") {
    Fixture fixture;
    fixture.redirector.remembers = false;
    Client client = fixture.client();
    constexpr int count = 50'000;
    std::thread writer([&] {
        for (int i = 0; i < count; ++i)
            client.send(go);
    });
    std::this_thread::sleep_for(milliseconds(200));
    int answers = 0;
    while (answers < count && client.receive())
        ++answers;
    writer.join();
    CHECK(answers == count);
}

} // namespace slashpost::http

#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>
#include <future>
#include <sys/resource.h>

namespace slashpost::http {

namespace {

using std::chrono::milliseconds;

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string wait = "GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n";

} // namespace

TEST_CASE("stopping answers the API call in flight, then closes", "[server]") {
    Fixture fixture;
    Client busy = fixture.client();
    busy.send(wait);
    fixture.gate.until_waiting(1);
    Client idle = fixture.client();
    REQUIRE(idle.ask(go));

    auto stopped = std::async(std::launch::async, [&] { fixture.server.stop(); });
    CHECK(idle.is_closed());
    CHECK(stopped.wait_for(milliseconds(50)) == std::future_status::timeout);
    fixture.gate.open();
    const auto reply = busy.receive();
    REQUIRE(reply);
    CHECK(reply->status == 200);
    CHECK(reply->header("Connection") == "close");
    CHECK(busy.is_closed());
    CHECK(stopped.wait_for(milliseconds(5'000)) == std::future_status::ready);
    CHECK_THROWS(fixture.client());
}

TEST_CASE("stopping waits no longer than the grace period for slow clients", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.limits.stop_grace = milliseconds(200);
    Fixture fixture(options);
    Client slow = fixture.client();
    slow.send("GET /go/a HTTP/1.1\r\nHo");
    Client deaf = fixture.client();
    deaf.send("GET /v1/large HTTP/1.1\r\nHost: h\r\n\r\n");
    std::this_thread::sleep_for(milliseconds(50));
    const auto begin = std::chrono::steady_clock::now();
    fixture.server.stop();
    const auto spent = std::chrono::steady_clock::now() - begin;
    CHECK(spent >= milliseconds(200));
    CHECK(spent < milliseconds(2'000));
    CHECK(slow.is_closed());
}

TEST_CASE("a request half received when the server stops is still answered", "[server]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send("GET /go/a HTTP/1.1\r\nHo");
    std::this_thread::sleep_for(milliseconds(50));
    auto stopped = std::async(std::launch::async, [&] { fixture.server.stop(); });
    std::this_thread::sleep_for(milliseconds(50));
    const auto response = client.ask("st: h\r\n\r\n");
    REQUIRE(response);
    CHECK(response->status == 302);
    CHECK(response->header("Connection") == "close");
    CHECK(client.is_closed());
    CHECK(stopped.wait_for(milliseconds(5'000)) == std::future_status::ready);
}

TEST_CASE("a response may come later, from another thread, and stopping waits for it", "[server]") {
    std::promise<void> asked;
    std::promise<Respond> responder;
    Server server(Fixture::quick_options(), [&](const Request&, const Respond& respond) {
        responder.set_value(respond);
        asked.set_value();
    });
    REQUIRE(server.start());
    Client client(server.port());
    client.send("GET /v1/later HTTP/1.1\r\nHost: h\r\n\r\n");
    asked.get_future().get();
    auto stopped = std::async(std::launch::async, [&] { server.stop(); });
    CHECK(stopped.wait_for(milliseconds(50)) == std::future_status::timeout);
    responder.get_future().get()({.status = 201, .headers = {}, .body = "{}"});
    const auto reply = client.receive();
    REQUIRE(reply);
    CHECK(reply->status == 201);
    CHECK(stopped.wait_for(milliseconds(5'000)) == std::future_status::ready);
}

TEST_CASE("a server that never started, or has stopped, can be stopped again", "[server]") {
    Server never(Fixture::quick_options(), [](const Request&, const Respond&) {});
    never.stop();
    Fixture fixture;
    fixture.server.stop();
    fixture.server.stop();
}

TEST_CASE("stopping under load leaves no answer half sent", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.io_threads = 2;
    Fixture fixture(options);
    std::atomic<int> answers = 0;
    std::vector<std::thread> clients;
    for (int i = 0; i < 4; ++i) {
        clients.emplace_back([&, i] {
            try {
                Client client = fixture.client();
                const std::string request = i % 2 == 0 ? go : "GET /v1/a HTTP/1.1\r\nHost: h\r\n\r\n";
                while (client.ask(request))
                    ++answers;
            } catch (const std::exception&) {
            }
        });
    }
    std::this_thread::sleep_for(milliseconds(100));
    fixture.server.stop();
    for (std::thread& client : clients)
        client.join();
    const ServerMetrics metrics = fixture.server.metrics();
    CHECK(metrics.redirects[3] + metrics.api[2] == static_cast<std::uint64_t>(answers.load()));
}

TEST_CASE("a start that the system gives too few descriptors fails with a sentence",
          "[descriptors][server]") {
    rlimit usual{};
    REQUIRE(::getrlimit(RLIMIT_NOFILE, &usual) == 0);
    const Fd next(::dup(0)); // the lowest that is free
    std::vector<std::string> complaints;
    for (rlim_t more = 0; more < 20; ++more) {
        Server server({.address = "127.0.0.1", .port = 0, .io_threads = 2},
                      [](const Request&, const Respond& respond) { respond({}); });
        const rlimit few{.rlim_cur = static_cast<rlim_t>(next.get()) + 1 + more, .rlim_max = usual.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &few) == 0);
        const auto started = server.start();
        REQUIRE(::setrlimit(RLIMIT_NOFILE, &usual) == 0);
        if (started)
            break;
        complaints.push_back(started.error().message);
    }
    REQUIRE(!complaints.empty());
    CHECK(complaints.size() < 20);
    CHECK(complaints.front().starts_with("listen: cannot listen on 127.0.0.1 port 0: Too many open files"));
    CHECK(complaints.back() == "cannot wait for connections: Too many open files");
}

} // namespace slashpost::http

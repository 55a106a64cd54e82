// Clients who hold more than they use: connections, memory, the thread's time.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

namespace slashpost::http {

namespace {

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string large = "GET /v1/large HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string post_head = "POST /v1/a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n";

ServerOptions with_limits(const std::function<void(Limits&)>& change) {
    ServerOptions options = Fixture::quick_options();
    change(options.limits);
    return options;
}

// Lets those in with the key "good".
ServerOptions with_keys() {
    ServerOptions options = Fixture::quick_options();
    options.admit_body = [](const Request& request) {
        const bool good = request.header("apikey") == "good" && request.body.empty();
        return Reply{.status = good ? 100U : 401U, .headers = {}, .body = good ? "" : "no key"};
    };
    return options;
}

void until_open(const Fixture& fixture, std::size_t connections) {
    REQUIRE(comes_true([&] { return fixture.server.metrics().connections_open == connections; }));
}

void until_evicted(const Fixture& fixture, std::size_t connections) {
    REQUIRE(comes_true([&] { return fixture.server.metrics().connections_evicted >= connections; }));
}

} // namespace

TEST_CASE("when there is no room, a connection makes way for a new one, in whatever phase it is",
          "[server]") {
    const std::pair<std::string, std::string> phases[] = {
        {"between requests", go},
        {"without a word", ""},
        {"in a head", "GET /go/a HTTP/1.1\r\nHo"},
        {"in a body", post_head + "\r\nx"},
        {"blocked on writing", large},
        {"lingering", "GET x HTTP/1.1\r\nHost: h\r\n\r\n"},
    };
    for (const auto& [phase, bytes] : phases) {
        INFO(phase);
        Fixture fixture(with_limits([](Limits& limits) {
            limits.connections_max = 4;
            limits.linger_deadline = std::chrono::milliseconds(60'000);
        }));
        std::vector<Client> holding;
        for (int i = 0; i < 4; ++i) {
            holding.push_back(fixture.client());
            holding.back().send(bytes);
        }
        until_open(fixture, 4);
        if (bytes == go || bytes == large || phase == "lingering")
            while (fixture.server.metrics().redirects[3] + fixture.server.metrics().api[2] +
                       fixture.server.metrics().refused[4] <
                   4)
                std::this_thread::yield();
        for (int i = 0; i < 10; ++i)
            CHECK(fixture.client(2).ask(go)->status == 302);
        CHECK(fixture.server.metrics().connections_refused == 0);
        CHECK(fixture.server.metrics().connections_evicted >= 1);
    }
}

TEST_CASE("whoever comes with many connections pushes out their own", "[server][threat-32]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.connections_max = 12; }));
    Client visitor = fixture.client(2);
    REQUIRE(visitor.ask(go)); // and is idle from now on
    std::vector<Client> crowd;
    for (std::size_t i = 0; i < 60; ++i) {
        crowd.push_back(fixture.client());
        crowd.back().send(post_head + "\r\nx");
        until_evicted(fixture, i > 10 ? i - 10 : 0);
    }
    CHECK(visitor.ask(go)->status == 302);
    CHECK(crowd.front().is_closed());
    CHECK(fixture.client(3).ask(go)->status == 302);
    CHECK(visitor.ask(go)->status == 302);
}

TEST_CASE("an address has so many connections, and its idlest makes way for the next", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.connections_per_address = 3; }));
    Client other = fixture.client(2);
    REQUIRE(other.ask(go));
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(fixture.client());
        REQUIRE(clients.back().ask(go));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    REQUIRE(clients[0].ask(go));
    Client fourth = fixture.client();
    CHECK(fourth.ask(go)->status == 302);
    CHECK(clients[1].is_closed());
    CHECK(clients[0].ask(go)->status == 302);
    CHECK(clients[2].ask(go)->status == 302);
    CHECK(other.ask(go)->status == 302);
    until_open(fixture, 4);
}

TEST_CASE("what a connection held of its address's share is free when it has gone", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.connections_per_address = 1; }));
    for (int i = 0; i < 5; ++i) {
        {
            CHECK(fixture.client().ask(go)->status == 302);
        }
        until_open(fixture, 0);
    }
    CHECK(fixture.server.metrics().connections_evicted == 0);
}

TEST_CASE("a trusted proxy may have any number of connections", "[server]") {
    auto options = with_limits([](Limits& limits) { limits.connections_per_address = 1; });
    options.trusted_proxies = {"127.0.0.1/32"};
    Fixture fixture(options);
    std::vector<Client> clients;
    for (int i = 0; i < 20; ++i) {
        clients.push_back(fixture.client());
        REQUIRE(clients.back().ask(go));
    }
    CHECK(clients.front().ask(go)->status == 302);
    CHECK(fixture.server.metrics().connections_evicted == 0);
}

TEST_CASE("who waits for the API keeps the place", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.connections_max = 1; }));
    Client working = fixture.client();
    working.send("GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.gate.until_waiting(1);
    CHECK(fixture.client(2).is_closed());
    CHECK(fixture.server.metrics().connections_refused == 1);
    fixture.gate.open();
    CHECK(working.receive()->status == 200);
}

TEST_CASE("answers that are not taken have a bound together; who has most of them is cut off", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.waiting_bytes_max = 1'000'000; }));
    Client visitor = fixture.client(2);
    REQUIRE(visitor.ask(go));
    std::vector<Client> deaf;
    for (std::size_t i = 0; i < 6; ++i) {
        deaf.push_back(fixture.client());
        deaf.back().send(large); // 8 MB
        until_evicted(fixture, i);
    }
    CHECK(fixture.server.metrics().connections_evicted == 5);
    until_open(fixture, 2);
    CHECK(visitor.ask(go)->status == 302);
    CHECK(deaf.back().receive()->body.size() == 8'000'000); // one may have what it asked for
}

TEST_CASE("half requests have a bound together", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) { limits.waiting_bytes_max = 100'000; }));
    Client visitor = fixture.client(2);
    REQUIRE(visitor.ask(go));
    std::vector<Client> slow;
    for (int i = 0; i < 40; ++i) {
        slow.push_back(fixture.client());
        slow.back().send("GET /go/a HTTP/1.1\r\nHost: h\r\nX: " + std::string(10'000, 'x'));
    }
    until_evicted(fixture, 30); // about ten have room
    CHECK(visitor.ask(go)->status == 302);
}

TEST_CASE("pipelined requests of one connection do not keep others waiting", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) {
        limits.turn_time = std::chrono::microseconds(0);
        limits.turns_time = std::chrono::microseconds(0);
    }));
    fixture.redirector.remembers = false;
    Client crowd = fixture.client();
    std::string all = "GET /go/wait HTTP/1.1\r\nHost: h\r\n\r\n";
    for (int i = 0; i < 3'000; ++i)
        all += go;
    crowd.send(all);
    fixture.redirector.gate.until_waiting(1); // the thread is held
    Client visitor = fixture.client();
    visitor.send("GET /go/victim HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.redirector.gate.open();
    CHECK(visitor.receive()->status == 302);
    CHECK(fixture.redirector.visits_before_victim.load() < 20);
    for (int i = 0; i < 3'001; ++i)
        REQUIRE(crowd.receive()->status == 302);
}

TEST_CASE("a turn ends when it has answered so many bytes", "[server]") {
    Fixture fixture(with_limits([](Limits& limits) {
        limits.turn_time = std::chrono::hours(1);
        limits.turns_time = std::chrono::microseconds(0);
        limits.turn_bytes_max = 1'000;
    }));
    Client crowd = fixture.client();
    std::string all = "GET /go/wait HTTP/1.1\r\nHost: h\r\n\r\n";
    for (int i = 0; i < 600; ++i)
        all += go;
    crowd.send(all);
    fixture.redirector.gate.until_waiting(1);
    Client visitor = fixture.client();
    visitor.send("GET /go/victim HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.redirector.gate.open();
    CHECK(visitor.receive()->status == 302);
    CHECK(fixture.redirector.visits_before_victim.load() < 60);
    for (int i = 0; i < 601; ++i)
        REQUIRE(crowd.receive()->status == 302);
}

TEST_CASE("a body without a key is not waited for", "[server]") {
    Fixture fixture(with_keys());
    for (const std::string framing : {"Content-Length: 1000000", "Transfer-Encoding: chunked"}) {
        Client client = fixture.client();
        client.send("POST /v1/a HTTP/1.1\r\nHost: h\r\n" + framing + "\r\n\r\n5\r\nhello\r\n");
        const auto refused = client.receive();
        REQUIRE(refused);
        CHECK(refused->status == 401);
        CHECK(refused->body == "no key");
        CHECK(refused->header("Connection") == "close");
        client.send("more of it");
        client.finish_writing();
        CHECK(client.is_closed());
    }
    CHECK(fixture.server.metrics().api[4] == 2);
}

TEST_CASE("a body with a key is waited for, in pieces or all at once", "[server]") {
    Fixture fixture(with_keys());
    Client client = fixture.client();
    for (const std::string framed : {"Content-Length: 10\r\n\r\n0123456789",
                                     "Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"}) {
        const std::string request = "POST /v1/a HTTP/1.1\r\nHost: h\r\napikey: good\r\n" + framed;
        for (std::size_t at = request.find("\r\n\r\n") + 4; at < request.size(); at += 3) {
            client.send(request.substr(0, at));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            client.send(request.substr(at) + go);
            const auto reply = client.receive();
            REQUIRE(reply);
            CHECK(reply->body == "POST /v1/a [0123456789]");
            CHECK(client.receive()->status == 302);
        }
    }
}

TEST_CASE("a body that is all there is served without being asked about", "[server]") {
    Fixture fixture(with_keys()); // whose API looks at no key
    CHECK(fixture.client().ask(post_head + "\r\n0123456789")->body == "POST /v1/a [0123456789]");
}

TEST_CASE("who wants to be told to go on is told so once the key is known to be good", "[server]") {
    Fixture fixture(with_keys());
    Client client = fixture.client();
    const auto go_on = client.ask(post_head + "apikey: good\r\nExpect: 100-continue\r\n\r\n");
    REQUIRE(go_on);
    CHECK(go_on->status == 100);
    CHECK(client.ask("0123456789")->body == "POST /v1/a [0123456789]");
    const auto refused = client.ask(post_head + "apikey: bad\r\nExpect: 100-continue\r\n\r\n");
    REQUIRE(refused);
    CHECK(refused->status == 401);
    CHECK(client.is_closed());
}

TEST_CASE("the bodies of one key have a bound, and leave room for those of others", "[server]") {
    auto options = with_keys();
    options.limits.bodies_bytes_per_holder = 150'000;
    options.admit_body = [](const Request&) { return Reply{.status = 100, .headers = {}, .body = {}}; };
    Fixture fixture(options);
    const auto head = [](const std::string& key) {
        return "POST /v1/a HTTP/1.1\r\nHost: h\r\napikey: " + key + "\r\nContent-Length: 100001\r\n\r\n";
    };
    const std::string body(100'000, 'x');
    Client first = fixture.client();
    first.send(head("a") + body);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const auto refused = fixture.client().ask(head("a") + body);
    REQUIRE(refused);
    CHECK(refused->status == 503);
    Client other = fixture.client();
    other.send(head("b") + body);
    CHECK(other.ask("x")->status == 200);
    CHECK(first.ask("x")->status == 200);
    CHECK(fixture.client().ask(head("a") + body + "x")->status == 200);
}

TEST_CASE("where there is no memory for a visit, its connection ends and the server goes on", "[server]") {
    Fixture fixture;
    for (int i = 0; i < 3; ++i) {
        Client client = fixture.client();
        client.send(go + "GET /go/throw HTTP/1.1\r\nHost: h\r\n\r\n" + go);
        CHECK(client.is_closed());
        CHECK(fixture.client().ask(go)->status == 302);
    }
}

TEST_CASE("callers with a key wait for no strangers, once their key was seen to be in force", "[server]") {
    KeyAccounts known;
    auto options = Fixture::quick_options(); // two workers for callers, two for others
    options.key_accounts = &known;
    Fixture fixture(options);
    const std::string good = "GET /v1/a HTTP/1.1\r\nHost: h\r\napikey: good\r\n\r\n";
    const std::string bad = "GET /v1/a HTTP/1.1\r\nHost: h\r\napikey: bad\r\n\r\n";
    Client caller = fixture.client();
    Client guesser = fixture.client();
    CHECK(caller.ask(good)->status == 200);
    CHECK(guesser.ask(bad)->status == 200); // as documents are, whatever key is shown
    known.learn(holder_of_key("good"), 7);
    known.learn(holder_of_key("bad"), 0);
    Client strangers[4] = {fixture.client(), fixture.client(), fixture.client(), fixture.client()};
    for (Client& stranger : strangers)
        stranger.send("GET /v1/wait HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.gate.until_waiting(2);
    guesser.send(bad);
    for (int i = 0; i < 5; ++i)
        CHECK(caller.ask(good)->status == 200);
    CHECK(guesser.is_silent(std::chrono::milliseconds(20)));
    CHECK(fixture.server.metrics().visitors_waiting == 3);
    fixture.gate.open();
    CHECK(guesser.receive()->status == 200);
    for (Client& stranger : strangers)
        CHECK(stranger.receive()->status == 200);
}

} // namespace slashpost::http

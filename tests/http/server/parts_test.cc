// Answers that come in parts: each is asked for when the one before is sent.
#include "tests/http/server/fixture.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace slashpost::http {

namespace {

std::string ask_for(std::string_view path, std::string_view version = "1.1",
                    std::string_view method = "GET") {
    return std::string(method) + " /v1/" + std::string(path) + " HTTP/" + std::string(version) +
           "\r\nHost: h\r\n\r\n";
}

// All that comes until the text ends so, or the connection does.
std::string read_until(Client& client, std::string_view end) {
    std::string all;
    for (std::string more; !all.ends_with(end) && !(more = client.receive_some()).empty();)
        all += more;
    return all;
}

} // namespace

TEST_CASE("an answer in parts comes in chunks, and the connection goes on", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    for (int i = 0; i < 2; ++i) {
        const auto head = client.ask(ask_for("parts"));
        REQUIRE(head);
        CHECK(head->status == 200);
        CHECK(head->header("Transfer-Encoding") == "chunked");
        CHECK(head->header("Content-Length").empty());
        CHECK(head->header("Content-Type") == "text/csv");
        CHECK(read_until(client, "0\r\n\r\n") == "6\r\nfirst,\r\n7\r\npart 1,\r\n7\r\npart 2,\r\n0\r\n\r\n");
    }
    CHECK(client.ask(ask_for("after"))->body == "GET /v1/after []");
}

TEST_CASE("what was asked for behind an answer in parts is answered behind it", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    client.send(ask_for("parts") + ask_for("after"));
    const auto all = read_until(client, "GET /v1/after []");
    CHECK(all.find("0\r\n\r\nHTTP/1.1 200 OK\r\n") != std::string::npos);
}

TEST_CASE("for HTTP/1.0 the end of the connection is the end of the parts", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto head = client.ask("GET /v1/parts HTTP/1.0\r\nHost: h\r\nConnection: keep-alive\r\n\r\n");
    REQUIRE(head);
    CHECK(head->header("Transfer-Encoding").empty());
    CHECK(head->header("Connection") == "close");
    CHECK(read_until(client, "\n") == "first,part 1,part 2,");
    CHECK(client.is_closed());
}

TEST_CASE("HEAD gets the head of an answer in parts and nothing of it", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto head = client.ask(ask_for("parts", "1.1", "HEAD"));
    REQUIRE(head);
    CHECK(head->header("Transfer-Encoding") == "chunked");
    CHECK(fixture.parts_made == 0);
    CHECK(client.ask(ask_for("after"))->body == "GET /v1/after []");
}

TEST_CASE("an answer whose next part cannot be had ends without its last chunk", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    REQUIRE(client.ask(ask_for("parts/broken")));
    CHECK(read_until(client, "0\r\n\r\n") == "6\r\nfirst,\r\n");
    CHECK(client.is_closed());
}

TEST_CASE("nothing more is made for who does not read", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    REQUIRE(client.ask(ask_for("parts/long")));
    int before = -1;
    while (before != fixture.parts_made) { // until the buffers of both ends are full
        before = fixture.parts_made;
        std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
    CHECK(fixture.parts_made < 500);
    std::size_t bytes = 0;
    std::string last; // of all that came
    for (std::string more; !last.ends_with("\r\n0\r\n\r\n") && !(more = client.receive_some()).empty();) {
        bytes += more.size();
        last = (last + more).substr(std::max<std::size_t>(last.size() + more.size(), 7) - 7);
    }
    CHECK(bytes >= 99'900'000);
    CHECK(fixture.parts_made == 1000);
}

TEST_CASE("a client that goes away in the midst of the parts leaves nothing behind", "[server][parts]") {
    Fixture fixture;
    {
        Client client = fixture.client();
        REQUIRE(client.ask(ask_for("parts/long")));
    }
    Client other = fixture.client();
    CHECK(other.ask(ask_for("after"))->body == "GET /v1/after []");
    REQUIRE(comes_true([&] { return fixture.server.metrics().connections_open == 1; }));
}

TEST_CASE("an answer with pauses goes on by itself, and a part without bytes is not its end",
          "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    const auto head = client.ask(ask_for("parts/pauses"));
    REQUIRE(head);
    CHECK(read_until(client, "more,\r\n5\r\nmore,\r\n") == "6\r\nfirst,\r\n5\r\nmore,\r\n5\r\nmore,\r\n");
    CHECK(fixture.parts_made >= 4);
    // Between two parts nobody has it.
    CHECK(comes_true([&] { return fixture.server.metrics().workers_busy == 0; }));
}

TEST_CASE("a client that says anything in a pause, or goes away, ends its answer", "[server][parts]") {
    Fixture fixture;
    Client talkative = fixture.client();
    REQUIRE(talkative.ask(ask_for("parts/pauses")));
    talkative.send(ask_for("after"));
    CHECK(read_until(talkative, "GET /v1/after []").find("HTTP/1.1") == std::string::npos);
    {
        Client gone = fixture.client();
        REQUIRE(gone.ask(ask_for("parts/pauses")));
    }
    for (int i = 0; i < 500 && fixture.server.metrics().connections_open > 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    CHECK(fixture.server.metrics().connections_open == 0);
}

TEST_CASE("a server that stops ends an answer with pauses as a whole one", "[server][parts]") {
    Fixture fixture;
    Client client = fixture.client();
    REQUIRE(client.ask(ask_for("parts/pauses")));
    const auto begun = std::chrono::steady_clock::now();
    fixture.server.stop();
    CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(5));
    CHECK(read_until(client, "0\r\n\r\n").ends_with("\r\n0\r\n\r\n"));
    CHECK(client.is_closed());
}

TEST_CASE("a server that stops ends an answer in parts", "[server][parts]") {
    auto options = Fixture::quick_options();
    options.limits.stop_grace = std::chrono::milliseconds(200);
    Fixture fixture(std::move(options));
    Client client = fixture.client();
    REQUIRE(client.ask(ask_for("parts/long")));
    fixture.server.stop(); // and does not wait for who does not read
    CHECK(fixture.parts_made < 1000);
}

} // namespace slashpost::http

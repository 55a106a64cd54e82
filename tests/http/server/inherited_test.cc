// Sockets that the server is started with, and whether its I/O threads move.
#include "http/server/listener.h"
#include "tests/http/server/fixture.h"
#include "tests/support/must.h"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <vector>

namespace slashpost::http {

namespace {

using std::chrono::milliseconds;

const std::string go = "GET /go/a HTTP/1.1\r\nHost: h\r\n\r\n";

// A socket that listens on the loopback, as whoever starts the server opens it; port 0: the system chooses.
class Opened {
  public:
    explicit Opened(std::uint16_t port = 0) : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const int on = 1;
        ::setsockopt(fd_.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
        REQUIRE(::listen(fd_.get(), 16) == 0);
        socklen_t length = sizeof address;
        REQUIRE(::getsockname(fd_.get(), reinterpret_cast<sockaddr*>(&address), &length) == 0);
        port_ = ntohs(address.sin_port);
    }
    [[nodiscard]] int fd() const { return fd_.get(); }
    [[nodiscard]] std::uint16_t port() const { return port_; }

  private:
    Fd fd_;
    std::uint16_t port_ = 0;
};

ServerOptions options_with(std::vector<int> sockets, unsigned threads) {
    ServerOptions options = Fixture::quick_options();
    options.address = "256.0.0.1"; // which nobody can listen on
    options.inherited = std::move(sockets);
    options.io_threads = threads;
    return options;
}

} // namespace

TEST_CASE("a server that is given a socket serves there, with all its threads, and opens none", "[server]") {
    const Opened socket;
    Fixture fixture(options_with({socket.fd()}, 3));
    CHECK(fixture.server.port() == socket.port());
    for (int i = 0; i < 20; ++i) {
        Client client(socket.port());
        const auto reply = client.ask(go);
        REQUIRE(reply);
        CHECK(reply->status == 302);
    }
}

TEST_CASE("who comes while no server runs waits at the socket for the next one", "[server]") {
    const Opened socket;
    {
        Fixture first(options_with({socket.fd()}, 2));
        REQUIRE(Client(socket.port()).ask(go));
        first.server.stop();
    }
    Client between(socket.port());
    between.send(go);
    CHECK(between.is_silent(milliseconds(50)));
    const Fixture second(options_with({socket.fd()}, 2));
    const auto reply = between.receive();
    REQUIRE(reply);
    CHECK(reply->status == 302);
}

TEST_CASE("a server that stops leaves those it has not accepted to the next one", "[server]") {
    const Opened socket;
    Client waiting(socket.port());
    {
        auto sockets = test::must(share_out("listen", std::vector<int>{socket.fd()}, 1));
        boost::asio::io_context context;
        int accepted = 0;
        Listener listener(
            context, std::move(sockets.by_thread[0][0]), [](Listener&) {},
            [&](Socket, const redirect::Address&) { ++accepted; }, [] {});
        listener.finish();
        CHECK(accepted == 0);
    }
    const Fixture next(options_with({socket.fd()}, 1));
    CHECK(waiting.ask(go));
}

TEST_CASE("inherited sockets are shared out: none without a thread, and no thread without one", "[server]") {
    const Opened first;
    const Opened second(first.port());
    const Opened elsewhere;
    const auto counts = [](const std::vector<int>& sockets, unsigned threads) {
        std::vector<std::size_t> out;
        for (const auto& own : test::must(share_out("listen", sockets, threads)).by_thread)
            out.push_back(own.size());
        return out;
    };
    CHECK(counts({first.fd()}, 3) == std::vector<std::size_t>{1, 1, 1});
    CHECK(counts({first.fd(), second.fd()}, 2) == std::vector<std::size_t>{1, 1});
    CHECK(counts({first.fd(), second.fd()}, 1) == std::vector<std::size_t>{2});
    CHECK(counts({first.fd(), second.fd()}, 3) == std::vector<std::size_t>{1, 1, 1});
    CHECK(counts({first.fd(), elsewhere.fd()}, 2) == std::vector<std::size_t>{2, 2});
    CHECK(test::must(share_out("listen", std::vector<int>{first.fd()}, 2)).port == first.port());
}

TEST_CASE("threads of one server with a socket each serve all who come to either", "[server]") {
    const Opened first;
    const Opened second(first.port());
    const Fixture fixture(options_with({first.fd(), second.fd()}, 2));
    for (int i = 0; i < 20; ++i)
        REQUIRE(Client(first.port()).ask(go));
}

TEST_CASE("the I/O threads move while nobody comes, and do not while one is held up", "[server]") {
    ServerOptions options = Fixture::quick_options();
    options.io_threads = 2;
    Fixture fixture(options);
    const auto moves_soon = [&] {
        std::this_thread::sleep_for(milliseconds(100)); // ten ticks
        return fixture.server.io_threads_move();
    };
    CHECK(moves_soon());
    Client held_up = fixture.client();
    held_up.send("GET /go/wait HTTP/1.1\r\nHost: h\r\n\r\n");
    fixture.redirector.gate.until_waiting(1);
    fixture.server.io_threads_move(); // what was before
    CHECK_FALSE(moves_soon());
    fixture.redirector.gate.open();
    CHECK(held_up.receive());
    CHECK(moves_soon());
}

TEST_CASE("a server that does not run does not move", "[server]") {
    Server server({.address = "127.0.0.1", .port = 0}, [](const Request&, const Respond&) {});
    CHECK_FALSE(server.io_threads_move());
}

} // namespace slashpost::http

#include "http/server/listener.h"
#include "http/server/transport.h"

#include <arpa/inet.h>
#include <array>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <string>
#include <sys/socket.h>
#include <thread>

using namespace slashpost;
using namespace slashpost::http;

namespace {

std::string control_of(int fd) {
    std::array<char, 16> name{};
    socklen_t size = name.size() - 1;
    REQUIRE(::getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name.data(), &size) == 0);
    return name.data();
}

Fd fresh_socket() { return Fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, IPPROTO_TCP)); }

Fd connect_to(std::uint16_t port) {
    auto client = fresh_socket();
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    REQUIRE(::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    return client;
}

// One connection, with both its ends.
struct Connection {
    ListeningSockets sockets = listen_on("listen", "127.0.0.1", 0, 1).value();
    Fd client = connect_to(sockets.port);
    // The listener does not wait, but it is there.
    Fd accepted = Fd(::accept(sockets.by_thread.at(0).at(0).get(), nullptr, nullptr));
};

bool work_on(int processor) {
    cpu_set_t place;
    CPU_ZERO(&place);
    CPU_SET(processor, &place);
    return ::sched_setaffinity(0, sizeof place, &place) == 0;
}

} // namespace

TEST_CASE(
    "a connection begins with Reno and gets the system's congestion control with its first long answer") {
    const auto systems = control_of(fresh_socket().get());
    Connection connection;
    REQUIRE(connection.accepted);
    const int fd = connection.accepted.get();
    CHECK(control_of(fd) == "reno");

    PlainTransport transport(std::move(connection.accepted));
    REQUIRE(transport.write(std::string(8192, 'x')).status == Transport::Status::ok);
    CHECK(control_of(fd) == "reno");
    REQUIRE(transport.write(std::string(8193, 'x')).status == Transport::Status::ok);
    CHECK(control_of(fd) == systems);
}

TEST_CASE("a peer of this machine is here while what it sends comes from the same processor") {
    Connection connection;
    REQUIRE(connection.accepted);
    PlainTransport transport(std::move(connection.accepted));
    const auto is_here_when_sent_from = [&](int processor) {
        std::thread([&] {
            REQUIRE(work_on(processor));
            REQUIRE(::send(connection.client.get(), "x", 1, MSG_NOSIGNAL) == 1);
        }).join();
        char byte = 0;
        REQUIRE(transport.read(&byte, 1).bytes == 1);
        return transport.peer_is_here();
    };
    std::thread([&] {
        cpu_set_t all;
        REQUIRE(::sched_getaffinity(0, sizeof all, &all) == 0);
        const int here = ::sched_getcpu();
        REQUIRE(work_on(here));
        CHECK(is_here_when_sent_from(here));
        for (int other = 0; other < CPU_SETSIZE; ++other)
            if (other != here && CPU_ISSET(other, &all))
                CHECK_FALSE(is_here_when_sent_from(other));
        CHECK(is_here_when_sent_from(here));
    }).join();
}

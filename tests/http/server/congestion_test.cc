#include "http/server/listener.h"
#include "http/server/transport.h"

#include <arpa/inet.h>
#include <array>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string>
#include <sys/socket.h>

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

} // namespace

TEST_CASE(
    "a connection begins with Reno and gets the system's congestion control with its first long answer") {
    const auto systems = control_of(fresh_socket().get());
    auto sockets = listen_on("127.0.0.1", 0, 1);
    REQUIRE(sockets.has_value());
    const auto& listening = sockets->by_thread.at(0).at(0);
    const auto client = connect_to(sockets->port);

    Fd accepted(::accept(listening.get(), nullptr, nullptr)); // the listener does not wait, but it is there
    REQUIRE(accepted);
    const int fd = accepted.get();
    CHECK(control_of(fd) == "reno");

    PlainTransport transport(std::move(accepted));
    REQUIRE(transport.write(std::string(8192, 'x')).status == Transport::Status::ok);
    CHECK(control_of(fd) == "reno");
    REQUIRE(transport.write(std::string(8193, 'x')).status == Transport::Status::ok);
    CHECK(control_of(fd) == systems);
}

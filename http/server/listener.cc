#include "http/server/listener.h"

#include "core/base/errors.h"
#include "http/server/transport.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>

namespace slashpost::http {

namespace {

enum class Sharing : std::uint8_t { exclusive, between_threads };

struct Endpoint {
    sockaddr_storage address{};
    socklen_t length = 0;

    void set_port(std::uint16_t port) {
        if (address.ss_family == AF_INET6)
            reinterpret_cast<sockaddr_in6&>(address).sin6_port = htons(port);
        else
            reinterpret_cast<sockaddr_in&>(address).sin_port = htons(port);
    }
};

// What whoever starts the server can do about it.
std::string_view remedy(int error) {
    switch (error) {
    case EADDRINUSE:
        return "another program listens there; stop it, or give another port";
    case EACCES:
        return "this port needs rights that the user has not; start as root, give the service "
               "AmbientCapabilities=CAP_NET_BIND_SERVICE, or give a port from 1024 up";
    case EADDRNOTAVAIL:
        return "no interface of this machine has this address; give one that 'ip address' shows, or 0.0.0.0 "
               "or [::] for "
               "all";
    default:
        return "give another address or port";
    }
}

std::unexpected<Error> cannot_listen(std::string_view called, const std::string& address, std::uint16_t port,
                                     int error) {
    return unavailable(fmt::format("{}: cannot listen on {} port {}: {}; {}", called, address, port,
                                   std::system_category().message(error), remedy(error)));
}

Result<Endpoint> to_endpoint(std::string address) {
    if (address.starts_with('[') && address.ends_with(']'))
        address = address.substr(1, address.size() - 2);
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_PASSIVE;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (const int error = ::getaddrinfo(address.c_str(), "0", &hints, &found); error != 0)
        return unavailable(fmt::format("cannot listen on '{}': {}", address, ::gai_strerror(error)));
    const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owner(found, &::freeaddrinfo);
    Endpoint endpoint;
    std::memcpy(&endpoint.address, found->ai_addr, found->ai_addrlen);
    endpoint.length = found->ai_addrlen;
    return endpoint;
}

// A listening socket, or none with errno set.
Fd open_socket(const Endpoint& endpoint, Sharing sharing) {
    Fd fd(::socket(endpoint.address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd)
        return {};
    const int on = 1;
    // Accepted sockets inherit TCP_NODELAY: an answer is one write, nothing is gained by waiting for more.
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (sharing == Sharing::between_threads &&
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return {};
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&endpoint.address), endpoint.length) != 0 ||
        ::listen(fd.get(), SOMAXCONN) != 0)
        return {};
    return fd;
}

std::uint16_t port_of(int fd) {
    Endpoint endpoint;
    endpoint.length = sizeof endpoint.address;
    ::getsockname(fd, reinterpret_cast<sockaddr*>(&endpoint.address), &endpoint.length);
    return ntohs(endpoint.address.ss_family == AF_INET6
                     ? reinterpret_cast<sockaddr_in6&>(endpoint.address).sin6_port
                     : reinterpret_cast<sockaddr_in&>(endpoint.address).sin_port);
}

} // namespace

Result<ListeningSockets> listen_on(std::string_view called, const std::string& address, std::uint16_t port,
                                   unsigned threads) {
    const bool loopbacks = address == "localhost";
    std::vector<Endpoint> endpoints;
    endpoints.push_back(TRY(to_endpoint(loopbacks ? "127.0.0.1" : address)));
    if (loopbacks)
        endpoints.push_back(TRY(to_endpoint("::1")));

    ListeningSockets sockets{.port = port, .by_thread = {}};
    sockets.by_thread.resize(threads);
    for (Endpoint& endpoint : endpoints) {
        endpoint.set_port(sockets.port);
        // With SO_REUSEPORT two servers could share a port by mistake and each get half of the visitors. So
        // the port is first taken for good, and shared between the threads only then.
        Fd probe = open_socket(endpoint, Sharing::exclusive);
        if (!probe) {
            // A system without IPv6 is served on the other loopback.
            if (loopbacks && endpoint.address.ss_family == AF_INET6 && errno != EADDRINUSE)
                continue;
            return cannot_listen(called, address, sockets.port, errno);
        }
        sockets.port = port_of(probe.get());
        endpoint.set_port(sockets.port);
        if (threads == 1) {
            sockets.by_thread[0].push_back(std::move(probe));
            continue;
        }
        probe = Fd();
        for (std::vector<Fd>& own : sockets.by_thread) {
            own.push_back(open_socket(endpoint, Sharing::between_threads));
            if (!own.back())
                return cannot_listen(called, address, sockets.port, errno);
        }
    }
    return sockets;
}

Listener::Listener(EventLoop& loop, Fd fd, unsigned accepts_per_turn, OnAccept on_accept, OnError on_error)
    : loop_(loop),
      fd_(std::move(fd)),
      accepts_per_turn_(accepts_per_turn),
      on_accept_(std::move(on_accept)),
      on_error_(std::move(on_error)) {
    resume();
}

void Listener::on_events(std::uint32_t) { accept(accepts_per_turn_); }

void Listener::resume() {
    if (fd_ && paused_)
        paused_ = !loop_.add(fd_.get(), EPOLLIN, *this);
}

void Listener::finish() {
    if (!fd_)
        return;
    accept(SOMAXCONN);
    if (!paused_)
        loop_.remove(fd_.get());
    paused_ = true;
    fd_ = Fd();
}

void Listener::accept(unsigned count_max) {
    for (unsigned i = 0; i < count_max; ++i) {
        sockaddr_storage peer{};
        socklen_t length = sizeof peer;
        Fd fd(::accept4(fd_.get(), reinterpret_cast<sockaddr*>(&peer), &length, SOCK_CLOEXEC));
        if (fd) {
            on_accept_(std::move(fd), address_of(peer));
            continue;
        }
        if (errno == EAGAIN || errno == EWOULDBLOCK)
            return;
        if (errno == EINTR || errno == ECONNABORTED || errno == EPROTO)
            continue;
        // Out of descriptors or memory. Trying again at once would spin; the next tick resumes.
        on_error_();
        if (!paused_)
            loop_.remove(fd_.get());
        paused_ = true;
        return;
    }
}

} // namespace slashpost::http

#include "http/server/listener.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <system_error>

namespace slashpost::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Endpoint = asio::ip::tcp::endpoint;

enum class Sharing : std::uint8_t { exclusive, between_threads };

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
    std::memcpy(endpoint.data(), found->ai_addr, found->ai_addrlen);
    endpoint.resize(found->ai_addrlen);
    return endpoint;
}

// A listening socket, or none with errno set.
Fd open_socket(const Endpoint& endpoint, Sharing sharing) {
    Fd fd(::socket(endpoint.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd)
        return {};
    const int on = 1;
    // Accepted sockets inherit TCP_NODELAY: an answer is one write, nothing is gained by waiting for more.
    ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (sharing == Sharing::between_threads &&
        ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0)
        return {};
    if (::bind(fd.get(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0 ||
        ::listen(fd.get(), SOMAXCONN) != 0)
        return {};
    return fd;
}

Endpoint bound_to(int fd) {
    Endpoint endpoint;
    auto length = static_cast<socklen_t>(endpoint.capacity());
    ::getsockname(fd, endpoint.data(), &length);
    endpoint.resize(length);
    return endpoint;
}

redirect::Address address_of(const asio::ip::address& peer) noexcept {
    redirect::Address address;
    address.known = true;
    if (peer.is_v4()) {
        // One client has one name, whether it came to an IPv4 socket or to one for both.
        address.bytes[10] = address.bytes[11] = 0xff;
        std::ranges::copy(peer.to_v4().to_bytes(), address.bytes.begin() + 12);
    } else {
        std::ranges::copy(peer.to_v6().to_bytes(), address.bytes.begin());
    }
    return address;
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
        endpoint.port(sockets.port);
        // With SO_REUSEPORT two servers could share a port by mistake and each get half of the visitors. So
        // the port is first taken for good, and shared between the threads only then.
        Fd probe = open_socket(endpoint, Sharing::exclusive);
        if (!probe) {
            // A system without IPv6 is served on the other loopback.
            if (loopbacks && endpoint.protocol() == asio::ip::tcp::v6() && errno != EADDRINUSE)
                continue;
            return cannot_listen(called, address, sockets.port, errno);
        }
        sockets.port = bound_to(probe.get()).port();
        endpoint.port(sockets.port);
        if (threads == 1) {
            sockets.by_thread[0].push_back({.fd = std::move(probe)});
            continue;
        }
        probe = Fd();
        for (auto& own : sockets.by_thread) {
            own.push_back({.fd = open_socket(endpoint, Sharing::between_threads)});
            if (!own.back().fd)
                return cannot_listen(called, address, sockets.port, errno);
        }
    }
    return sockets;
}

Result<ListeningSockets> share_out(std::string_view called, std::span<const int> inherited,
                                   unsigned threads) {
    std::map<Endpoint, std::vector<int>> by_address;
    for (const int fd : inherited)
        by_address[bound_to(fd)].push_back(fd);
    ListeningSockets sockets{.port = bound_to(inherited.front()).port(), .by_thread = {}};
    sockets.by_thread.resize(threads);
    const int on = 1;
    for (const auto& [endpoint, same] : by_address)
        for (std::size_t i = 0; i < std::max<std::size_t>(same.size(), threads); ++i) {
            Fd fd(::fcntl(same[i % same.size()], F_DUPFD_CLOEXEC, 0));
            if (!fd)
                return cannot_listen(called, endpoint.address().to_string(), endpoint.port(), errno);
            ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            sockets.by_thread[i % threads].push_back({.fd = std::move(fd), .is_inherited = true});
        }
    return sockets;
}

Listener::Listener(asio::io_context& context, ListeningSocket socket, OnReady on_ready, OnAccept on_accept,
                   OnError on_error)
    : acceptor_(context),
      on_ready_(std::move(on_ready)),
      on_accept_(std::move(on_accept)),
      on_error_(std::move(on_error)),
      is_inherited_(socket.is_inherited) {
    acceptor_.assign(bound_to(socket.fd.get()).protocol(), socket.fd.get());
    socket.fd.release();
    acceptor_.non_blocking(true);
    // Otherwise Asio blocks after a client that went away, until the next one comes.
    acceptor_.set_option(asio::socket_base::enable_connection_aborted(true));
}

void Listener::resume() noexcept {
    if (!acceptor_.is_open() || !paused_)
        return;
    try {
        acceptor_.async_wait(Acceptor::wait_read, [this](const error_code& error) {
            paused_ = true;
            if (!error)
                on_ready_(*this);
        });
        paused_ = false;
    } catch (...) { // there is no memory for it: the next tick tries again
        on_error_();
    }
}

void Listener::accept(unsigned count_max) {
    if (accept_waiting(count_max))
        resume();
}

void Listener::finish() {
    if (!acceptor_.is_open())
        return;
    if (!is_inherited_)
        accept_waiting(SOMAXCONN);
    error_code ignored;
    acceptor_.close(ignored);
}

// False after an error that has to pass first: trying again at once would spin.
bool Listener::accept_waiting(unsigned count_max) {
    for (unsigned i = 0; i < count_max; ++i) {
        Socket socket(acceptor_.get_executor());
        Endpoint peer;
        error_code error;
        try {
            acceptor_.accept(socket, peer, error);
        } catch (const std::bad_alloc&) {
            error = asio::error::no_memory;
        }
        if (!error) {
            on_accept_(std::move(socket), address_of(peer.address()));
        } else if (error == asio::error::would_block) {
            return true;
        } else if (error != asio::error::interrupted && error != asio::error::connection_aborted &&
                   error.value() != EPROTO) {
            on_error_(); // out of descriptors or memory
            return false;
        }
    }
    return true;
}

} // namespace slashpost::http

#include "http/server/transport.h"

#include <arpa/inet.h>
#include <cerrno>
#include <netinet/in.h>
#include <sys/socket.h>

namespace slashpost::http {

namespace {

Transport::Result outcome(ssize_t count) {
    if (count > 0)
        return {Transport::Status::ok, static_cast<std::size_t>(count), false};
    if (count == 0)
        return {Transport::Status::end, 0, false};
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
        return {Transport::Status::would_block, 0, false};
    return {Transport::Status::failed, 0, false};
}

// The address at this end of a socket's connection, or at the other; empty when it has gone.
std::string address_by(int fd, int (*name)(int, sockaddr*, socklen_t*)) {
    sockaddr_storage address{};
    socklen_t length = sizeof address;
    if (name(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0)
        return {};
    char text[INET6_ADDRSTRLEN] = {};
    if (address.ss_family == AF_INET) {
        ::inet_ntop(AF_INET, &reinterpret_cast<sockaddr_in*>(&address)->sin_addr, text, sizeof text);
    } else if (address.ss_family == AF_INET6) {
        const in6_addr& ip = reinterpret_cast<sockaddr_in6*>(&address)->sin6_addr;
        // One client has one name, whether it came to an IPv4 socket or to one for both.
        if (IN6_IS_ADDR_V4MAPPED(&ip))
            ::inet_ntop(AF_INET, &ip.s6_addr[12], text, sizeof text);
        else
            ::inet_ntop(AF_INET6, &ip, text, sizeof text);
    }
    return text;
}

} // namespace

Transport::Result PlainTransport::read(char* data, std::size_t size) {
    Result result = outcome(::recv(fd_.get(), data, size, MSG_DONTWAIT));
    result.drained = result.bytes < size;
    return result;
}

Transport::Result PlainTransport::write(std::string_view bytes) {
    return outcome(::send(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL));
}

void PlainTransport::finish_writing() { ::shutdown(fd_.get(), SHUT_WR); }

std::string peer_address(int fd) { return address_by(fd, ::getpeername); }

} // namespace slashpost::http

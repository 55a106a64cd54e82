#include "http/server/transport.h"

#include <cerrno>
#include <cstring>
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

redirect::Address address_of(const sockaddr_storage& end) noexcept {
    redirect::Address address;
    if (end.ss_family == AF_INET) {
        // One client has one name, whether it came to an IPv4 socket or to one for both.
        address.bytes[10] = address.bytes[11] = 0xff;
        std::memcpy(&address.bytes[12], &reinterpret_cast<const sockaddr_in&>(end).sin_addr, 4);
    } else if (end.ss_family == AF_INET6) {
        std::memcpy(address.bytes.data(), &reinterpret_cast<const sockaddr_in6&>(end).sin6_addr, 16);
    } else {
        return address;
    }
    address.known = true;
    return address;
}

} // namespace slashpost::http

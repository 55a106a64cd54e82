#include "app/admin/channel.h"

#include "core/base/errors.h"

#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <unistd.h>

namespace slashpost::admin {

namespace {

std::unexpected<Error> peer_is_gone() { return unavailable("The other end of the admin socket is gone."); }

} // namespace

Channel::~Channel() { ::close(descriptor_); }

Result<void> Channel::send(FrameType type, std::string_view payload) {
    const auto length = static_cast<std::uint32_t>(payload.size());
    std::string bytes{static_cast<char>(type), static_cast<char>(length >> 24U),
                      static_cast<char>(length >> 16U & 0xffU), static_cast<char>(length >> 8U & 0xffU),
                      static_cast<char>(length & 0xffU)};
    bytes += payload;
    for (std::string_view rest = bytes; !rest.empty();) {
        const auto sent = ::send(descriptor_, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return peer_is_gone();
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return {};
}

// Reads `count` bytes, fewer only when the peer closed its end.
Result<std::size_t> Channel::receive_bytes(char* into, std::size_t count) {
    std::size_t have = 0;
    while (have < count) {
        const auto got = ::recv(descriptor_, into + have, count - have, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return peer_is_gone();
        if (got == 0)
            break;
        have += static_cast<std::size_t>(got);
    }
    return have;
}

Result<std::optional<Frame>> Channel::receive() {
    std::array<char, 5> head{};
    const auto have = TRY(receive_bytes(head.data(), head.size()));
    if (have == 0)
        return std::nullopt;
    if (have < head.size())
        return peer_is_gone();
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < head.size(); ++i)
        length = length << 8U | static_cast<unsigned char>(head.at(i));
    if (length > frame_payload_max)
        return malformed("The other end of the admin socket speaks another protocol.");
    Frame frame{.type = static_cast<FrameType>(head[0]), .payload = std::string(length, '\0')};
    if (TRY(receive_bytes(frame.payload.data(), length)) < length)
        return peer_is_gone();
    return frame;
}

bool Channel::peer_gone() const {
    char byte = 0;
    const auto got = ::recv(descriptor_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR);
}

void Channel::cut() { ::shutdown(descriptor_, SHUT_RDWR); }

std::string encode_arguments(const std::vector<std::string>& arguments) {
    std::string payload;
    for (const auto& argument : arguments)
        (payload += argument) += '\0';
    return payload;
}

std::optional<std::vector<std::string>> decode_arguments(std::string_view payload) {
    std::vector<std::string> arguments;
    while (!payload.empty()) {
        const auto end = payload.find('\0');
        if (end == std::string_view::npos)
            return std::nullopt;
        arguments.emplace_back(payload.substr(0, end));
        payload.remove_prefix(end + 1);
    }
    return arguments;
}

} // namespace slashpost::admin

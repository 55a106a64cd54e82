#pragma once
// A client for tests that says exactly the bytes it is told to, over a real socket on loopback.
#include "http/server/fd.h"

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <netinet/in.h>
#include <optional>
#include <poll.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <thread>
#include <utility>

namespace slashpost::http {

struct Response {
    unsigned status = 0;
    std::string head; // with the empty line
    std::string body;

    // The value of a header written exactly so; empty when it is not there.
    [[nodiscard]] std::string header(std::string_view name) const {
        const std::string line = "\r\n" + std::string(name) + ": ";
        const std::size_t at = head.find(line);
        if (at == std::string::npos)
            return {};
        const std::size_t begin = at + line.size();
        return head.substr(begin, head.find("\r\n", begin) - begin);
    }
};

// Takes the next response out of `buffer`, which `fill` adds to; nothing when it answers false first.
// `method` HEAD: no body follows.
template <class Fill>
std::optional<Response> take_response(std::string& buffer, std::string_view method, Fill fill) {
    std::size_t end = 0;
    while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
        if (!fill())
            return std::nullopt;
    }
    Response response;
    response.head = buffer.substr(0, end + 4);
    response.status = static_cast<unsigned>(std::stoul(response.head.substr(9, 3)));
    buffer.erase(0, end + 4);
    const std::string length = response.header("Content-Length");
    const std::size_t bytes = method == "HEAD" || length.empty() ? 0 : std::stoul(length);
    while (buffer.size() < bytes) {
        if (!fill())
            return std::nullopt;
    }
    response.body = buffer.substr(0, bytes);
    buffer.erase(0, bytes);
    return response;
}

class Client {
  public:
    // From 127.0.0.`host`.
    explicit Client(std::uint16_t port, std::uint8_t host = 1)
        : fd_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        if (host != 1) {
            address.sin_family = AF_INET;
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + host - 1U);
            if (::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
                throw std::runtime_error("cannot bind");
        }
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(fd_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
            throw std::runtime_error("cannot connect");
    }

    void send(std::string_view bytes) {
        while (!bytes.empty()) {
            const ssize_t count = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (count <= 0)
                return; // the server has closed; reading tells
            bytes.remove_prefix(static_cast<std::size_t>(count));
        }
    }

    // One byte of TCP's urgent data, which is no part of what `send` sends.
    void send_urgent() { ::send(fd_.get(), "!", 1, MSG_OOB | MSG_NOSIGNAL); }
    void finish_writing() { ::shutdown(fd_.get(), SHUT_WR); }
    // Closes both directions at once, and says so.
    void reset() {
        const linger at_once{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(fd_.get(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        fd_ = Fd();
    }

    // The next response, or nothing when the connection ended first. `method` HEAD: no body follows.
    std::optional<Response> receive(std::string_view method = "GET") {
        return take_response(buffer_, method, [this] { return fill(); });
    }

    std::optional<Response> ask(std::string_view request) {
        send(request);
        return receive(request.starts_with("HEAD ") ? "HEAD" : "GET");
    }

    // Whatever comes next; nothing when the connection ended first.
    std::string receive_some() {
        if (buffer_.empty())
            fill();
        return std::exchange(buffer_, {});
    }

    // Whether the server ends the connection, saying no more, within the time.
    bool is_closed(std::chrono::milliseconds patience = std::chrono::milliseconds(5'000)) {
        patience_ = patience;
        return buffer_.empty() && !fill() && !timed_out_;
    }

    // Whether nothing at all happens for a while.
    bool is_silent(std::chrono::milliseconds time) {
        patience_ = time;
        const bool silent = buffer_.empty() && !fill() && timed_out_;
        patience_ = std::chrono::milliseconds(5'000);
        return silent;
    }

  private:
    bool fill() {
        pollfd waiting{.fd = fd_.get(), .events = POLLIN, .revents = 0};
        int ready = -1;
        do
            ready = ::poll(&waiting, 1, static_cast<int>(patience_.count()));
        while (ready < 0 && errno == EINTR);
        timed_out_ = ready <= 0;
        if (timed_out_)
            return false;
        char bytes[16 * 1024];
        const ssize_t count = ::recv(fd_.get(), bytes, sizeof bytes, 0);
        if (count <= 0)
            return false;
        buffer_.append(bytes, static_cast<std::size_t>(count));
        return true;
    }

    Fd fd_;
    std::string buffer_;
    std::chrono::milliseconds patience_{5'000};
    bool timed_out_ = false;
};

} // namespace slashpost::http

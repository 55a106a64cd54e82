#pragma once
// A receiver of webhooks on the loopback that does what a test says, good weather or bad.
#include <arpa/inet.h>
#include <atomic>
#include <functional>
#include <mutex>
#include <netinet/in.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace slashpost::test {

class Receiver {
  public:
    // Given a connection whose request was read, writes what it likes. Its end ends the connection.
    using Answer = std::function<void(int socket, const std::stop_token& stopping)>;

    explicit Receiver(Answer answer, const char* address = "127.0.0.1")
        : answer_(std::move(answer)),
          listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in place{};
        place.sin_family = AF_INET;
        ::inet_pton(AF_INET, address, &place.sin_addr);
        socklen_t size = sizeof place;
        if (::bind(listener_, reinterpret_cast<sockaddr*>(&place), size) != 0 ||
            ::listen(listener_, 64) != 0 ||
            ::getsockname(listener_, reinterpret_cast<sockaddr*>(&place), &size) != 0)
            std::abort();
        port_ = ntohs(place.sin_port);
        thread_ = std::jthread([this](const std::stop_token& stopping) { run(stopping); });
    }
    ~Receiver() {
        thread_ = {};
        connections_.clear();
        ::close(listener_);
    }
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::vector<std::string> requests() const {
        const std::lock_guard lock(mutex_);
        return requests_;
    }
    [[nodiscard]] int connections() const { return accepted_; }

    static Answer says(std::string text) {
        return [text = std::move(text)](int socket, const std::stop_token&) { write(socket, text); };
    }
    static bool write(int socket, std::string_view text) {
        return ::send(socket, text.data(), text.size(), MSG_NOSIGNAL) > 0;
    }

  private:
    void run(const std::stop_token& stopping) {
        while (!stopping.stop_requested()) {
            pollfd one{.fd = listener_, .events = POLLIN, .revents = 0};
            if (::poll(&one, 1, 20) <= 0)
                continue;
            const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
            if (socket < 0)
                continue;
            ++accepted_;
            connections_.emplace_back([this, socket](const std::stop_token& ending) {
                if (read_request(socket))
                    answer_(socket, ending);
                ::close(socket);
            });
        }
    }
    bool read_request(int socket) {
        std::string text;
        std::size_t wanted = std::string::npos;
        while (text.size() < wanted) {
            char buffer[4096]; // NOLINT
            const auto got = ::recv(socket, buffer, sizeof buffer, 0);
            if (got <= 0)
                return false;
            text.append(buffer, static_cast<std::size_t>(got));
            if (const auto end = text.find("\r\n\r\n"); wanted == std::string::npos && end != text.npos) {
                const auto at = text.find("Content-Length: ");
                wanted = end + 4 + (at == text.npos ? 0 : std::stoul(text.substr(at + 16)));
            }
        }
        const std::lock_guard lock(mutex_);
        requests_.push_back(std::move(text));
        return true;
    }

    const Answer answer_;
    const int listener_;
    std::uint16_t port_ = 0;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_; // guarded by mutex_
    std::atomic<int> accepted_ = 0;
    std::vector<std::jthread> connections_; // of the thread
    std::jthread thread_;
};

} // namespace slashpost::test

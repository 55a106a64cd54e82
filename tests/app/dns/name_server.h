#pragma once
// dnsmasq on a free port of the loopback, which knows what it is told and nothing else.
#include <catch2/catch.hpp>

#include <csignal>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slashpost::test {

// A socket of the loopback that is bound to `port`; 0: a free one. -1 when it is taken.
inline int loopback_socket(int type, std::uint16_t& port) {
    const int fd = ::socket(AF_INET, type | SOCK_CLOEXEC, 0);
    REQUIRE(fd >= 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(fd, reinterpret_cast<sockaddr*>(&address), size) != 0) {
        ::close(fd);
        return -1;
    }
    REQUIRE(::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) == 0);
    port = ntohs(address.sin_port);
    return fd;
}

class NameServer {
  public:
    // `records` as dnsmasq takes them: "--txt-record=name,text,text".
    explicit NameServer(const std::vector<std::string>& records) {
        for (int attempt = 0; attempt < 20 && pid_ < 0; ++attempt)
            start(records);
        REQUIRE(pid_ > 0);
    }
    ~NameServer() {
        if (pid_ <= 0)
            return;
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    NameServer(const NameServer&) = delete;
    NameServer& operator=(const NameServer&) = delete;

    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

  private:
    // A port that was free a moment ago may be gone; then dnsmasq ends at once.
    void start(const std::vector<std::string>& records) {
        port_ = 0;
        ::close(loopback_socket(SOCK_DGRAM, port_));
        std::vector<std::string> words{"/usr/sbin/dnsmasq",
                                       "--keep-in-foreground",
                                       "--conf-file=/dev/null",
                                       "--pid-file=",
                                       "--no-resolv",
                                       "--no-hosts",
                                       "--bind-interfaces",
                                       "--listen-address=127.0.0.1",
                                       "--log-facility=/dev/null",
                                       "--local=/example/",
                                       "--user=",
                                       "--port=" + std::to_string(port_)};
        words.insert(words.end(), records.begin(), records.end());
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        pid_ = ::fork();
        REQUIRE(pid_ >= 0);
        if (pid_ == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL); // never outlives the test
            ::execv(arguments[0], arguments.data());
            ::_exit(126);
        }
        if (!answers()) {
            ::kill(pid_, SIGKILL);
            ::waitpid(pid_, nullptr, 0);
            pid_ = -1;
        }
    }
    // Somebody listens on the port, and it is the child.
    [[nodiscard]] bool answers() const {
        for (int i = 0; i < 500; ++i) {
            if (::waitpid(pid_, nullptr, WNOHANG) != 0)
                return false;
            sockaddr_in address{};
            address.sin_family = AF_INET;
            address.sin_port = htons(port_);
            address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
            const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
            const bool open = ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
            ::close(fd);
            if (open)
                return true;
            ::usleep(10'000);
        }
        return false;
    }

    pid_t pid_ = -1;
    std::uint16_t port_ = 0;
};

} // namespace slashpost::test

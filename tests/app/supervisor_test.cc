#include "app/supervisor.h"

#include "http/server/fd.h"
#include "tests/support/temp_folder.h"

#include <catch2/catch.hpp>
#include <cstddef>
#include <cstring>
#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>

using namespace slashpost;
using namespace slashpost::app;

namespace {

constexpr ::pid_t self = 4711;

// Whoever looks after the server: a socket with the file `name`, or, behind an @, without one.
class Listening {
  public:
    explicit Listening(const std::string& name) : fd_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        REQUIRE(name.size() < sizeof address.sun_path);
        std::memcpy(address.sun_path, name.data(), name.size());
        auto length = offsetof(sockaddr_un, sun_path) + name.size();
        if (name.starts_with('@'))
            address.sun_path[0] = '\0';
        else
            ++length;
        REQUIRE(::bind(fd_.get(), reinterpret_cast<sockaddr*>(&address), static_cast<socklen_t>(length)) ==
                0);
    }
    // The next word that comes; empty when none does for a while.
    std::string next(int milliseconds = 100) {
        pollfd waiting{.fd = fd_.get(), .events = POLLIN, .revents = 0};
        if (::poll(&waiting, 1, milliseconds) <= 0)
            return {};
        char bytes[512];
        const auto count = ::recv(fd_.get(), bytes, sizeof bytes, 0);
        return {bytes, static_cast<std::size_t>(count)};
    }

  private:
    http::Fd fd_;
};

sigset_t user_signal() {
    sigset_t signals{};
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    return signals;
}

// Waits in a thread of its own until `end` is called, which answers the signal that was awaited.
class Waiting {
  public:
    Waiting(Supervisor& supervisor, std::function<Supervisor::Life()> look)
        : thread_([this, &supervisor, look = std::move(look)] {
              const auto signals = user_signal();
              ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
              blocked_ = true;
              signal_ = supervisor.await(signals, look);
          }) {}
    int end() {
        while (!blocked_)
            std::this_thread::yield();
        ::pthread_kill(thread_.native_handle(), SIGUSR1);
        thread_.join();
        return signal_;
    }

  private:
    std::atomic<bool> blocked_ = false;
    int signal_ = 0;
    std::thread thread_;
};

} // namespace

TEST_CASE("a supervisor hears that the server is ready, what it does and that it stops", "[app]") {
    const test::TempFolder folder;
    const bool is_file = GENERATE(true, false);
    const auto name =
        is_file ? (folder.path() / "notify").string() : "@slashpost-test-" + std::to_string(::getpid());
    Listening listening(name);
    Supervisor supervisor(Environment{{"NOTIFY_SOCKET", name}}, self);
    supervisor.status("opening the store");
    CHECK(listening.next() == "STATUS=opening the store");
    supervisor.ready();
    CHECK(listening.next() == "READY=1");
    supervisor.status("a line\nand another");
    CHECK(listening.next() == "STATUS=a line and another");
    supervisor.status("a line\nand another");
    CHECK(listening.next().empty());
    supervisor.stopping();
    CHECK(listening.next() == "STOPPING=1\nSTATUS=stopping: finishing requests in flight");
}

TEST_CASE("the watchdog is fed while the server's threads go on, and only then", "[app]") {
    const test::TempFolder folder;
    const auto name = (folder.path() / "notify").string();
    Listening listening(name);
    Supervisor supervisor({{"NOTIFY_SOCKET", name}, {"WATCHDOG_USEC", "60000"}, {"WATCHDOG_PID", "4711"}},
                          self);
    std::atomic<bool> goes_on = true;
    Waiting waiting(supervisor, [&] { return Supervisor::Life{.goes_on = goes_on, .status = "serving"}; });
    CHECK(listening.next(5'000) == "STATUS=serving");
    CHECK(listening.next(5'000) == "WATCHDOG=1");
    CHECK(listening.next(5'000) == "WATCHDOG=1");
    goes_on = false;
    while (!listening.next(200).empty()) {
    }
    CHECK(listening.next(200).empty()); // ten looks later
    goes_on = true;
    CHECK(listening.next(5'000) == "WATCHDOG=1");
    CHECK(waiting.end() == SIGUSR1);
}

TEST_CASE("a watchdog of another process is not fed, and what the server does is told all the same",
          "[app]") {
    const test::TempFolder folder;
    const auto name = (folder.path() / "notify").string();
    Listening listening(name);
    const auto process = GENERATE(std::string("4712"), std::string("x"));
    Supervisor supervisor({{"NOTIFY_SOCKET", name}, {"WATCHDOG_USEC", "30000"}, {"WATCHDOG_PID", process}},
                          self);
    Waiting waiting(supervisor, [] { return Supervisor::Life{.goes_on = true, .status = "serving"}; });
    CHECK(listening.next(200).empty());
    CHECK(waiting.end() == SIGUSR1);
    supervisor.status("serving");
    CHECK(listening.next() == "STATUS=serving");
}

TEST_CASE("nobody to tell, or nobody who listens, does not hold up the server", "[app]") {
    const auto socket = GENERATE(std::string(), std::string("/nonexistent/notify"), std::string(200, 'x'));
    Supervisor supervisor(Environment{{"NOTIFY_SOCKET", socket}, {"WATCHDOG_USEC", "30000"}}, self);
    supervisor.ready();
    supervisor.stopping();
    Waiting waiting(supervisor, [] { return Supervisor::Life{.goes_on = true, .status = "serving"}; });
    CHECK(waiting.end() == SIGUSR1);
}

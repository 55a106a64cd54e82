#include "app/supervisor.h"

#include "http/server/fd.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <sys/socket.h>
#include <sys/un.h>

namespace slashpost::app {

namespace {

// One that is lost or late leaves two more.
constexpr int looks_per_interval = 3;
constexpr std::chrono::seconds usual_pause{5};
} // namespace

Supervisor::Supervisor(const Environment& environment, ::pid_t self)
    : socket_(value_of(environment, "NOTIFY_SOCKET")),
      pause_(usual_pause) {
    const auto process = value_of(environment, "WATCHDOG_PID");
    const auto interval = parse_number(value_of(environment, "WATCHDOG_USEC"), 1,
                                       std::numeric_limits<std::int64_t>::max() / 1000);
    if (socket_.empty() || !interval || (!process.empty() && process != std::to_string(self)))
        return;
    has_watchdog_ = true;
    pause_ = std::chrono::microseconds(*interval) / looks_per_interval;
    pause_ = std::min<std::chrono::nanoseconds>(pause_, usual_pause);
}

void Supervisor::ready() { tell("READY=1"); }

void Supervisor::stopping() { tell("STOPPING=1\nSTATUS=stopping: finishing requests in flight"); }

void Supervisor::status(std::string_view words) {
    if (words == status_)
        return;
    status_ = words;
    std::string line = "STATUS=" + status_;
    std::ranges::replace(line, '\n', ' ');
    tell(line);
}

int Supervisor::await(const sigset_t& signals, const std::function<Life()>& look) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(pause_);
    const timespec pause{.tv_sec = seconds.count(), .tv_nsec = (pause_ - seconds).count()};
    for (;;) {
        const int signal = ::sigtimedwait(&signals, nullptr, socket_.empty() ? nullptr : &pause);
        if (signal > 0 || (errno != EAGAIN && errno != EINTR))
            return signal;
        if (errno == EINTR)
            continue;
        const auto life = look();
        status(life.status);
        if (has_watchdog_ && life.goes_on)
            tell("WATCHDOG=1");
    }
}

// One datagram, sent or not: the server serves all the same, and whoever waits for it has its own deadline.
void Supervisor::tell(const std::string& lines) const {
    sockaddr_un address{};
    if (socket_.empty() || socket_.size() >= sizeof address.sun_path)
        return;
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, socket_.data(), socket_.size());
    auto length = offsetof(sockaddr_un, sun_path) + socket_.size();
    if (socket_.starts_with('@'))
        address.sun_path[0] = '\0';
    else
        ++length; // the zero at the end
    const http::Fd fd(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    if (fd)
        static_cast<void>(
            ::sendto(fd.get(), lines.data(), lines.size(), MSG_NOSIGNAL,
                     reinterpret_cast<const sockaddr*>(&address), // NOLINT: as the system has it
                     static_cast<socklen_t>(length)));
}

} // namespace slashpost::app

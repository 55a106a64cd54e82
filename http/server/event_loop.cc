#include "http/server/event_loop.h"

#include "core/base/errors.h"

#include <algorithm>
#include <cerrno>
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <system_error>

namespace slashpost::http {

namespace {

constexpr std::size_t events_per_turn = 256;

} // namespace

Result<void> EventLoop::open() {
    epoll_ = Fd(::epoll_create1(EPOLL_CLOEXEC));
    wake_ = Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    epoll_event event{.events = EPOLLIN | EPOLLET, .data = {.ptr = nullptr}};
    if (!epoll_ || !wake_ || ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_.get(), &event) != 0)
        return unavailable(
            fmt::format("cannot wait for connections: {}", std::system_category().message(errno)));
    events_.resize(events_per_turn);
    return {};
}

bool EventLoop::add(int fd, std::uint32_t events, Watcher& watcher) {
    epoll_event event{.events = events, .data = {.ptr = &watcher}};
    return ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event) == 0;
}

void EventLoop::remove(int fd) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

std::span<const epoll_event> EventLoop::wait(int timeout_ms) {
    const int count =
        ::epoll_wait(epoll_.get(), events_.data(), static_cast<int>(events_.size()), timeout_ms);
    return {events_.data(), static_cast<std::size_t>(std::max(count, 0))};
}

// Edge-triggered, so each write is news and nobody has to read the counter.
void EventLoop::wake() { ::eventfd_write(wake_.get(), 1); }

} // namespace slashpost::http

#pragma once
// Waits for sockets on behalf of one thread: a thin layer over epoll.
//
// A connection is registered once, edge-triggered, and its watcher is called whenever something changed. Asio
// would want either a buffer per idle connection or one more system call per request, and an operation
// allocated and queued for each; this costs neither. All functions but `wake` belong to the one thread.
#include "core/base/result.h"
#include "http/server/fd.h"

#include <cstdint>
#include <span>
#include <sys/epoll.h>
#include <vector>

namespace slashpost::http {

class Watcher {
  public:
    virtual ~Watcher() = default;
    // `events` is a set of EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLHUP, EPOLLERR.
    virtual void on_events(std::uint32_t events) = 0;
    // Something threw while it was served (there is no memory): what it was about to do is given up.
    virtual void give_up() noexcept = 0;
};

class EventLoop {
  public:
    Result<void> open();
    // False when the kernel has no room. A closed descriptor needs no `remove`, but events that were already
    // waited for may still name its watcher: keep that alive until they are handed out.
    bool add(int fd, std::uint32_t events, Watcher& watcher);
    void remove(int fd);
    // Waits until something happens, at most `timeout_ms`. A null `data.ptr` stands for `wake`.
    std::span<const epoll_event> wait(int timeout_ms);
    // Ends a wait, now or the next one. Any thread may call it.
    void wake();

  private:
    Fd epoll_;
    Fd wake_;
    std::vector<epoll_event> events_;
};

} // namespace slashpost::http

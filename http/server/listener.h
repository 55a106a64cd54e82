#pragma once
// Listening sockets: opening them, and the accept loop of one thread.
//
// Each I/O thread has a socket of its own on the same port (SO_REUSEPORT), so the kernel spreads new
// connections and threads never meet. A port that another program listens on is refused all the same.
#include "core/base/result.h"
#include "core/visitors/visitor.h"
#include "http/server/event_loop.h"
#include "http/server/fd.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace slashpost::http {

struct ListeningSockets {
    std::uint16_t port = 0;
    std::vector<std::vector<Fd>> by_thread; // one or, for "localhost", two per thread
};

// `address` is an IPv4 or IPv6 address, with or without brackets, or "localhost" for both loopbacks. Port 0
// lets the system choose.
Result<ListeningSockets> listen_on(std::string_view called, const std::string& address, std::uint16_t port,
                                   unsigned threads);

// Accepts until it is paused; belongs to one thread.
class Listener final : public Watcher {
  public:
    using OnAccept = std::function<void(Fd, const redirect::Address& peer)>;
    using OnError = std::function<void()>;

    // `on_error` hears of every connection that could not be accepted.
    Listener(EventLoop& loop, Fd fd, unsigned accepts_per_turn, OnAccept on_accept, OnError on_error);

    void on_events(std::uint32_t events) override;
    void give_up() noexcept override {} // the connection that it was about is closed by now
    // Accepts again after an error (too many open files) had paused it.
    void resume();
    // Takes what is still waiting in the kernel's queue and then listens no more.
    void finish();

  private:
    void accept(unsigned count_max);

    EventLoop& loop_;
    Fd fd_;
    const unsigned accepts_per_turn_;
    const OnAccept on_accept_;
    const OnError on_error_;
    bool paused_ = true;
};

} // namespace slashpost::http

#pragma once
// Listening sockets: opening them, and the accept loop of one thread.
//
// Each I/O thread has a socket of its own on the same port (SO_REUSEPORT), so the kernel spreads new
// connections and threads never meet. A port that another program listens on is refused all the same.
#include "core/base/result.h"
#include "core/visitors/visitor.h"
#include "http/server/fd.h"
#include "http/server/plain_transport.h"

#include <boost/asio/basic_socket_acceptor.hpp>
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

// Accepts connections until it is paused; belongs to one thread.
class Listener final {
  public:
    using OnReady = std::function<void(Listener&)>;
    using OnAccept = std::function<void(Socket, const redirect::Address& peer)>;
    using OnError = std::function<void()>;

    // `on_ready` hears when connections are waiting, and calls `accept`; `on_error` hears of every connection
    // that could not be accepted. Paused at first.
    Listener(boost::asio::io_context& context, Fd fd, OnReady on_ready, OnAccept on_accept, OnError on_error);

    // Accepts what is waiting, at most `count_max`, and awaits more.
    void accept(unsigned count_max);
    // Accepts again after an error (too many open files, no memory) had paused it.
    void resume() noexcept;
    // Takes what is still waiting in the kernel's queue and then listens no more.
    void finish();

  private:
    using Acceptor =
        boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

    bool accept_waiting(unsigned count_max);

    Acceptor acceptor_;
    const OnReady on_ready_;
    const OnAccept on_accept_;
    const OnError on_error_;
    bool paused_ = true;
};

} // namespace slashpost::http

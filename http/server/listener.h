#pragma once
// Listening sockets: opening them, and the accept loop of one thread.
//
// Each I/O thread has a socket of its own on the same port (SO_REUSEPORT), so the kernel spreads new
// connections and threads never meet. A port that another program listens on is refused all the same. Sockets
// that somebody else has opened for the server are shared out among the threads instead.
#include "core/base/result.h"
#include "core/visitors/visitor.h"
#include "http/server/fd.h"
#include "http/server/plain_transport.h"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace slashpost::http {

struct ListeningSocket {
    Fd fd;
    bool is_inherited =
        false; // somebody else has it, too, and gives it to the server that comes after this one
};

struct ListeningSockets {
    std::uint16_t port = 0;
    std::vector<std::vector<ListeningSocket>> by_thread; // one or, for "localhost", two per thread
};

// `address` is an IPv4 or IPv6 address, with or without brackets, or "localhost" for both loopbacks. Port 0
// lets the system choose.
Result<ListeningSockets> listen_on(std::string_view called, const std::string& address, std::uint16_t port,
                                   unsigned threads);
// Shares out sockets that listen already and stay the caller's: every one belongs to at least one thread and,
// of those with the same address, every thread has at least one. The port is that of the first.
Result<ListeningSockets> share_out(std::string_view called, std::span<const int> inherited, unsigned threads);

// Accepts connections until it is paused; belongs to one thread.
class Listener final {
  public:
    using OnReady = std::function<void(Listener&)>;
    using OnAccept = std::function<void(Socket, const redirect::Address& peer)>;
    using OnError = std::function<void()>;

    // `on_ready` hears when connections are waiting, and calls `accept`; `on_error` hears of every connection
    // that could not be accepted. Paused at first.
    Listener(boost::asio::io_context& context, ListeningSocket socket, OnReady on_ready, OnAccept on_accept,
             OnError on_error);

    // Accepts what is waiting, at most `count_max`, and awaits more.
    void accept(unsigned count_max);
    // Accepts again after an error (too many open files, no memory) had paused it.
    void resume() noexcept;
    // Takes what is still waiting in the kernel's queue and then listens no more. What waits at an inherited
    // socket stays there: it is for the server that comes next.
    void finish();

  private:
    using Acceptor =
        boost::asio::basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

    bool accept_waiting(unsigned count_max);

    Acceptor acceptor_;
    const OnReady on_ready_;
    const OnAccept on_accept_;
    const OnError on_error_;
    const bool is_inherited_;
    bool paused_ = true;
};

} // namespace slashpost::http

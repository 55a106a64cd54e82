#pragma once
// A TCP connection as a transport: a socket of Asio's that never blocks.
#include "http/server/transport.h"

#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace slashpost::http {

// Knows its context by its type, which spares every operation an indirect call.
using Socket = boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

class PlainTransport final : public Transport {
  public:
    // Throws when the system refuses to make the socket one that does not block.
    explicit PlainTransport(Socket socket);
    Result read(char* data, std::size_t size) override;
    Result write(std::string_view bytes) override;
    void finish_writing() override;
    void cut() noexcept override;
    void await(Readiness what, Waiter& waiter, Session& session) override;
    [[nodiscard]] bool has_hung_up() override;

  private:
    Socket socket_;
};

} // namespace slashpost::http

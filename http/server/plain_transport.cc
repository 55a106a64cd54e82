#include "http/server/plain_transport.h"

#include <poll.h>

namespace slashpost::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

Transport::Result outcome(const error_code& error, std::size_t bytes) {
    if (!error)
        return {Transport::Status::ok, bytes, false};
    if (error == asio::error::eof)
        return {Transport::Status::end, 0, false};
    if (error == asio::error::would_block || error == asio::error::interrupted)
        return {Transport::Status::would_block, 0, false};
    return {Transport::Status::failed, 0, false};
}

Socket::wait_type wait_type(Readiness what) {
    switch (what) {
    case Readiness::to_write:
        return Socket::wait_write;
    case Readiness::hung_up:
        return Socket::wait_error;
    case Readiness::to_read:
        break;
    }
    return Socket::wait_read;
}

} // namespace

PlainTransport::PlainTransport(Socket socket) : socket_(std::move(socket)) { socket_.non_blocking(true); }

Transport::Result PlainTransport::read(char* data, std::size_t size) {
    error_code error;
    const std::size_t count = socket_.receive(asio::buffer(data, size), 0, error);
    Result result = outcome(error, count);
    result.drained = count < size;
    return result;
}

Transport::Result PlainTransport::write(std::string_view bytes) {
    error_code error;
    const std::size_t count = socket_.send(asio::buffer(bytes), 0, error);
    return outcome(error, count);
}

void PlainTransport::finish_writing() {
    error_code ignored; // the peer has gone
    socket_.shutdown(Socket::shutdown_send, ignored);
}

void PlainTransport::cut() noexcept {
    error_code ignored;
    socket_.shutdown(Socket::shutdown_both, ignored);
}

void PlainTransport::await(Readiness what, Waiter& waiter, Session& session) {
    socket_.async_wait(wait_type(what),
                       [&waiter, &session, what](const error_code&) { waiter.on_ready(session, what); });
}

// What Asio calls an error may also be urgent data (TCP's, which nobody here reads).
bool PlainTransport::has_hung_up() {
    pollfd state{.fd = socket_.native_handle(), .events = 0, .revents = 0};
    return ::poll(&state, 1, 0) == 1 && (state.revents & (POLLHUP | POLLERR)) != 0;
}

} // namespace slashpost::http

#pragma once
// TLS beneath a session: one context for the whole server, and a transport that shakes hands while it is read
// from and written to. Why it is not Asio's stream: README.md.
//
// TLS 1.2 and 1.3, forward-secret AEAD ciphers only, HTTP/1.1 as the one protocol, but for an authority that
// looks whether a host is ours (RFC 8737). Which certificate is
// presented is decided per handshake from the set of that moment. Sessions are resumed from tickets, so the
// server keeps nothing per visitor; the tickets' keys change twice a day and never leave the process.
#include "core/base/result.h"
#include "http/server/certificates.h"
#include "http/server/metrics.h"
#include "http/server/openssl.h"
#include "http/server/room.h"
#include "http/server/transport.h"

#include <memory>

namespace slashpost::http {

class TicketKeys;

class TlsContext {
  public:
    // `certificates` must outlive it.
    static Result<std::unique_ptr<TlsContext>> make(const Certificates& certificates);
    ~TlsContext();

    // The server's side of a new connection; null when there is no memory.
    [[nodiscard]] SslOwner open() const;

  private:
    TlsContext();

    std::unique_ptr<TicketKeys> keys_;
    SslContextOwner context_;
};

// The handshakes that one I/O thread has under way. They cost more than anything else a stranger can ask for
// without having said a word, so they are bounded: when there are too many, one of whoever has most of them
// gives way (http/server/room.h). Outlives its transports.
class Handshakes {
  public:
    Handshakes(std::size_t at_once_max, IoCounters& counters)
        : at_once_max_(at_once_max),
          counters_(counters) {}

    void begin(Room::Seat& place, const redirect::Address& client);
    void succeed(Room::Seat& place, bool resumed);
    void give_up(Room::Seat& place); // on the way to `fail`
    void fail(Room::Seat& place);

  private:
    const std::size_t at_once_max_;
    IoCounters& counters_;
    Room under_way_{connections_of_a_browser};
};

class TlsTransport final : public Transport, private Occupant {
  public:
    // `client` is whom the handshake is counted for, as Room has it.
    TlsTransport(std::unique_ptr<Transport> socket, const TlsContext& context, Handshakes& handshakes,
                 const redirect::Address& client, SteadyTime now);
    ~TlsTransport() override;
    TlsTransport(const TlsTransport&) = delete;
    TlsTransport& operator=(const TlsTransport&) = delete;

    Result read(char* data, std::size_t size) override;
    Result write(std::string_view bytes) override;
    void finish_writing() override;
    void cut() noexcept override { socket_->cut(); }
    void await(Readiness what, Waiter& waiter, Session& session) override {
        socket_->await(what, waiter, session);
    }
    [[nodiscard]] bool has_hung_up() override { return socket_->has_hung_up(); }
    [[nodiscard]] bool reads_when_writable() const override { return wants_to_write_; }
    [[nodiscard]] bool is_secure() const override { return true; }

  private:
    friend struct TransportBio;

    [[nodiscard]] bool may_make_way() const override { return true; }
    // Ends the handshake; the session hears of it as of a peer that went away.
    void make_way() override;
    void note_handshake();
    void say_goodbye();

    const std::unique_ptr<Transport> socket_;
    Handshakes& handshakes_;
    SslOwner ssl_;
    Room::Seat handshake_{*this};
    std::size_t may_receive_ = 0; // what is left of this turn's share
    bool out_of_share_ = false;
    bool socket_is_drained_ = false;
    bool peer_has_ended_ = false;
    bool shaking_hands_ = true;
    bool wants_to_write_ = false; // reading waits for room in the socket
    bool broken_ = false;         // TLS forbids to say anything more
    bool said_goodbye_ = false;
    bool ends_after_handshake_ = false; // an authority's look at a host: nothing is said
};

} // namespace slashpost::http

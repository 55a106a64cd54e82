#include "http/server/tls.h"

#include "core/base/ascii.h"
#include "core/base/errors.h"
#include "http/server/ticket_keys.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <openssl/err.h>

namespace slashpost::http {

namespace {

// Of TLS 1.2; those of 1.3 are all good.
constexpr const char* ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";
constexpr const char* groups = "X25519:P-256:P-384";
constexpr std::string_view http_11 = "http/1.1";
// A handshake in which an authority looks whether a host is ours offers this and nothing else (RFC 8737, 3).
constexpr std::string_view acme_offer = "\x0a"
                                        "acme-tls/1";
constexpr std::string_view session_context = "slashpost";

// What one read takes from the socket at most: a peer that sends records without content must not keep the
// thread to itself.
constexpr std::size_t receive_share = 128 * 1024;

// The host name is read where the certificate is chosen; this acknowledges it.
int accept_server_name(SSL*, int*, void*) { return SSL_TLSEXT_ERR_OK; }

std::string_view asked_name(const SSL* ssl) {
    const char* asked = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name);
    return asked == nullptr ? std::string_view{} : asked;
}

int choose_for_challenge(SSL* ssl, void* certificates) {
    std::string host(asked_name(ssl));
    std::ranges::transform(host, host.begin(), ascii::lower);
    const auto made = static_cast<const Certificates*>(certificates)->for_challenge(host);
    return made && made->install(ssl) ? 1 : 0;
}

// Before anything of a handshake is decided.
int look_at_hello(SSL* ssl, int*, void* certificates) {
    const unsigned char* bytes = nullptr;
    std::size_t size = 0;
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation, &bytes, &size) ==
            1 &&
        size == 2 + acme_offer.size() && // the length of the list comes first
        std::string_view(reinterpret_cast<const char*>(bytes) + 2, size - 2) == acme_offer) {
        SSL_set_cert_cb(ssl, choose_for_challenge, certificates);
        SSL_set_options(ssl, SSL_OP_NO_TICKET); // nothing of it is resumed
    }
    return SSL_CLIENT_HELLO_SUCCESS;
}

int choose_certificate(SSL* ssl, void* certificates) {
    const auto asked = asked_name(ssl);
    const auto set = static_cast<const Certificates*>(certificates)->current();
    const Certificate* certificate = set->choose(asked);
    return certificate != nullptr && certificate->install(ssl) ? 1 : 0;
}

// A client that speaks something else is told so (RFC 7301), so that nobody can make it talk to this server
// by mistake.
int choose_protocol(SSL*, const unsigned char** out, unsigned char* out_size, const unsigned char* offered,
                    unsigned offered_size, void* certificates) {
    const std::string_view all(reinterpret_cast<const char*>(offered), offered_size);
    if (all == acme_offer && static_cast<const Certificates*>(certificates)->answers_challenges()) {
        *out = offered + 1;
        *out_size = offered[0];
        return SSL_TLSEXT_ERR_OK;
    }
    for (unsigned at = 0; at < offered_size; at += 1U + offered[at]) {
        const std::string_view name(reinterpret_cast<const char*>(offered + at + 1), offered[at]);
        if (name == http_11) {
            *out = offered + at + 1;
            *out_size = offered[at];
            return SSL_TLSEXT_ERR_OK;
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL;
}

} // namespace

// The socket as OpenSSL sees it. Its own one would raise SIGPIPE and may wait.
struct TransportBio {
    static TlsTransport& transport(BIO* bio) { return *static_cast<TlsTransport*>(BIO_get_data(bio)); }

    static int read(BIO* bio, char* data, int size) {
        TlsTransport& self = transport(bio);
        BIO_clear_retry_flags(bio);
        if (self.may_receive_ == 0) {
            self.out_of_share_ = true;
            BIO_set_retry_read(bio);
            return -1;
        }
        const auto wanted = std::min(static_cast<std::size_t>(size), self.may_receive_);
        const Transport::Result got = self.socket_->read(data, wanted);
        self.may_receive_ -= got.bytes;
        self.socket_is_drained_ = got.drained;
        self.peer_has_ended_ = got.status == Transport::Status::end;
        if (got.status == Transport::Status::would_block)
            BIO_set_retry_read(bio);
        return answer(got);
    }

    static int write(BIO* bio, const char* data, int size) {
        BIO_clear_retry_flags(bio);
        const Transport::Result sent = transport(bio).socket_->write({data, static_cast<std::size_t>(size)});
        if (sent.status == Transport::Status::would_block)
            BIO_set_retry_write(bio);
        return answer(sent);
    }

    // As OpenSSL wants to hear it: bytes, 0 at the end, -1 else.
    static int answer(const Transport::Result& result) {
        const bool fine = result.status == Transport::Status::ok || result.status == Transport::Status::end;
        return fine ? static_cast<int>(result.bytes) : -1;
    }

    static long control(BIO* bio, int command, long, void*) {
        if (command == BIO_CTRL_EOF)
            return transport(bio).peer_has_ended_ ? 1 : 0;
        return command == BIO_CTRL_FLUSH ? 1 : 0;
    }

    static const BIO_METHOD* method() {
        static const std::unique_ptr<BIO_METHOD, Releaser<BIO_meth_free>> made = [] {
            std::unique_ptr<BIO_METHOD, Releaser<BIO_meth_free>> method(
                BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection"));
            if (method) {
                BIO_meth_set_read(method.get(), read);
                BIO_meth_set_write(method.get(), write);
                BIO_meth_set_ctrl(method.get(), control);
            }
            return method;
        }();
        return made.get();
    }
};

TlsContext::TlsContext() = default;
TlsContext::~TlsContext() = default;

Result<std::unique_ptr<TlsContext>> TlsContext::make(const Certificates& certificates) {
    std::unique_ptr<TlsContext> made(new TlsContext);
    made->keys_ = std::make_unique<TicketKeys>();
    made->context_.reset(SSL_CTX_new(TLS_server_method()));
    SSL_CTX* context = made->context_.get();
    if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1 ||
        SSL_CTX_set_cipher_list(context, ciphers) != 1 || SSL_CTX_set1_groups_list(context, groups) != 1)
        return fault(fmt::format("cannot set up TLS: {}", take_openssl_reason()));
    SSL_CTX_set_security_level(context, security_level);
    SSL_CTX_set_options(context, SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                     SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                     SSL_OP_IGNORE_UNEXPECTED_EOF); // HTTP says itself where a message ends
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_timeout(context, static_cast<long>(TicketKeys::lifetime.count()));
    SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>(session_context.data()),
                                   static_cast<unsigned>(session_context.size()));
    made->keys_->use_in(context);
    SSL_CTX_set_tlsext_servername_callback(context, accept_server_name);
    SSL_CTX_set_cert_cb(context, choose_certificate, const_cast<Certificates*>(&certificates));
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, const_cast<Certificates*>(&certificates));
    if (certificates.answers_challenges())
        SSL_CTX_set_client_hello_cb(context, look_at_hello, const_cast<Certificates*>(&certificates));
    return made;
}

SslOwner TlsContext::open() const {
    SslOwner ssl(SSL_new(context_.get()));
    if (ssl)
        SSL_set_accept_state(ssl.get());
    return ssl;
}

void Handshakes::begin(Room::Seat& place, const redirect::Address& client) {
    if (under_way_.occupants() >= at_once_max_)
        if (Occupant* const other = under_way_.first_to_go())
            other->make_way();
    under_way_.enter(place, client, 1);
}

void Handshakes::succeed(Room::Seat& place, bool resumed) {
    under_way_.leave(place);
    counters_.handshakes.add();
    if (resumed)
        counters_.handshakes_resumed.add();
}

void Handshakes::give_up(Room::Seat& place) { under_way_.leave(place); }

void Handshakes::fail(Room::Seat& place) {
    under_way_.leave(place);
    counters_.handshakes_failed.add();
}

TlsTransport::TlsTransport(std::unique_ptr<Transport> socket, const TlsContext& context,
                           Handshakes& handshakes, const redirect::Address& client, SteadyTime now)
    : socket_(std::move(socket)),
      handshakes_(handshakes),
      ssl_(context.open()) {
    BIO* bio = ssl_ ? BIO_new(TransportBio::method()) : nullptr;
    if (bio == nullptr) {
        ssl_.reset();
    } else {
        BIO_set_data(bio, this);
        BIO_set_init(bio, 1);
        SSL_set_bio(ssl_.get(), bio, bio);
    }
    used_at = now;
    handshakes_.begin(handshake_, client);
}

TlsTransport::~TlsTransport() {
    if (shaking_hands_)
        handshakes_.fail(handshake_);
    else
        say_goodbye();
}

Transport::Result TlsTransport::read(char* data, std::size_t size) {
    if (!ssl_ || broken_)
        return {Status::failed, 0, false};
    may_receive_ = receive_share;
    out_of_share_ = socket_is_drained_ = wants_to_write_ = false;
    ERR_clear_error();
    std::size_t count = 0;
    const int done = SSL_read_ex(ssl_.get(), data, size, &count);
    note_handshake();
    if (ends_after_handshake_)
        return {Status::end, 0, false};
    if (done == 1)
        return {Status::ok, count, socket_is_drained_ && SSL_has_pending(ssl_.get()) == 0};
    switch (SSL_get_error(ssl_.get(), done)) {
    case SSL_ERROR_WANT_READ:
        return {out_of_share_ ? Status::ok : Status::would_block, 0, !out_of_share_};
    case SSL_ERROR_WANT_WRITE:
        wants_to_write_ = true;
        return {Status::would_block, 0, false};
    case SSL_ERROR_ZERO_RETURN:
        return {Status::end, 0, false};
    default:
        broken_ = true;
        return {Status::failed, 0, false};
    }
}

Transport::Result TlsTransport::write(std::string_view bytes) {
    if (!ssl_ || broken_ || shaking_hands_)
        return {Status::failed, 0, false};
    ERR_clear_error();
    std::size_t sent = 0;
    while (sent < bytes.size()) {
        std::size_t count = 0;
        const int done = SSL_write_ex(ssl_.get(), bytes.data() + sent, bytes.size() - sent, &count);
        if (done == 1) {
            sent += count;
            continue;
        }
        const int error = SSL_get_error(ssl_.get(), done);
        if (error == SSL_ERROR_WANT_WRITE) // never to read: nothing is negotiated anew
            return {sent > 0 ? Status::ok : Status::would_block, sent, false};
        broken_ = true;
        return {Status::failed, sent, false};
    }
    return {Status::ok, sent, false};
}

void TlsTransport::finish_writing() {
    say_goodbye();
    socket_->finish_writing();
}

// It leaves the room at once, and counts as failed when the session closes it.
void TlsTransport::make_way() {
    handshakes_.give_up(handshake_);
    cut();
}

void TlsTransport::note_handshake() {
    if (!shaking_hands_ || SSL_is_init_finished(ssl_.get()) == 0)
        return;
    shaking_hands_ = false;
    const unsigned char* protocol = nullptr;
    unsigned size = 0;
    SSL_get0_alpn_selected(ssl_.get(), &protocol, &size);
    ends_after_handshake_ =
        std::string_view(reinterpret_cast<const char*>(protocol), size) == acme_offer.substr(1);
    handshakes_.succeed(handshake_, SSL_session_reused(ssl_.get()) == 1);
}

// The close_notify alert, without which a client cannot tell an end from a cut wire. Sent as far as there is
// room: nobody waits for it.
void TlsTransport::say_goodbye() {
    if (!ssl_ || broken_ || shaking_hands_ || std::exchange(said_goodbye_, true))
        return;
    ERR_clear_error();
    SSL_shutdown(ssl_.get());
    ERR_clear_error();
}

} // namespace slashpost::http

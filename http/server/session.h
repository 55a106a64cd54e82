#pragma once
// One connection, from accept to close: reads, decides between API and redirect, answers in order, keeps the
// limits and deadlines. Belongs to one I/O thread, which owns the buffers; an idle session owns none.
//
// Requests are taken off the input one after the other. Redirects are answered at once into a shared buffer
// that is sent when the input is used up; an API request, and a visitor's page, stops the reading until its
// reply is there. So
// answers keep their order, and a client that does not read its answers is not read from either.
#include "http/redirect.h"
#include "http/server/body_reader.h"
#include "http/server/client_address.h"
#include "http/server/event_loop.h"
#include "http/server/https_rules.h"
#include "http/server/limits.h"
#include "http/server/metrics.h"
#include "http/server/parser.h"
#include "http/server/render.h"
#include "http/server/transport.h"
#include "http/server/worker_pool.h"

#include <atomic>
#include <boost/intrusive/list_hook.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slashpost::http {

using SteadyTime = std::chrono::steady_clock::time_point;

// Which requests go to the API.
struct ApiScope {
    enum class Paths : std::uint8_t { v1, all };
    Paths paths = Paths::v1;
    std::vector<std::string> hosts; // as normal_host has them; empty: every host

    [[nodiscard]] bool covers_path(std::string_view path) const;
    [[nodiscard]] bool covers_host(std::string_view host) const;
};

// What the sessions of one I/O thread share.
struct SessionShared {
    // Set once.
    const Limits& limits;
    const ApiScope& scope;
    const RefuseApi& refuse_api;
    WorkerPool& workers;
    WorkerPool& visitor_workers;
    ReplySink& sink;
    std::atomic<std::size_t>& bodies_bytes; // of all bodies being received or served, in the whole process
    Redirects* redirects;                   // null when the scope is `all`
    const HttpsRules* https_rules;          // null when there are none
    const TrustedProxies& proxies;
    IoCounters& counters;

    // Of this turn of the thread.
    SteadyTime now{};
    std::string_view date_line;
    std::string_view secure_date_line; // for connections with TLS
    bool draining = false;             // the server stops: every answer is the last one of its connection

    // Scratch, empty between two turns.
    std::vector<char> input;
    std::string output;
    RequestHead head;

    std::vector<class Session*> again; // have more to do, but others come first
    std::vector<class Session*> dead;  // to be deleted at the end of the turn
};

class Session final : public Watcher, public boost::intrusive::list_base_hook<> {
  public:
    Session(SessionShared& shared, std::unique_ptr<Transport> transport);
    ~Session() override;

    // The socket can be read, written, or is gone.
    void on_events(std::uint32_t events) override;
    // Goes on where the last turn stopped for others.
    void on_turn();
    // The reply to this session's API request is there.
    void on_reply(const Reply& reply);
    // Acts on a deadline that has passed.
    void on_tick();
    // The server stops: what has arrived is answered still, an idle connection closed.
    void drain();
    void close();

    // Nothing received that is not answered, nothing left to send.
    [[nodiscard]] bool is_idle() const;
    // Between requests, or slow to send one: may be closed when there is no room for others.
    [[nodiscard]] bool may_make_way() const;
    [[nodiscard]] bool is_closed() const { return transport_ == nullptr; }
    // Whether `again` names it.
    [[nodiscard]] bool is_queued() const { return queued_again_; }

  private:
    enum class Phase : std::uint8_t {
        idle,     // between requests
        head,     // some of a head has arrived
        body,     // the head of an API request is read, its body is not
        calling,  // workers have it: the API, or who makes pages
        lingering // all is said; what still arrives is thrown away so that the answer gets through
    };
    // What comes after the answers now in the output.
    enum class Then : std::uint8_t { go_on, close, linger };

    // What a worker is to answer.
    struct Call {
        bool api = true; // else a visitor's page
        Request request; // of a page the method only
        Holder holder = 0;
        bool has_key = false; // so the holder is that
        Persistence persistence = Persistence::keep;
        std::unique_ptr<BodyReader> body;
        SteadyTime complete_at{};
        std::size_t body_bytes = 0; // of `bodies_bytes`
    };

    void advance();
    void read_and_answer();
    std::size_t consume(std::string_view bytes);
    std::size_t pass_over_unread(std::span<char> begun);
    std::size_t take_request(std::string_view bytes);
    std::size_t take_body(std::string_view bytes);
    bool answer_by_rules(const RequestHead& head, const Sender& client);
    void redirect(const RequestHead& head, const Sender& client);
    void order_page(const RequestHead& head, const Sender& client, Persistence persistence);
    void end_after(const RequestHead& head, Persistence persistence);
    void begin_call(const RequestHead& head, const Sender& client, std::string_view behind_head);
    void submit();
    void refuse(const Refusal& refusal, std::string_view path, std::string_view host, Method method);
    void answer_call(const Reply& reply);
    bool account_for_body();
    void end_call();

    bool flush();
    bool send_unsent();
    void leave();
    void linger();
    void enter(Phase phase);
    const Sender& peer();
    [[nodiscard]] bool stopped() const;
    [[nodiscard]] std::string_view date_line() const {
        return secure_ ? shared_.secure_date_line : shared_.date_line;
    }
    [[nodiscard]] Persistence persistence_of(const RequestHead& head) const;
    [[nodiscard]] Persistence visitor_persistence(const RequestHead& head) const;

    SessionShared& shared_;
    std::unique_ptr<Transport> transport_; // null once closed
    const bool secure_;
    std::optional<Sender> peer_; // once asked for
    Phase phase_ = Phase::head;  // a new connection owes its first request
    Then then_ = Then::go_on;
    bool readable_ = false;
    bool hung_up_ = false; // the peer has sent its last byte
    bool queued_again_ = false;
    std::uint32_t redirects_unsent_ = 0; // answered in this turn, for the counters
    std::size_t examined_ = 0;           // of a partial head: no empty line before this
    std::size_t passed_over_ = 0;        // bytes of a partial head that were dropped
    std::size_t lingered_bytes_ = 0;
    SteadyTime deadline_;
    std::string carry_;  // received, not yet understood or not yet its turn
    std::string unsent_; // answers the socket had no room for
    std::size_t sent_ = 0;
    std::unique_ptr<Call> call_;
    std::atomic<bool> gone_ = false; // closed: workers end what they do for it
};

} // namespace slashpost::http

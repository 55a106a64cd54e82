#pragma once
// One connection, from accept to close: reads, decides between API and redirect, answers in order, keeps the
// limits and deadlines. Belongs to one I/O thread, which owns the buffers; an idle session owns none.
//
// Requests are taken off the input one after the other. Redirects are answered at once into a shared buffer
// that is sent when the input is used up or the turn is over; an API request, and a visitor's page, stops the
// reading until its reply is there. So answers keep their order, and a client that does not read its answers
// is not read from either.
#include "http/pages/redirect.h"
#include "http/server/body_reader.h"
#include "http/server/client_address.h"
#include "http/server/holders.h"
#include "http/server/holdings.h"
#include "http/server/https_rules.h"
#include "http/server/limits.h"
#include "http/server/metrics.h"
#include "http/server/parser.h"
#include "http/server/render.h"
#include "http/server/room.h"
#include "http/server/shares.h"
#include "http/server/transport.h"
#include "http/server/turn.h"
#include "http/server/worker_pool.h"

#include <atomic>
#include <bitset>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slashpost::http {

// Which requests go to the API.
struct ApiScope {
    enum class Paths : std::uint8_t { v1, all };
    Paths paths = Paths::v1;
    std::vector<std::string> hosts; // as normal_host has them; empty: every host

    // /v1 and what is below, what is said of it to programs of others (RFC 9728), and messages to /mcp:
    // posted, because a link may have that slashtag.
    [[nodiscard]] bool covers_path(std::string_view path, Method method) const;
    [[nodiscard]] bool covers_host(std::string_view host) const;
    // By both, and what else assistants send to /mcp: no visitor shows a key.
    [[nodiscard]] bool covers(const RequestHead& head) const;
};

using ConnectionHoldings = Holdings<redirect::Address, HashAddress>;
using ConnectionSlot = ConnectionHoldings::One;

// What all I/O threads count together.
struct Occupancy {
    std::atomic<std::size_t> connections{0};
    ConnectionHoldings connections_by_address;
    std::atomic<std::size_t> bodies_bytes{0}; // being received or served, of requests that show a key
    std::atomic<std::size_t> keyless_bodies_bytes{0};
    Holdings<Holder> bodies_bytes_by_holder;
};

using ListHook = boost::intrusive::list_member_hook<>;

struct SessionShared;

class Session final : public Occupant, public boost::intrusive::list_base_hook<> {
  public:
    // `peer` is the other end of the connection, which may be a proxy; `slot` is its place among those of its
    // address.
    Session(SessionShared& shared, std::unique_ptr<Transport> transport, const redirect::Address& peer,
            ConnectionSlot slot);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    // Awaits the first request. Called once.
    void begin() { await(); }
    // The socket is ready, or was closed; `await` is over either way.
    void on_ready(Readiness what);
    // Something threw while it was served (there is no memory): the connection ends.
    void give_up() noexcept;
    // Goes on where the last turn stopped for others.
    void on_turn();
    // The reply to what a worker was asked is there.
    void on_reply(const Reply& reply);
    // Acts on a deadline that has passed.
    void on_tick();
    // The server stops: what has arrived is answered still, an idle connection closed.
    void drain();
    void close();

    [[nodiscard]] bool is_closed() const { return transport_ == nullptr; }
    // In whatever phase: but who waits for us, and has not sent more meanwhile, is not the one.
    [[nodiscard]] bool may_make_way() const override;
    void make_way() override { close(); }

    ListHook in_again, in_dead, in_mail; // of the thread's lists
    Reply delivered;                     // while it is in the mail

  private:
    enum class Phase : std::uint8_t {
        idle,     // between requests
        head,     // some of a head has arrived
        body,     // the head of an API request is read, its body is not
        calling,  // workers have it: the API, or who makes pages
        parts,    // a part of a long answer is on its way; the next one is asked for when it is sent
        pausing,  // and when the pause behind it is over
        lingering // all is said; what still arrives is thrown away so that the answer gets through
    };
    // What comes after the answers now in the output.
    enum class Then : std::uint8_t { go_on, close, linger };

    // What a worker is to answer.
    struct Call {
        bool api = true;        // else a visitor's page
        bool asks_body = false; // the worker says whether the body may be read
        Request request;        // of a page the method only
        Holder holder = 0;
        bool has_key = false; // so the holder is that
        WorkerPool* workers = nullptr;
        Persistence persistence = Persistence::keep;
        bool expects_continue = false;
        std::unique_ptr<BodyReader> body;
        SteadyTime complete_at{};
        std::size_t body_bytes = 0; // of the occupancy's
        bool http10 = false;
        std::shared_ptr<redirect::PageOrder> order = {};          // a visitor's
        std::function<std::optional<ReplyPart>()> next_part = {}; // of an answer that has begun
        std::chrono::milliseconds pause{0};                       // before it is asked for
    };

    void advance();
    void settle();
    void change_memory(std::size_t bytes);
    void await();
    void end_if_over();
    [[nodiscard]] bool is_idle() const;

    void read_and_answer();
    std::size_t consume(std::string_view bytes, Turn& turn);
    std::size_t pass_over_unread(std::span<char> begun);
    std::size_t take_request(std::string_view bytes);
    std::size_t take_body(std::string_view bytes);
    bool answer_by_rules(const RequestHead& head, const Sender& client);
    void redirect(const RequestHead& head, const Sender& client);
    void order_page(const RequestHead& head, const Sender& client, Persistence persistence);
    void await_form(const RequestHead& head);
    void submit_page();
    void end_after(const RequestHead& head, Persistence persistence);
    void begin_call(const RequestHead& head, const Sender& client, std::string_view behind_head);
    [[nodiscard]] bool is_whole(const RequestHead& head, std::string_view behind_head) const;
    void ask_for_body(const RequestHead& head);
    void begin_body(bool something_has_arrived);
    bool is_told_to_go_on(const Reply& reply);
    void submit();
    [[nodiscard]] Job job_of(Job::Kind kind);
    void hand_over(Job job);
    bool account_for_body();
    void end_call();
    [[nodiscard]] std::atomic<std::size_t>& all_bodies_bytes() const;

    void refuse(const Refusal& refusal, std::string_view path, std::string_view host, Method method);
    void answer_call(const Reply& reply);
    void begin_parts(const Reply& reply, Persistence persistence);
    void take_part(const Reply& reply);
    void enter_parts(std::chrono::milliseconds pause);
    void end_parts();
    void pass_pause();
    void ask_for_part();
    [[nodiscard]] Framing framing() const { return call_->http10 ? Framing::until_close : Framing::chunks; }
    bool flush();
    void keep_unsent(std::size_t sent);
    bool send_unsent();
    void leave();
    void linger();
    void enter(Phase phase);
    [[nodiscard]] bool stopped() const;
    [[nodiscard]] std::string_view date_line() const;
    [[nodiscard]] std::string_view visitor_line() const;
    [[nodiscard]] Persistence persistence_of(const RequestHead& head) const;
    [[nodiscard]] Persistence visitor_persistence(const RequestHead& head) const;

    SessionShared& shared_;
    std::unique_ptr<Transport> transport_; // null once closed
    const bool secure_;
    const Sender peer_;
    const redirect::Address client_; // whom places are counted for; not known: nobody, as it is a proxy's
    ConnectionSlot slot_;
    Room::Seat connection_{*this};
    Room::Seat memory_{*this};
    Phase phase_ = Phase::head; // a new connection owes its first request
    Then then_ = Then::go_on;
    std::bitset<readiness_kinds> awaited_; // by Readiness; stays until the socket is ready or closed
    bool readable_ = false;                // there may be something to read
    bool others_first_ = false;            // its turn is over, and it has more to do
    std::uint32_t redirects_unsent_ = 0;   // answered in this turn, for the counters
    std::size_t examined_ = 0;             // of a partial head: no empty line before this
    std::size_t passed_over_ = 0;          // bytes of a partial head that were dropped
    std::size_t lingered_bytes_ = 0;
    SteadyTime deadline_;
    std::string carry_;  // received, not yet understood or not yet its turn
    std::string unsent_; // answers the socket had no room for
    std::size_t sent_ = 0;
    std::unique_ptr<Call> call_;
    std::atomic<bool> gone_ = false; // closed: workers end what they do for it
};

template <ListHook Session::* hook>
using SessionList = boost::intrusive::list<Session, boost::intrusive::member_hook<Session, ListHook, hook>>;

// What the sessions of one I/O thread share.
struct SessionShared {
    // Set once.
    const Limits& limits;
    const ApiScope& scope;
    const RefuseApi& refuse_api;
    const AdmitBody& admit_body;     // empty: everybody may send one
    const KeyAccounts* key_accounts; // null: everybody is a caller
    WorkerPool& workers;
    WorkerPool& visitor_workers;
    ReplySink& sink;
    Waiter& waiter;
    Occupancy& occupancy;          // of the whole process
    Redirects* redirects;          // null when the scope is `all`
    const HttpsRules* https_rules; // null when there are none
    const TrustedProxies& proxies;
    IoCounters& counters;
    std::size_t waiting_bytes_max; // of this thread

    // Of this thread.
    Room connections{connections_of_a_browser};
    Room memory{0}; // bytes that wait: input that is not understood, answers that are not taken

    // Of this turn of the thread.
    SteadyTime now{};
    std::string_view date_line;
    std::string_view secure_date_line; // for connections with TLS
    std::string_view visitor_line;     // the same two of answers to visitors
    std::string_view secure_visitor_line;
    bool draining = false; // the server stops: every answer is the last one of its connection

    // Scratch, empty between two turns.
    std::vector<char> input;
    std::string output;
    RequestHead head;

    SessionList<&Session::in_again> again; // have more to do, but others come first
    SessionList<&Session::in_dead> dead;   // to be deleted at the end of the turn
};

} // namespace slashpost::http

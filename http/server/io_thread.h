#pragma once
// One I/O thread: its listeners, its sessions, and the Asio context that runs them. Nothing here is shared
// with other threads but the mailbox through which replies and the order to stop arrive.
#include "http/server/listener.h"
#include "http/server/session.h"
#include "http/server/tls.h"
#include "http/server/worker_pool.h"

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/intrusive/list.hpp>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace slashpost::http {

// What the I/O threads of a server have in common. Outlives them.
struct IoEnvironment {
    const Limits& limits;
    const ApiScope& scope;
    const RefuseApi& refuse_api;
    WorkerPool& workers;
    WorkerPool& visitor_workers;
    const AdmitBody& admit_body;
    const KeyAccounts* key_accounts = nullptr;
    Occupancy& occupancy;
    std::size_t connections_max = 0;
    std::size_t connections_per_address = 0;
    std::size_t handshakes_max = 0;    // of one thread
    std::size_t waiting_bytes_max = 0; // of one thread
    const TrustedProxies& proxies;
    const HttpsRules* https_rules = nullptr;
    const TlsContext* tls = nullptr; // null: no listener has it
    std::string secure_lines;        // headers of every answer over TLS
    std::string visitor_lines;       // headers of every answer to a visitor
    std::function<void()> on_exit;   // called once by each thread when its last session is gone
};

class IoThread final : public ReplySink, private Waiter {
  public:
    enum class Order : std::uint8_t { run, drain, close }; // only ever forward

    // Throws Boost's system_error when the system refuses what is waited with.
    IoThread(const IoEnvironment& environment, std::optional<Redirects> redirects);
    ~IoThread() override;

    // Throws as well. Connections are accepted once it is started; `tls_sockets` only where the environment
    // has a context.
    void open(std::vector<ListeningSocket> sockets, std::vector<ListeningSocket> tls_sockets);
    void start();
    // drain: accept no more, answer what has arrived, end when all sessions are gone. close: end them now;
    // a session that waits for the API goes when its reply arrives.
    void order(Order order);
    void join();

    void deliver(Session& session, Reply reply) noexcept override;
    [[nodiscard]] const IoCounters& counters() const { return counters_; }
    // Whether it has had a turn since this was asked last, which it has at least at every tick while it
    // lives.
    bool has_moved() { return moved_.exchange(false, std::memory_order_relaxed); }

  private:
    void run();
    void keep_time();
    template <class Do>
    void take_turn(Do what) noexcept;
    void on_ready(Session& session, Readiness what) noexcept override;
    void wake() noexcept;
    void go_on_later() noexcept;
    void go_on();
    void read_mail();
    void tick();
    void bury();
    enum class Security : std::uint8_t { plain, tls };
    void listen(std::vector<ListeningSocket> sockets, Security security);
    void on_accept(Socket socket, Security security, const redirect::Address& peer);
    void admit(Socket socket, Security security, const redirect::Address& peer);
    bool evict(Occupant* occupant);
    void obey(Order order);

    const IoEnvironment& environment_;
    std::optional<Redirects> redirects_;
    IoCounters counters_;
    boost::asio::io_context context_{1}; // one thread runs it
    std::thread thread_;

    // Owned by the thread.
    SessionShared shared_;
    boost::asio::steady_timer timer_{context_};
    DateLine date_;
    DateLine secure_date_;
    std::optional<DateLine> visitor_date_, secure_visitor_date_; // where visitors are told more
    Handshakes handshakes_;
    std::deque<Listener> listeners_;
    boost::intrusive::list<Session> sessions_;
    Order order_ = Order::run;
    bool goes_on_ = false; // `go_on` will be called

    std::atomic<bool> moved_ = false;

    std::mutex mutex_;
    // Guarded by mutex_.
    SessionList<&Session::in_mail> mail_; // whose replies are there
    Order ordered_ = Order::run;
};

} // namespace slashpost::http

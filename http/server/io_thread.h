#pragma once
// One I/O thread: its listeners, its sessions, and the loop that runs them. Nothing here is shared with
// other threads but the mailbox through which replies and the order to stop arrive.
#include "http/server/event_loop.h"
#include "http/server/listener.h"
#include "http/server/session.h"
#include "http/server/tls.h"
#include "http/server/worker_pool.h"

#include <atomic>
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
    std::function<void()> on_exit;   // called once by each thread when its last session is gone
};

class IoThread final : public ReplySink {
  public:
    enum class Order : std::uint8_t { run, drain, close }; // only ever forward

    IoThread(const IoEnvironment& environment, std::optional<Redirects> redirects);
    ~IoThread() override;

    // `tls_sockets` only where the environment has a context.
    Result<void> open(std::vector<Fd> sockets, std::vector<Fd> tls_sockets);
    void start();
    // drain: accept no more, answer what has arrived, end when all sessions are gone. close: end them now;
    // a session that waits for the API goes when its reply arrives.
    void order(Order order);
    void join();

    void deliver(Session& session, Reply reply) noexcept override;
    [[nodiscard]] const IoCounters& counters() const { return counters_; }

  private:
    void run();
    void take_turn(int timeout_ms);
    void go_on();
    void read_mail();
    void tick();
    void bury();
    enum class Security : std::uint8_t { plain, tls };
    void listen(std::vector<Fd> sockets, Security security);
    void on_accept(Fd fd, Security security, const redirect::Address& peer);
    void admit(Fd fd, Security security, const redirect::Address& peer);
    bool evict(Occupant* occupant);
    void obey(Order order);

    const IoEnvironment& environment_;
    std::optional<Redirects> redirects_;
    IoCounters counters_;
    EventLoop loop_;
    std::thread thread_;

    // Owned by the thread.
    SessionShared shared_;
    DateLine date_;
    DateLine secure_date_;
    Handshakes handshakes_;
    std::deque<Listener> listeners_;
    boost::intrusive::list<Session> sessions_;
    Order order_ = Order::run;

    std::mutex mutex_;
    // Guarded by mutex_.
    SessionList<&Session::in_mail> mail_; // whose replies are there
    Order ordered_ = Order::run;
};

} // namespace slashpost::http

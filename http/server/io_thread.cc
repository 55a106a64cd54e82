#include "http/server/io_thread.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <pthread.h>

namespace slashpost::http {

namespace {

constexpr std::uint32_t session_events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

// What throws (there is no memory, as a rule) ends one connection, not the server.
template <class Do>
void run_or_give_up(Watcher& watcher, Do what) noexcept {
    try {
        what();
    } catch (...) {
        watcher.give_up();
    }
}

} // namespace

IoThread::IoThread(const IoEnvironment& environment, std::optional<Redirects> redirects)
    : environment_(environment),
      redirects_(std::move(redirects)),
      shared_{.limits = environment.limits,
              .scope = environment.scope,
              .refuse_api = environment.refuse_api,
              .admit_body = environment.admit_body,
              .key_accounts = environment.key_accounts,
              .workers = environment.workers,
              .visitor_workers = environment.visitor_workers,
              .sink = *this,
              .occupancy = environment.occupancy,
              .redirects = redirects_ ? &*redirects_ : nullptr,
              .https_rules = environment.https_rules,
              .proxies = environment.proxies,
              .counters = counters_,
              .waiting_bytes_max = environment.waiting_bytes_max},
      secure_date_(environment.secure_lines),
      handshakes_(environment.handshakes_max, counters_) {
    const Limits& limits = environment.limits;
    shared_.input.resize(std::max(limits.input_bytes, 2 * limits.header_bytes_read_max));
}

// One that was started runs still when another could not be.
IoThread::~IoThread() {
    order(Order::close);
    join();
}

Result<void> IoThread::open(std::vector<Fd> sockets, std::vector<Fd> tls_sockets) {
    TRY(loop_.open());
    listen(std::move(sockets), Security::plain);
    listen(std::move(tls_sockets), Security::tls);
    return {};
}

void IoThread::listen(std::vector<Fd> sockets, Security security) {
    for (Fd& socket : sockets) {
        listeners_.emplace_back(
            loop_, std::move(socket), environment_.limits.accepts_per_turn,
            [this, security](Fd fd, const redirect::Address& peer) {
                on_accept(std::move(fd), security, peer);
            },
            [this] { counters_.refused_connections.add(); });
    }
}

void IoThread::start() {
    thread_ = std::thread([this] { run(); });
    ::pthread_setname_np(thread_.native_handle(), "io");
}

void IoThread::join() {
    if (thread_.joinable())
        thread_.join();
}

void IoThread::order(Order order) {
    {
        const std::lock_guard lock(mutex_);
        ordered_ = std::max(ordered_, order);
    }
    loop_.wake();
}

// Wakes under the lock: when the last reply of a server that stops can be read, nobody is to need the loop.
void IoThread::deliver(Session& session, Reply reply) noexcept {
    const std::lock_guard lock(mutex_);
    session.delivered = std::move(reply);
    if (!session.in_mail.is_linked())
        mail_.push_back(session);
    if (mail_.size() == 1)
        loop_.wake();
}

void IoThread::run() {
    auto next_tick = std::chrono::steady_clock::now() + environment_.limits.tick;
    while (order_ == Order::run || !sessions_.empty()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(next_tick - shared_.now).count();
        const bool busy = !shared_.again.empty();
        take_turn(busy ? 0 : static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
        if (shared_.now >= next_tick) {
            next_tick = shared_.now + environment_.limits.tick;
            tick();
        }
        bury();
    }
    environment_.on_exit();
}

void IoThread::take_turn(int timeout_ms) {
    const auto events = loop_.wait(timeout_ms);
    shared_.now = std::chrono::steady_clock::now();
    const std::time_t second = std::time(nullptr);
    shared_.date_line = date_.at(second);
    shared_.secure_date_line = secure_date_.at(second);
    bool has_mail = false;
    for (const epoll_event& event : events) {
        if (event.data.ptr == nullptr) {
            has_mail = true;
            continue;
        }
        auto& watcher = *static_cast<Watcher*>(event.data.ptr);
        run_or_give_up(watcher, [&] { watcher.on_events(event.events); });
    }
    if (has_mail)
        read_mail();
    go_on();
}

// Those whose turn was over, one after the other, each as often as the others; but not for long, as what is
// new waits meanwhile.
void IoThread::go_on() {
    const auto until = shared_.now + environment_.limits.turns_time;
    for (std::size_t left = shared_.again.size(); left > 0 && !shared_.again.empty(); --left) {
        Session& session = shared_.again.front();
        shared_.again.pop_front();
        run_or_give_up(session, [&] { session.on_turn(); });
        if (std::chrono::steady_clock::now() >= until)
            return;
    }
}

void IoThread::read_mail() {
    SessionList<&Session::in_mail> mail;
    Order order = Order::run;
    {
        const std::lock_guard lock(mutex_);
        mail.swap(mail_);
        order = ordered_;
    }
    while (!mail.empty()) {
        Session& session = mail.front();
        mail.pop_front();
        const Reply reply = std::move(session.delivered);
        run_or_give_up(session, [&] { session.on_reply(reply); });
    }
    if (order > order_)
        obey(order);
}

void IoThread::obey(Order order) {
    order_ = order;
    for (Listener& listener : listeners_)
        listener.finish();
    shared_.draining = true;
    for (Session& session : sessions_) {
        if (session.is_closed())
            continue;
        if (order == Order::close)
            session.close();
        else
            run_or_give_up(session, [&] { session.drain(); });
    }
}

void IoThread::tick() {
    for (Session& session : sessions_)
        run_or_give_up(session, [&] { session.on_tick(); });
    for (Listener& listener : listeners_)
        listener.resume();
}

// Sessions are deleted only here, when no event of this turn can name them any more.
void IoThread::bury() {
    while (!shared_.dead.empty()) {
        Session& session = shared_.dead.front();
        shared_.dead.pop_front();
        sessions_.erase(sessions_.iterator_to(session));
        delete &session;
        environment_.occupancy.connections.fetch_sub(1, std::memory_order_relaxed);
    }
}

void IoThread::on_accept(Fd fd, Security security, const redirect::Address& peer) {
    try {
        admit(std::move(fd), security, peer);
    } catch (...) { // there is no memory for it
        counters_.refused_connections.add();
    }
}

// When there is no room, one that has done nothing for long makes way: of the same address, when that has its
// share already, else of whoever has most.
void IoThread::admit(Fd fd, Security security, const redirect::Address& peer) {
    Occupancy& occupancy = environment_.occupancy;
    ConnectionSlot slot;
    if (!environment_.proxies.cover(peer)) {
        auto& by_address = occupancy.connections_by_address;
        const auto client = peer.network();
        const auto take = [&] { return by_address.take(client, 1, environment_.connections_per_address); };
        if (!take() && !(evict(shared_.connections.first_to_go_of(client)) && take()))
            return counters_.refused_connections.add();
        slot = {by_address, client};
    }
    if (occupancy.connections.load(std::memory_order_relaxed) >= environment_.connections_max &&
        !evict(shared_.connections.first_to_go()))
        return counters_.refused_connections.add();

    const int number = fd.get();
    std::unique_ptr<Transport> transport;
    if (security == Security::tls)
        transport = std::make_unique<TlsTransport>(
            std::move(fd), *environment_.tls, handshakes_,
            environment_.proxies.cover(peer) ? redirect::Address{} : peer.network(), shared_.now);
    else
        transport = std::make_unique<PlainTransport>(std::move(fd));
    auto session = std::make_unique<Session>(shared_, std::move(transport), peer, std::move(slot));
    if (!loop_.add(number, session_events, *session)) {
        counters_.refused_connections.add();
        return;
    }
    occupancy.connections.fetch_add(1, std::memory_order_relaxed);
    counters_.accepted.add();
    sessions_.push_back(*session.release());
}

bool IoThread::evict(Occupant* occupant) {
    if (occupant == nullptr)
        return false;
    counters_.evicted.add();
    occupant->make_way();
    return true;
}

} // namespace slashpost::http

#include "http/server/io_thread.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <pthread.h>

namespace slashpost::http {

namespace {

// How many of the oldest sessions are looked at for one to close when there is no room.
constexpr unsigned eviction_candidates = 64;

constexpr std::uint32_t session_events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET;

} // namespace

IoThread::IoThread(const IoEnvironment& environment, std::optional<Redirects> redirects)
    : environment_(environment),
      redirects_(std::move(redirects)),
      shared_{.limits = environment.limits,
              .scope = environment.scope,
              .refuse_api = environment.refuse_api,
              .workers = environment.workers,
              .visitor_workers = environment.visitor_workers,
              .sink = *this,
              .bodies_bytes = environment.bodies_bytes,
              .redirects = redirects_ ? &*redirects_ : nullptr,
              .https_rules = environment.https_rules,
              .proxies = environment.proxies,
              .counters = counters_},
      secure_date_(environment.secure_lines),
      handshakes_(environment.handshakes_max, counters_) {
    const Limits& limits = environment.limits;
    shared_.input.resize(std::max(limits.input_bytes, 2 * limits.header_bytes_read_max));
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
            [this, security](Fd fd) { on_accept(std::move(fd), security); },
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
void IoThread::deliver(Session& session, Reply reply) {
    const std::lock_guard lock(mutex_);
    mail_.emplace_back(&session, std::move(reply));
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
        if (event.data.ptr == nullptr)
            has_mail = true;
        else
            static_cast<Watcher*>(event.data.ptr)->on_events(event.events);
    }
    if (has_mail)
        read_mail();
    std::vector<Session*> again;
    again.swap(shared_.again);
    for (Session* session : again)
        session->on_turn();
}

void IoThread::read_mail() {
    std::vector<std::pair<Session*, Reply>> mail;
    Order order = Order::run;
    {
        const std::lock_guard lock(mutex_);
        mail.swap(mail_);
        order = ordered_;
    }
    for (const auto& [session, reply] : mail)
        session->on_reply(reply);
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
            session.drain();
    }
}

void IoThread::tick() {
    for (Session& session : sessions_)
        session.on_tick();
    for (Listener& listener : listeners_)
        listener.resume();
}

// Sessions are deleted only here, when no event of this turn can name them any more.
void IoThread::bury() {
    std::erase_if(shared_.dead, [this](Session* session) {
        if (session->is_queued())
            return false;
        sessions_.erase(sessions_.iterator_to(*session));
        delete session;
        environment_.connections_open.fetch_sub(1, std::memory_order_relaxed);
        return true;
    });
}

void IoThread::on_accept(Fd fd, Security security) {
    if (environment_.connections_open.load(std::memory_order_relaxed) >= environment_.connections_max &&
        !make_room()) {
        counters_.refused_connections.add();
        return;
    }
    const int number = fd.get();
    std::unique_ptr<Transport> transport;
    if (security == Security::tls)
        transport = std::make_unique<TlsTransport>(std::move(fd), *environment_.tls, handshakes_);
    else
        transport = std::make_unique<PlainTransport>(std::move(fd));
    auto session = std::make_unique<Session>(shared_, std::move(transport));
    if (!loop_.add(number, session_events, *session)) {
        counters_.refused_connections.add();
        return;
    }
    environment_.connections_open.fetch_add(1, std::memory_order_relaxed);
    counters_.accepted.add();
    sessions_.push_back(*session.release());
}

// Many connections that say nothing must not keep out one that would: the oldest idle one goes.
bool IoThread::make_room() {
    unsigned seen = 0;
    for (Session& session : sessions_) {
        if (++seen > eviction_candidates)
            break;
        if (session.may_make_way()) {
            session.close();
            return true;
        }
    }
    return false;
}

} // namespace slashpost::http

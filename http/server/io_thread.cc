#include "http/server/io_thread.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <chrono>
#include <ctime>
#include <pthread.h>

namespace slashpost::http {

namespace {

// Until memory is asked for again by a thread that got none even to be woken.
constexpr std::chrono::milliseconds without_memory_pause{10};

// What throws (there is no memory, as a rule) ends one connection, not the server.
template <class Do>
void run_or_give_up(Session& session, Do what) noexcept {
    try {
        what();
    } catch (...) {
        session.give_up();
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
              .waiter = *this,
              .occupancy = environment.occupancy,
              .redirects = redirects_ ? &*redirects_ : nullptr,
              .https_rules = environment.https_rules,
              .proxies = environment.proxies,
              .counters = counters_,
              .waiting_bytes_max = environment.waiting_bytes_max},
      secure_date_(environment.secure_lines),
      handshakes_(environment.handshakes_max, counters_) {
    if (!environment.visitor_lines.empty()) {
        visitor_date_.emplace(environment.visitor_lines);
        secure_visitor_date_.emplace(environment.secure_lines + environment.visitor_lines);
    }
    const Limits& limits = environment.limits;
    shared_.input.resize(std::max(limits.input_bytes, 2 * limits.header_bytes_read_max));
}

// One that was started runs still when another could not be.
IoThread::~IoThread() {
    order(Order::close);
    join();
}

void IoThread::open(std::vector<ListeningSocket> sockets, std::vector<ListeningSocket> tls_sockets) {
    listen(std::move(sockets), Security::plain);
    listen(std::move(tls_sockets), Security::tls);
}

void IoThread::listen(std::vector<ListeningSocket> sockets, Security security) {
    const unsigned accepts = environment_.limits.accepts_per_turn;
    for (ListeningSocket& listening : sockets) {
        listeners_.emplace_back(
            context_, std::move(listening),
            [this, accepts](Listener& listener) { take_turn([&] { listener.accept(accepts); }); },
            [this, security](Socket socket, const redirect::Address& peer) {
                on_accept(std::move(socket), security, peer);
            },
            [this] { counters_.refused_connections.add(); });
        listeners_.back().resume();
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
    const std::lock_guard lock(mutex_);
    ordered_ = std::max(ordered_, order);
    wake();
}

// Wakes under the lock: when the last reply of a server that stops can be read, nobody is to need the
// context.
void IoThread::deliver(Session& session, Reply reply) noexcept {
    const std::lock_guard lock(mutex_);
    session.delivered = std::move(reply);
    if (!session.in_mail.is_linked())
        mail_.push_back(session);
    if (mail_.size() == 1)
        wake();
}

void IoThread::wake() noexcept {
    try {
        boost::asio::post(context_, [this] { take_turn([this] { read_mail(); }); });
    } catch (...) { // there is no memory for it
        return;     // the next tick reads the mail
    }
}

void IoThread::run() {
    for (;;) {
        try {
            keep_time();
            context_.run(); // until the last session is gone
            break;
        } catch (...) { // there was no memory to keep time with
            std::this_thread::sleep_for(without_memory_pause);
        }
    }
    environment_.on_exit();
}

void IoThread::keep_time() {
    timer_.expires_after(environment_.limits.tick);
    timer_.async_wait([this](const boost::system::error_code& error) {
        if (error)
            return;
        keep_time();
        take_turn([this] { tick(); });
    });
}

// All that the thread does is done in turns.
template <class Do>
void IoThread::take_turn(Do what) noexcept {
    shared_.now = std::chrono::steady_clock::now();
    const std::time_t second = std::time(nullptr);
    shared_.date_line = date_.at(second);
    shared_.secure_date_line = secure_date_.at(second);
    shared_.visitor_line = visitor_date_ ? visitor_date_->at(second) : shared_.date_line;
    shared_.secure_visitor_line =
        secure_visitor_date_ ? secure_visitor_date_->at(second) : shared_.secure_date_line;
    what();
    bury();
    if (order_ != Order::run && sessions_.empty())
        context_.stop();
    else if (!shared_.again.empty() && !goes_on_)
        go_on_later();
}

void IoThread::on_ready(Session& session, Readiness what) noexcept {
    take_turn([&] { run_or_give_up(session, [&] { session.on_ready(what); }); });
}

void IoThread::go_on_later() noexcept {
    try {
        boost::asio::post(context_, [this] {
            goes_on_ = false;
            take_turn([this] { go_on(); });
        });
        goes_on_ = true;
    } catch (...) { // there is no memory for it
        return;     // the next turn tries again, at the latest that of the tick
    }
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
    moved_.store(true, std::memory_order_relaxed);
    read_mail();
    for (Session& session : sessions_)
        run_or_give_up(session, [&] { session.on_tick(); });
    for (Listener& listener : listeners_)
        listener.resume();
}

// Sessions are deleted only here, when nothing of this turn can name them any more.
void IoThread::bury() {
    while (!shared_.dead.empty()) {
        Session& session = shared_.dead.front();
        shared_.dead.pop_front();
        sessions_.erase(sessions_.iterator_to(session));
        delete &session;
        environment_.occupancy.connections.fetch_sub(1, std::memory_order_relaxed);
    }
}

void IoThread::on_accept(Socket socket, Security security, const redirect::Address& peer) {
    try {
        admit(std::move(socket), security, peer);
    } catch (...) { // there is no memory for it
        counters_.refused_connections.add();
    }
}

// When there is no room, one that has done nothing for long makes way: of the same address, when that has its
// share already, else of whoever has most.
void IoThread::admit(Socket socket, Security security, const redirect::Address& peer) {
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

    std::unique_ptr<Transport> transport = std::make_unique<PlainTransport>(std::move(socket));
    if (security == Security::tls)
        transport = std::make_unique<TlsTransport>(
            std::move(transport), *environment_.tls, handshakes_,
            environment_.proxies.cover(peer) ? redirect::Address{} : peer.network(), shared_.now);
    auto made = std::make_unique<Session>(shared_, std::move(transport), peer, std::move(slot));
    occupancy.connections.fetch_add(1, std::memory_order_relaxed);
    counters_.accepted.add();
    Session& session = *made.release();
    sessions_.push_back(session);
    run_or_give_up(session, [&] { session.begin(); });
}

bool IoThread::evict(Occupant* occupant) {
    if (occupant == nullptr)
        return false;
    counters_.evicted.add();
    occupant->make_way();
    return true;
}

} // namespace slashpost::http

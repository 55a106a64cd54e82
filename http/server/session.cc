#include "http/server/session.h"

#include "core/base/host.h"
#include "http/server/holders.h"
#include "http/server/unread_headers.h"

#include <algorithm>
#include <cstring>

namespace slashpost::http {

namespace {

constexpr Refusal too_slow{408, "The request took too long to arrive."};

// The path of a request that never got as far as being parsed, to tell which side it was meant for.
std::string_view guess_path(std::string_view bytes) {
    const std::size_t space = bytes.find(' ');
    return space == std::string_view::npos ? std::string_view{} : bytes.substr(space + 1, 4);
}

bool is_or_below(std::string_view path, std::string_view place) {
    return path.starts_with(place) &&
           (path.size() == place.size() || path[place.size()] == '/' || path[place.size()] == '?');
}

} // namespace

bool ApiScope::covers_path(std::string_view path, Method method) const {
    return paths == Paths::all || is_or_below(path, "/v1") ||
           (method == Method::post && is_or_below(path, "/mcp")) ||
           is_or_below(path, "/.well-known/oauth-protected-resource"); // no slashtag begins with a dot
}

bool ApiScope::covers_host(std::string_view host) const {
    if (hosts.empty())
        return true;
    const auto name = normal_host(host);
    return name && std::ranges::find(hosts, *name) != hosts.end();
}

bool ApiScope::covers(const RequestHead& head) const {
    const bool by_path =
        covers_path(head.path, head.method) || (is_or_below(head.path, "/mcp") && !shown_key(head).empty());
    return by_path && covers_host(head.host);
}

Session::Session(SessionShared& shared, std::unique_ptr<Transport> transport, const redirect::Address& peer,
                 ConnectionSlot slot)
    : shared_(shared),
      transport_(std::move(transport)),
      secure_(transport_->is_secure()),
      peer_{.address = peer, .secure = secure_},
      client_(shared.proxies.cover(peer) ? redirect::Address{} : peer.network()),
      slot_(std::move(slot)),
      deadline_(shared.now + shared.limits.header_deadline) {
    used_at = shared.now;
    shared_.connections.enter(connection_, client_, 1);
}

Session::~Session() {
    shared_.connections.leave(connection_);
    shared_.memory.leave(memory_);
    end_call();
}

void Session::on_ready(Readiness what) {
    awaited_.reset(static_cast<std::size_t>(what));
    if (is_closed())
        return end_if_over();
    if (what == Readiness::hung_up) {
        // Who has only said their last word may still wait for the answer; here both directions are over.
        // What was not that was urgent data, which would be there again at once.
        if (phase_ == Phase::calling && transport_->has_hung_up())
            close();
        return;
    }
    if (what == Readiness::to_read || transport_->reads_when_writable())
        readable_ = true;
    if (!in_again.is_linked()) // else its turn comes
        advance();
}

void Session::give_up() noexcept {
    shared_.output.clear();
    close();
}

void Session::on_turn() { advance(); }

void Session::on_reply(const Reply& reply) {
    if (is_closed()) {
        phase_ = Phase::idle;
        return end_if_over();
    }
    if (call_->next_part)
        take_part(reply);
    else if (!is_told_to_go_on(reply))
        answer_call(reply);
    if (is_closed())
        return;
    if (flush())
        advance();
    else
        settle();
}

void Session::on_tick() {
    if (is_closed() || shared_.now < deadline_ || phase_ == Phase::calling)
        return;
    if (phase_ == Phase::pausing && unsent_.empty()) {
        ask_for_part();
        return settle();
    }
    shared_.counters.expired.add();
    const bool half_a_request = (phase_ == Phase::head && !carry_.empty()) || phase_ == Phase::body;
    if (!unsent_.empty() || !half_a_request)
        return close();
    if (phase_ == Phase::body)
        refuse(too_slow, call_->request.target, call_->request.host, call_->request.method);
    else
        refuse(too_slow, guess_path(carry_), {}, Method::other);
    carry_.clear();
    flush();
    settle();
}

void Session::drain() {
    if (phase_ != Phase::calling)
        readable_ = true; // perhaps a request has just come; ask once
    advance();
}

bool Session::may_make_way() const { return !is_closed() && (phase_ != Phase::calling || !carry_.empty()); }

bool Session::is_idle() const {
    return (phase_ == Phase::idle || phase_ == Phase::head) && carry_.empty() && unsent_.empty();
}

void Session::close() {
    if (is_closed())
        return;
    transport_.reset();
    gone_.store(true, std::memory_order_relaxed);
    slot_ = {};
    shared_.connections.leave(connection_);
    shared_.memory.leave(memory_);
    std::string().swap(carry_);
    std::string().swap(unsent_);
    if (in_again.is_linked())
        shared_.again.erase(shared_.again.iterator_to(*this));
    end_if_over();
}

// Nobody may speak of a session that is dead: neither a worker nor Asio.
void Session::end_if_over() {
    if (is_closed() && phase_ != Phase::calling && awaited_.none())
        shared_.dead.push_back(*this);
}

void Session::advance() {
    if (!is_closed() && (unsent_.empty() || send_unsent())) {
        if (phase_ == Phase::lingering)
            linger();
        else if (phase_ == Phase::parts)
            ask_for_part();
        else if (phase_ == Phase::pausing)
            pass_pause();
        else if (phase_ != Phase::calling)
            read_and_answer();
    }
    settle();
}

// Awaits whatever it goes on with. What was awaited for an earlier reason costs nothing and stays.
void Session::await() {
    if (is_closed() || in_again.is_linked())
        return;
    Readiness what = Readiness::to_read;
    if (!unsent_.empty() || (phase_ != Phase::calling && transport_->reads_when_writable()))
        what = Readiness::to_write;
    else if (phase_ == Phase::calling)
        what = Readiness::hung_up;
    const auto bit = static_cast<std::size_t>(what);
    if (awaited_.test(bit))
        return;
    transport_->await(what, shared_.waiter, *this);
    awaited_.set(bit);
}

// What is left at the end of a turn: who goes on, who keeps what in memory, and what is awaited.
void Session::settle() {
    if (is_closed())
        return;
    const bool has_more = !stopped() || phase_ == Phase::lingering || phase_ == Phase::pausing;
    if (std::exchange(others_first_, false) && has_more && !in_again.is_linked())
        shared_.again.push_back(*this);
    if (shared_.draining && is_idle() && !in_again.is_linked())
        return close();
    const auto room_of = [](const std::string& text) {
        return text.capacity() > std::string().capacity() ? text.capacity() : 0;
    };
    const std::size_t bytes = room_of(carry_) + room_of(unsent_);
    if (bytes != memory_.amount()) [[unlikely]]
        change_memory(bytes);
    await();
}

void Session::change_memory(std::size_t bytes) {
    Room& memory = shared_.memory;
    if (bytes == 0)
        memory.leave(memory_);
    else if (memory_.is_taken())
        memory.change(memory_, bytes);
    else
        memory.enter(memory_, client_, bytes);
    // One alone may have what the largest answer takes.
    while (memory.total() > shared_.waiting_bytes_max && memory.occupants() > 1) {
        Occupant* const other = memory.first_to_go();
        if (other == nullptr)
            return;
        shared_.counters.evicted.add();
        other->make_way(); // perhaps this one
    }
}

// Reads what there is and answers it. Bytes that cannot be used yet are carried to the next turn.
void Session::read_and_answer() {
    Turn turn(shared_.limits.turn_time, shared_.limits.turn_bytes_max);
    std::vector<char>& input = shared_.input;
    std::size_t end = carry_.size();
    std::memcpy(input.data(), carry_.data(), end);
    carry_.clear();
    bool fresh = end > 0;
    for (unsigned reads = 0;;) {
        if (fresh) {
            const std::size_t used = consume({input.data(), end}, turn);
            if (is_closed())
                return;
            end -= used;
            std::memmove(input.data(), input.data() + used, used > 0 ? end : 0);
            if (phase_ == Phase::head && end > shared_.limits.header_bytes_read_max && !stopped() &&
                !others_first_)
                end = pass_over_unread({input.data(), end});
        }
        if (stopped() || others_first_ || !readable_)
            break;
        if (reads++ == shared_.limits.reads_per_turn) {
            others_first_ = true;
            break;
        }
        const Transport::Result got = transport_->read(input.data() + end, input.size() - end);
        if (got.status == Transport::Status::failed)
            return close();
        if (got.status == Transport::Status::end) {
            // Nobody will finish what was begun; what was asked before is answered.
            readable_ = false;
            then_ = Then::close;
            end = 0;
            break;
        }
        fresh = got.status == Transport::Status::ok;
        if (got.bytes > 0)
            used_at = shared_.now;
        readable_ = fresh && !got.drained;
        end += got.bytes;
    }
    carry_.assign(input.data(), end);
    if (end == 0 && carry_.capacity() > std::string().capacity())
        std::string().swap(carry_);
    if (is_idle() && phase_ == Phase::idle)
        enter(Phase::idle);
    flush();
}

// A head that is longer than what is kept of one: what nobody reads of it need not be carried.
std::size_t Session::pass_over_unread(std::span<char> begun) {
    const auto left = drop_unread_values(begun);
    passed_over_ += begun.size() - left;
    examined_ = left;
    if (left > shared_.limits.header_bytes_read_max)
        refuse(headers_too_large, guess_path({begun.data(), left}), {}, Method::other);
    return left;
}

bool Session::stopped() const {
    return then_ != Then::go_on || phase_ == Phase::calling || phase_ == Phase::parts ||
           phase_ == Phase::pausing || !unsent_.empty() || is_closed();
}

std::string_view Session::date_line() const { return secure_ ? shared_.secure_date_line : shared_.date_line; }

std::string_view Session::visitor_line() const {
    return secure_ ? shared_.secure_visitor_line : shared_.visitor_line;
}

// Takes as many requests off the front of `bytes` as can be answered now and in this turn. Returns how many
// bytes that were.
std::size_t Session::consume(std::string_view bytes, Turn& turn) {
    std::size_t used = 0;
    while (!stopped() && used < bytes.size()) {
        others_first_ = turn.is_over(shared_.output.size());
        if (others_first_)
            break;
        const std::string_view rest = bytes.substr(used);
        const std::size_t taken = phase_ == Phase::body ? take_body(rest) : take_request(rest);
        used += taken;
        if (taken == 0)
            break;
    }
    return used;
}

std::size_t Session::take_request(std::string_view bytes) {
    // An empty line before a request is passed over (RFC 9112, 2.2).
    if (bytes.starts_with("\r\n"))
        return 2;
    if (phase_ == Phase::head && examined_ > 0 &&
        passed_over_ + bytes.size() < shared_.limits.header_bytes_max) {
        const bool worth_parsing = has_empty_line(bytes, examined_);
        examined_ = bytes.size();
        if (!worth_parsing)
            return 0;
    }
    RequestHead& head = shared_.head;
    switch (bytes == "\r" ? HeadStatus::partial : parse_head(bytes, shared_.limits, head, passed_over_)) {
    case HeadStatus::partial:
        if (phase_ == Phase::idle)
            enter(Phase::head);
        examined_ = bytes.size();
        return 0;
    case HeadStatus::refused:
        refuse(head.refusal, head.path.empty() ? guess_path(bytes) : head.path, head.host, head.method);
        return 0;
    case HeadStatus::complete:
        break;
    }
    phase_ = Phase::idle;
    examined_ = passed_over_ = 0;
    const Sender client = shared_.proxies.client_of(head, peer_);
    if (shared_.https_rules != nullptr && answer_by_rules(head, client))
        return head.bytes;
    if (shared_.scope.covers(head))
        begin_call(head, client, bytes.substr(head.bytes));
    else
        redirect(head, client);
    return head.bytes;
}

Persistence Session::persistence_of(const RequestHead& head) const {
    if (!head.keep_alive || shared_.draining)
        return Persistence::close;
    return head.http10 ? Persistence::keep_http10 : Persistence::keep;
}

bool Session::answer_by_rules(const RequestHead& head, const Sender& client) {
    const Persistence persistence = visitor_persistence(head);
    const auto status =
        shared_.https_rules->answer(head, client.secure, date_line(), persistence, shared_.output);
    if (!status)
        return false;
    end_after(head, persistence);
    count_status(shared_.counters.redirects, *status);
    return true;
}

// Visitors send no bodies, but to guarded links. One that is there is not read; the connection ends instead.
Persistence Session::visitor_persistence(const RequestHead& head) const {
    return head.body == BodyKind::none ? persistence_of(head) : Persistence::close;
}

void Session::end_after(const RequestHead& head, Persistence persistence) {
    if (persistence == Persistence::close)
        then_ = head.body != BodyKind::none ? Then::linger : Then::close;
}

void Session::redirect(const RequestHead& head, const Sender& client) {
    const Persistence persistence = visitor_persistence(head);
    end_after(head, persistence);
    const unsigned status =
        shared_.redirects->serve(head, visitor_line(), persistence, shared_.output, client);
    if (status == 0) [[unlikely]]
        return order_page(head, client, persistence);
    count_status(shared_.counters.redirects, status);
    ++redirects_unsent_;
}

} // namespace slashpost::http

#include "http/server/session.h"

#include "core/base/host.h"
#include "http/server/holders.h"
#include "http/server/unread_headers.h"

#include <algorithm>
#include <cstring>

namespace slashpost::http {

namespace {

constexpr Refusal too_slow{408, "The request took too long to arrive."};
constexpr Refusal body_too_large{413, "The body is larger than this server accepts."};
constexpr Refusal bad_body{400, "The body is not framed correctly."};
constexpr Refusal overloaded{503, "Too many requests are waiting; try again in a moment."};
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

// The path of a request that never got as far as being parsed, to tell which side it was meant for.
std::string_view guess_path(std::string_view bytes) {
    const std::size_t space = bytes.find(' ');
    return space == std::string_view::npos ? std::string_view{} : bytes.substr(space + 1, 4);
}

} // namespace

bool ApiScope::covers_path(std::string_view path) const {
    return paths == Paths::all ||
           (path.starts_with("/v1") && (path.size() == 3 || path[3] == '/' || path[3] == '?'));
}

bool ApiScope::covers_host(std::string_view host) const {
    if (hosts.empty())
        return true;
    const auto name = normal_host(host);
    return name && std::ranges::find(hosts, *name) != hosts.end();
}

Session::Session(SessionShared& shared, std::unique_ptr<Transport> transport)
    : shared_(shared),
      transport_(std::move(transport)),
      secure_(transport_->is_secure()),
      deadline_(shared.now + shared.limits.header_deadline) {}

Session::~Session() { end_call(); }

void Session::on_events(std::uint32_t events) {
    // Who has only said their last word may still wait for the answer; here both directions are over.
    if (phase_ == Phase::calling && (events & (EPOLLHUP | EPOLLERR)) != 0)
        return close();
    if (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR))
        readable_ = hung_up_ = true;
    else if ((events & EPOLLIN) || (transport_ && transport_->reads_when_writable()))
        readable_ = true;
    advance();
}

void Session::on_turn() {
    queued_again_ = false;
    advance();
}

void Session::on_reply(const Reply& reply) {
    if (is_closed()) {
        phase_ = Phase::idle;
        shared_.dead.push_back(this);
        return;
    }
    answer_call(reply);
    if (flush())
        advance();
}

void Session::on_tick() {
    if (is_closed() || shared_.now < deadline_ || phase_ == Phase::calling)
        return;
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
}

void Session::drain() {
    if (phase_ != Phase::calling)
        readable_ = true; // perhaps a request has just come; ask once
    advance();
}

bool Session::may_make_way() const {
    return !is_closed() && (phase_ == Phase::idle || phase_ == Phase::head) && unsent_.empty();
}

bool Session::is_idle() const {
    return (phase_ == Phase::idle || phase_ == Phase::head) && carry_.empty() && unsent_.empty();
}

void Session::close() {
    if (is_closed())
        return;
    transport_.reset();
    gone_.store(true, std::memory_order_relaxed);
    if (phase_ != Phase::calling)
        shared_.dead.push_back(this);
}

void Session::advance() {
    if (is_closed() || (!unsent_.empty() && !send_unsent()))
        return;
    if (phase_ == Phase::lingering)
        linger();
    else if (phase_ != Phase::calling)
        read_and_answer();
    if (shared_.draining && !is_closed() && is_idle() && !queued_again_)
        close();
}

// Reads what there is and answers it. Bytes that cannot be used yet are carried to the next turn.
void Session::read_and_answer() {
    std::vector<char>& input = shared_.input;
    std::size_t end = carry_.size();
    std::memcpy(input.data(), carry_.data(), end);
    carry_.clear();
    bool fresh = end > 0;
    for (unsigned reads = 0;;) {
        if (fresh) {
            const std::size_t used = consume({input.data(), end});
            if (is_closed())
                return;
            end -= used;
            std::memmove(input.data(), input.data() + used, used > 0 ? end : 0);
            if (phase_ == Phase::head && end > shared_.limits.header_bytes_read_max && !stopped())
                end = pass_over_unread({input.data(), end});
        }
        if (stopped() || !readable_)
            break;
        if (reads++ == shared_.limits.reads_per_turn) {
            queued_again_ = true;
            shared_.again.push_back(this);
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
        // An emptied socket will announce what comes next, but not an end that was announced already.
        readable_ = fresh && (!got.drained || hung_up_);
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
    return then_ != Then::go_on || phase_ == Phase::calling || !unsent_.empty() || is_closed();
}

// Takes as many requests off the front of `bytes` as can be answered now. Returns how many bytes that were.
std::size_t Session::consume(std::string_view bytes) {
    std::size_t used = 0;
    std::size_t answers = 0;
    while (!stopped() && used < bytes.size()) {
        const std::string_view rest = bytes.substr(used);
        const std::size_t taken = phase_ == Phase::body ? take_body(rest) : take_request(rest);
        used += taken;
        if (taken == 0)
            break;
        if (++answers % shared_.limits.pipelined_max == 0 && !stopped())
            flush();
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
    const Sender client = shared_.proxies.client_of(head, peer());
    if (shared_.https_rules != nullptr && answer_by_rules(head, client))
        return head.bytes;
    if (shared_.scope.covers_path(head.path) && shared_.scope.covers_host(head.host))
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

// The other end of the connection, which may be a proxy.
const Sender& Session::peer() {
    if (!peer_)
        peer_ = {.address = redirect::Address::of(transport_->remote_address()), .secure = secure_};
    return *peer_;
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

// Visitors send no bodies. One that is there is not read; the connection ends instead.
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
    const unsigned status = shared_.redirects->serve(head, date_line(), persistence, shared_.output, client);
    if (status == 0) [[unlikely]]
        return order_page(head, client, persistence);
    count_status(shared_.counters.redirects, status);
    ++redirects_unsent_;
}

// What is dear is made by workers of its own, so that neither redirects nor API calls wait for it.
void Session::order_page(const RequestHead& head, const Sender& client, Persistence persistence) {
    call_ = std::make_unique<Call>();
    call_->api = false;
    call_->request.method = head.method;
    call_->persistence = persistence;
    call_->complete_at = shared_.now;
    phase_ = Phase::calling;
    Job job{.request = {},
            .page = [&redirector = shared_.redirects->redirector(),
                     order = std::shared_ptr(
                         shared_.redirects->take_order())] { return make_page(redirector, *order); },
            .holder = holder_of(client.address),
            .sink = &shared_.sink,
            .session = this,
            .gone = &gone_};
    if (!shared_.visitor_workers.submit(std::move(job)))
        answer_call(text_refusal(overloaded));
}

void Session::begin_call(const RequestHead& head, const Sender& client, std::string_view behind_head) {
    if (head.body == BodyKind::sized && head.body_bytes > shared_.limits.body_bytes_max)
        return refuse(body_too_large, head.path, head.host, head.method);
    call_ = std::make_unique<Call>();
    call_->request = to_request(head);
    call_->request.remote_address = client.address.text();
    const auto key = shown_key(head);
    call_->has_key = !key.empty();
    call_->holder = call_->has_key ? holder_of_key(key) : holder_of(client.address);
    call_->persistence = persistence_of(head);
    if (head.body == BodyKind::none)
        return submit();
    call_->body = std::make_unique<BodyReader>(head, shared_.limits.body_bytes_max);
    if (head.expects_continue && behind_head.empty())
        shared_.output.append(continue_line);
    enter(Phase::body);
}

std::size_t Session::take_body(std::string_view bytes) {
    const BodyReader::Step step = call_->body->feed(bytes, call_->request.body);
    const Request& request = call_->request;
    if (!account_for_body()) {
        refuse(overloaded, request.target, request.host, request.method);
        return step.consumed;
    }
    switch (step.progress) {
    case BodyReader::Progress::more:
        break;
    case BodyReader::Progress::done:
        submit();
        break;
    case BodyReader::Progress::broken:
        refuse(bad_body, request.target, request.host, request.method);
        break;
    case BodyReader::Progress::too_large:
        refuse(body_too_large, request.target, request.host, request.method);
        break;
    }
    return step.consumed;
}

// Bodies are the one thing a stranger can fill the memory with; so they are bounded all together as well.
bool Session::account_for_body() {
    const std::size_t more = call_->request.body.size() - call_->body_bytes;
    call_->body_bytes += more;
    return shared_.bodies_bytes.fetch_add(more, std::memory_order_relaxed) + more <=
           shared_.limits.bodies_bytes_max;
}

void Session::end_call() {
    if (call_)
        shared_.bodies_bytes.fetch_sub(call_->body_bytes, std::memory_order_relaxed);
    call_.reset();
}

void Session::submit() {
    const std::string remote_address = call_->request.remote_address;
    call_->complete_at = shared_.now;
    Job job{.request = std::move(call_->request),
            .page = {},
            .holder = call_->holder,
            .has_key = call_->has_key,
            .sink = &shared_.sink,
            .session = this,
            .gone = &gone_};
    // Also before the request is out of reach: what the answer depends on.
    call_->request.method = job.request.method;
    phase_ = Phase::calling;
    if (!shared_.workers.submit(std::move(job)))
        answer_call(shared_.refuse_api(overloaded, remote_address));
}

void Session::answer_call(const Reply& reply) {
    // The server may have begun to stop while the API worked.
    const Persistence persistence = shared_.draining ? Persistence::close : call_->persistence;
    append_reply(shared_.output, reply, call_->request.method, date_line(), persistence);
    if (persistence == Persistence::close && then_ == Then::go_on)
        then_ = Then::close;
    IoCounters& counters = shared_.counters;
    count_status(call_->api ? counters.api : counters.redirects, reply.status);
    (call_->api ? counters.api_duration : counters.redirect_duration)
        .add(std::chrono::steady_clock::now() - call_->complete_at);
    end_call();
    enter(Phase::idle);
}

// Answers what cannot be served, and ends the connection: where the next request begins is not known.
void Session::refuse(const Refusal& refusal, std::string_view path, std::string_view host, Method method) {
    // The host may not have been read yet.
    const bool api = shared_.scope.covers_path(path) && (host.empty() || shared_.scope.covers_host(host));
    const Reply reply =
        api ? shared_.refuse_api(refusal, call_ ? call_->request.remote_address : peer().address.text())
            : text_refusal(refusal);
    append_reply(shared_.output, reply, method, date_line(), Persistence::close);
    count_status(shared_.counters.refused, refusal.status);
    end_call();
    phase_ = Phase::idle;
    then_ = Then::linger;
}

// Sends the output. False when not all of it is on its way, or the connection is over.
bool Session::flush() {
    std::string& output = shared_.output;
    if (!unsent_.empty()) {
        unsent_.append(output);
        output.clear();
        deadline_ = shared_.now + shared_.limits.write_deadline;
    } else if (!output.empty()) {
        const Transport::Result result = transport_->write(output);
        if (redirects_unsent_ > 0) {
            const auto spent = std::chrono::steady_clock::now() - shared_.now;
            shared_.counters.redirect_duration.add(spent, std::exchange(redirects_unsent_, 0));
        }
        if (result.status == Transport::Status::failed) {
            output.clear();
            close();
            return false;
        }
        if (result.bytes < output.size()) {
            unsent_.assign(output, result.bytes);
            sent_ = 0;
            deadline_ = shared_.now + shared_.limits.write_deadline;
        }
        output.clear();
    }
    if (!unsent_.empty())
        return false;
    if (then_ == Then::go_on)
        return true;
    leave();
    return false;
}

// Goes on with an answer that had no room. True when all of it is on its way and the session goes on.
bool Session::send_unsent() {
    const Transport::Result result = transport_->write(std::string_view(unsent_).substr(sent_));
    if (result.status == Transport::Status::failed) {
        close();
        return false;
    }
    sent_ += result.bytes;
    if (sent_ < unsent_.size())
        return false;
    std::string().swap(unsent_);
    if (then_ != Then::go_on) {
        leave();
        return false;
    }
    enter(phase_);
    return true;
}

// Ends the connection now that everything is sent. Closing a socket with unread bytes in it would take the
// answer away from the client again; so those are read first, for a while.
void Session::leave() {
    if (phase_ == Phase::calling || phase_ == Phase::lingering)
        return;
    if (then_ == Then::close && !readable_ && carry_.empty())
        return close();
    transport_->finish_writing();
    enter(Phase::lingering);
    linger();
}

void Session::linger() {
    carry_.clear();
    while (readable_) {
        const Transport::Result got = transport_->read(shared_.input.data(), shared_.input.size());
        lingered_bytes_ += got.bytes;
        if (got.status == Transport::Status::would_block)
            readable_ = false;
        else if (got.status != Transport::Status::ok || got.bytes == 0 ||
                 lingered_bytes_ > shared_.limits.linger_bytes_max)
            return close();
    }
}

void Session::enter(Phase phase) {
    const Limits& limits = shared_.limits;
    phase_ = phase;
    switch (phase) {
    case Phase::idle:
        deadline_ = shared_.now + limits.idle_deadline;
        break;
    case Phase::head:
        deadline_ = shared_.now + limits.header_deadline;
        break;
    case Phase::body:
        deadline_ = shared_.now + limits.body_deadline;
        break;
    case Phase::calling:
        break;
    case Phase::lingering:
        deadline_ = shared_.now + limits.linger_deadline;
        break;
    }
}

} // namespace slashpost::http

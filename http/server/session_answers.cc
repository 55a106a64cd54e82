// How a session answers: into the shared output, from there to the socket or, when that is full, into memory
// of its own; and how it ends.
#include "http/server/session.h"

namespace slashpost::http {

void Session::answer_call(const Reply& reply) {
    // The server may have begun to stop while the API worked.
    const Persistence persistence =
        shared_.draining || call_->asks_body ? Persistence::close : call_->persistence;
    if (reply.next_part)
        return begin_parts(reply, call_->http10 ? Persistence::close : persistence);
    append_reply(shared_.output, reply, call_->request.method, call_->api ? date_line() : visitor_line(),
                 persistence);
    if (call_->asks_body)
        then_ = Then::linger; // what is still to come is read past, within bounds
    else if (persistence == Persistence::close && then_ == Then::go_on)
        then_ = Then::close;
    IoCounters& counters = shared_.counters;
    count_status(call_->api ? counters.api : counters.redirects, reply.status);
    (call_->api ? counters.api_duration : counters.redirect_duration)
        .add(std::chrono::steady_clock::now() - call_->complete_at);
    end_call();
    enter(Phase::idle);
}

// The rest of the answer is asked for part by part, and nothing is read meanwhile.
void Session::begin_parts(const Reply& reply, Persistence persistence) {
    append_head_of_parts(shared_.output, reply, date_line(), persistence, framing());
    call_->persistence = persistence;
    count_status(shared_.counters.api, reply.status);
    shared_.counters.api_duration.add(std::chrono::steady_clock::now() - call_->complete_at);
    if (call_->request.method == Method::head)
        return end_parts();
    if (!reply.body.empty())
        append_part(shared_.output, reply.body, framing());
    call_->next_part = reply.next_part;
    enter_parts(reply.pause);
}

// A worker has one, or says that there will be none: then the client sees that the answer is not whole.
void Session::take_part(const Reply& reply) {
    if (reply.status != 200) {
        phase_ = Phase::idle; // no worker speaks of it any more
        return close();
    }
    if (!reply.body.empty()) {
        append_part(shared_.output, reply.body, framing());
        used_at = shared_.now;
    }
    if (!reply.body.empty() || reply.pause.count() > 0)
        return enter_parts(reply.pause);
    append_part(shared_.output, {}, framing());
    end_parts();
}

// A server that stops waits for no pause.
void Session::enter_parts(std::chrono::milliseconds pause) {
    call_->pause = pause;
    if (pause.count() == 0)
        return enter(Phase::parts);
    if (!shared_.draining)
        return enter(Phase::pausing);
    append_part(shared_.output, {}, framing());
    end_parts();
}

// Between two parts a client has nothing to say; one that does, or has said its last word, is done with this
// answer.
void Session::pass_pause() {
    if (shared_.draining) {
        enter_parts(call_->pause);
        flush();
        return;
    }
    if (!readable_)
        return;
    const Transport::Result got = transport_->read(shared_.input.data(), shared_.input.size());
    if (got.status == Transport::Status::would_block)
        readable_ = false;
    else if (got.status != Transport::Status::ok || got.bytes > 0)
        return close();
    others_first_ = readable_;
}

void Session::end_parts() {
    if (shared_.draining || call_->persistence == Persistence::close)
        then_ = Then::close;
    end_call();
    enter(Phase::idle);
}

void Session::ask_for_part() {
    Job job = job_of(Job::Kind::part);
    job.next_part = call_->next_part;
    if (call_->workers->submit(std::move(job)))
        phase_ = Phase::calling;
    else
        close();
}

// Answers what cannot be served, and ends the connection: where the next request begins is not known.
void Session::refuse(const Refusal& refusal, std::string_view path, std::string_view host, Method method) {
    // The host may not have been read yet.
    const bool api =
        shared_.scope.covers_path(path, method) && (host.empty() || shared_.scope.covers_host(host));
    const Reply reply = api ? shared_.refuse_api(refusal) : text_refusal(refusal);
    append_reply(shared_.output, reply, method, date_line(), Persistence::close);
    count_status(shared_.counters.refused, refusal.status);
    end_call();
    phase_ = Phase::idle;
    then_ = Then::linger;
}

// Sends the output. False when not all of it is on its way, or the connection is over.
bool Session::flush() {
    std::string& output = shared_.output;
    if (!unsent_.empty() && !output.empty()) {
        unsent_.append(output);
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
            keep_unsent(result.bytes);
            deadline_ = shared_.now + shared_.limits.write_deadline;
        }
    }
    output.clear();
    if (output.capacity() > shared_.limits.output_bytes_kept)
        std::string().swap(output); // the next answers are short again
    if (!unsent_.empty())
        return false;
    if (then_ == Then::go_on)
        return true;
    leave();
    return false;
}

// A long answer is not copied once more.
void Session::keep_unsent(std::size_t sent) {
    std::string& output = shared_.output;
    if (output.size() > shared_.limits.turn_bytes_max) {
        unsent_.swap(output);
        sent_ = sent;
    } else {
        unsent_.assign(output, sent);
        sent_ = 0;
    }
}

// Goes on with an answer that had no room. True when all of it is on its way and the session goes on.
bool Session::send_unsent() {
    const Transport::Result result = transport_->write(std::string_view(unsent_).substr(sent_));
    if (result.status == Transport::Status::failed) {
        close();
        return false;
    }
    sent_ += result.bytes;
    if (result.bytes > 0)
        used_at = shared_.now;
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

// One read a turn: what is thrown away is worth nobody's waiting.
void Session::linger() {
    carry_.clear();
    if (readable_) {
        const Transport::Result got = transport_->read(shared_.input.data(), shared_.input.size());
        lingered_bytes_ += got.bytes;
        if (got.status == Transport::Status::would_block)
            readable_ = false;
        else if (got.status != Transport::Status::ok || got.bytes == 0 ||
                 lingered_bytes_ > shared_.limits.linger_bytes_max)
            return close();
        others_first_ = readable_;
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
    case Phase::parts:
        deadline_ = shared_.now + limits.write_deadline;
        break;
    case Phase::pausing:
        deadline_ = shared_.now + call_->pause;
        break;
    case Phase::lingering:
        deadline_ = shared_.now + limits.linger_deadline;
        break;
    }
}

} // namespace slashpost::http

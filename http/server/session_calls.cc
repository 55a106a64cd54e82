// What a session gives to workers: calls of the API, their bodies, visitors' pages and forms.
#include "http/server/holders.h"
#include "http/server/session.h"

namespace slashpost::http {

namespace {

constexpr Refusal body_too_large{413, "The body is larger than this server accepts."};
constexpr Refusal bad_body{400, "The body is not framed correctly."};
constexpr Refusal overloaded{503, "Too many requests are waiting; try again in a moment."};
constexpr unsigned continue_status = 100;
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

} // namespace

// What is dear is made by workers of its own, so that neither redirects nor API calls wait for it.
void Session::order_page(const RequestHead& head, const Sender& client, Persistence persistence) {
    call_ = std::make_unique<Call>();
    call_->api = false;
    call_->request.method = head.method;
    call_->persistence = persistence;
    call_->complete_at = shared_.now;
    call_->holder = holder_of(client.address);
    call_->workers = &shared_.visitor_workers;
    call_->order = shared_.redirects->take_order();
    if (takes_form(*call_->order) && head.body != BodyKind::none)
        await_form(head);
    else
        submit_page();
}

// The one body of a visitor that is read: the form of a guarded link's page.
void Session::await_form(const RequestHead& head) {
    then_ = Then::go_on;
    call_->persistence = persistence_of(head);
    call_->expects_continue = head.expects_continue;
    if (head.body == BodyKind::sized && head.body_bytes > form_bytes_max)
        return refuse(body_too_large, head.path, head.host, head.method);
    call_->body = std::make_unique<BodyReader>(head, form_bytes_max);
    begin_body(false);
}

void Session::submit_page() {
    call_->complete_at = shared_.now;
    if (call_->body)
        give_form(*call_->order, call_->request.body);
    Job job = job_of(Job::Kind::page);
    job.page = [&redirector = shared_.redirects->redirector(), order = call_->order] {
        return make_page(redirector, *order);
    };
    hand_over(std::move(job));
}

void Session::begin_call(const RequestHead& head, const Sender& client, std::string_view behind_head) {
    if (head.body == BodyKind::sized && head.body_bytes > shared_.limits.body_bytes_max)
        return refuse(body_too_large, head.path, head.host, head.method);
    call_ = std::make_unique<Call>();
    call_->request = to_request(head);
    call_->request.remote_address = client.address.network().text();
    const auto key = shown_key(head);
    call_->has_key = !key.empty();
    call_->holder = call_->has_key ? holder_of_key(key) : holder_of(client.address);
    // Strangers get documents and refusals, and callers do not wait for those.
    const auto* const accounts = shared_.key_accounts;
    const bool stranger = accounts != nullptr && accounts->account_of(call_->holder) == 0;
    call_->workers = stranger ? &shared_.visitor_workers : &shared_.workers;
    call_->persistence = persistence_of(head);
    call_->http10 = head.http10;
    call_->expects_continue = head.expects_continue;
    if (head.body == BodyKind::none)
        return submit();
    call_->body = std::make_unique<BodyReader>(head, shared_.limits.body_bytes_max);
    if (shared_.admit_body && !is_whole(head, behind_head))
        return ask_for_body(head);
    begin_body(!behind_head.empty());
}

bool Session::is_whole(const RequestHead& head, std::string_view behind_head) const {
    if (head.body == BodyKind::sized)
        return head.body_bytes <= behind_head.size();
    std::string ignored; // as much as was read at once
    return BodyReader(head, shared_.limits.body_bytes_max).feed(behind_head, ignored).progress !=
           BodyReader::Progress::more;
}

// A body that is still to come is waited for, and has memory, only when its sender has a key. That is looked
// up where reading from the disk holds nobody up; until then nothing more is read.
void Session::ask_for_body(const RequestHead& head) {
    call_->asks_body = true;
    Job job = job_of(Job::Kind::admit_body);
    job.request = to_request(head);
    job.request.remote_address = call_->request.remote_address;
    call_->complete_at = shared_.now;
    hand_over(std::move(job));
}

// True when the reply is no answer, but says that the body may be read.
bool Session::is_told_to_go_on(const Reply& reply) {
    if (!call_->asks_body || reply.status != continue_status)
        return false;
    begin_body(!carry_.empty());
    return true;
}

void Session::begin_body(bool something_has_arrived) {
    call_->asks_body = false;
    if (call_->expects_continue && !something_has_arrived)
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

// Those of strangers are bounded apart, so that they leave room for callers.
std::atomic<std::size_t>& Session::all_bodies_bytes() const {
    Occupancy& all = shared_.occupancy;
    return call_->has_key ? all.bodies_bytes : all.keyless_bodies_bytes;
}

// Bodies are what fills the memory; so they are bounded, those of one caller and all together.
bool Session::account_for_body() {
    Occupancy& all = shared_.occupancy;
    const std::size_t more = call_->request.body.size() - call_->body_bytes;
    if (!all.bodies_bytes_by_holder.take(call_->holder, more, shared_.limits.bodies_bytes_per_holder))
        return false;
    call_->body_bytes += more;
    const auto& limits = shared_.limits;
    return all_bodies_bytes().fetch_add(more, std::memory_order_relaxed) + more <=
           (call_->has_key ? limits.bodies_bytes_max : limits.keyless_bodies_bytes_max);
}

void Session::end_call() {
    if (call_ && call_->body_bytes > 0) {
        all_bodies_bytes().fetch_sub(call_->body_bytes, std::memory_order_relaxed);
        shared_.occupancy.bodies_bytes_by_holder.give_back(call_->holder, call_->body_bytes);
    }
    call_.reset();
}

void Session::submit() {
    if (call_->order)
        return submit_page();
    call_->complete_at = shared_.now;
    const Method method = call_->request.method; // what the answer depends on
    Job job = job_of(Job::Kind::api);
    job.request = std::move(call_->request);
    call_->request.method = method;
    hand_over(std::move(job));
}

// For this call, without what is to be done.
Job Session::job_of(Job::Kind kind) {
    return {.kind = kind,
            .request = {},
            .page = {},
            .next_part = {},
            .holder = call_->holder,
            .has_key = call_->has_key,
            .sink = &shared_.sink,
            .session = this,
            .gone = &gone_};
}

// Its reply, also of one that is done already, is read from the mail, after this turn.
void Session::hand_over(Job job) {
    if (call_->workers->submit(std::move(job)))
        phase_ = Phase::calling;
    else
        answer_call(call_->api ? shared_.refuse_api(overloaded) : text_refusal(overloaded));
}

} // namespace slashpost::http

#pragma once
// A server on a free port with a redirector and an API that only pretend, so that what is tested is the
// server alone.
#include "core/data/journal.h"
#include "core/redirect/gate.h"
#include "core/redirect/redirector.h"
#include "http/server/server.h"
#include "tests/http/server/client.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace slashpost::http {

class NoJournal final : public data::JournalLane {
  public:
    bool append(data::BytesView) noexcept override { return true; }
};

// Holds who passes until it is opened.
class Gate {
  public:
    void pass() {
        std::unique_lock lock(mutex_);
        ++waiting_;
        changed_.notify_all();
        changed_.wait(lock, [this] { return open_; });
    }
    void open() {
        const std::lock_guard lock(mutex_);
        open_ = true;
        changed_.notify_all();
    }
    void until_waiting(int count) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return waiting_ >= count; });
    }

  private:
    std::mutex mutex_;
    std::condition_variable changed_;
    int waiting_ = 0;
    bool open_ = false;
};

// "/go..." leads to https://example.com/, everything else is missing; remembers its visitors.
class PretendedRedirector final : public redirect::Redirector {
  public:
    struct Seen {
        std::string host, path, query, user_agent;
        bool counts = false;
        std::string accept_language, referrer, address;
        bool secure = false;
    };

    void answer(const redirect::Visit& visit, data::JournalLane&, redirect::Answer& answer) override {
        if (remembers) {
            const std::lock_guard lock(mutex_);
            seen_ = {std::string(visit.host),
                     std::string(visit.path),
                     std::string(visit.query),
                     std::string(visit.user_agent),
                     visit.counts,
                     std::string(visit.accept_language),
                     std::string(visit.referrer),
                     visit.address.text(),
                     visit.secure};
        }
        ++visits;
        if (visit.path == "/go/victim")
            visits_before_victim = visits.load();
        if (visit.path == "/go/wait")
            gate.pass();
        if (visit.path == "/go/throw")
            throw std::bad_alloc();
        if (visit.path.starts_with("/page")) {
            answer.outcome = redirect::Outcome::ordered;
            answer.order = std::make_unique<redirect::PageOrder>();
            answer.order->slashtag = visit.path;
            return;
        }
        if (visit.path.starts_with("/form")) {
            answer.outcome = redirect::Outcome::ordered;
            answer.order = std::make_unique<redirect::PageOrder>();
            answer.order->guarded = std::make_shared<redirect::GuardedVisit>(visit);
            return;
        }
        if (!visit.path.starts_with("/go"))
            return;
        answer.outcome = redirect::Outcome::forward;
        if (visit.host == "keeps.example")
            answer.redirect_type = 308;
        answer.location.assign("https://example.com").append(visit.path.substr(3));
    }

    bool keeps_method(std::string_view host, std::string_view /*path*/) override {
        return host == "keeps.example";
    }

    bool is_guarded(std::string_view /*host*/, std::string_view path) override {
        return path.starts_with("/form");
    }

    // "/form..." is a page that says which password was sent, if any; "/page..." is a page that leads to its
    // own path; "/page/wait" when the gate is open.
    void make(const redirect::PageOrder& order, redirect::Answer& answer) override {
        if (order.slashtag == "/page/wait")
            gate.pass();
        if (order.slashtag == "/page/throw")
            throw std::runtime_error("a secret");
        answer.outcome = redirect::Outcome::page;
        answer.page = std::make_unique<redirect::Page>();
        answer.page->title = order.slashtag;
        if (order.guarded)
            answer.page->title =
                order.guarded->password ? "<" + *order.guarded->password + ">" : "nothing sent";
    }

    Seen seen() {
        const std::lock_guard lock(mutex_);
        return seen_;
    }

    std::atomic<bool> remembers = true;
    std::atomic<int> visits = 0;
    std::atomic<int> visits_before_victim = 0; // when "/go/victim" came, itself included
    Gate gate;                                 // of "/go/wait" and "/page/wait"

  private:
    std::mutex mutex_;
    Seen seen_;
};

// Within half a minute.
bool comes_true(const auto& condition) {
    for (int i = 0; i < 30'000 && !condition(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return condition();
}

struct Fixture {
    static ServerOptions quick_options() {
        ServerOptions options;
        options.port = 0;
        options.limits.workers = 2;
        options.limits.queue_max = 16;
        options.limits.tick = std::chrono::milliseconds(10);
        options.limits.linger_deadline = std::chrono::milliseconds(300);
        return options;
    }

    explicit Fixture(ServerOptions options = quick_options())
        : server(
              std::move(options),
              [this](const Request& request, const Respond& respond) { respond(serve(request)); }, redirector,
              [this](std::uint32_t) -> Result<data::JournalLane*> { return &lane; }) {
        if (!server.start())
            throw std::runtime_error("the server does not start");
    }
    ~Fixture() {
        gate.open();
        redirector.gate.open();
    }

    // "POST /v1/echo?x=1 [body]", with the length only when the body is long.
    Reply serve(const Request& request) {
        ++served;
        if (request.target == "/v1/wait")
            gate.pass();
        if (request.target == "/v1/throw")
            throw std::runtime_error("a secret");
        if (request.target == "/v1/host")
            return {.status = 200, .headers = {}, .body = request.host + " " + request.remote_address};
        if (request.target == "/v1/parts")
            return {.status = 200,
                    .headers = {{"Content-Type", "text/csv"}},
                    .body = "first,",
                    .next_part = [this, number = std::make_shared<int>(0)]() -> std::optional<ReplyPart> {
                        ++parts_made;
                        return ReplyPart{.bytes =
                                             ++*number < 3 ? "part " + std::to_string(*number) + "," : ""};
                    }};
        if (request.target == "/v1/parts/pauses") // every other part has nothing in it
            return {.status = 200,
                    .headers = {},
                    .body = "first,",
                    .next_part = [this, number = std::make_shared<int>(0)]() -> std::optional<ReplyPart> {
                        ++parts_made;
                        return ReplyPart{.bytes = ++*number % 2 == 0 ? "more," : "",
                                         .pause = std::chrono::milliseconds(1)};
                    },
                    .pause = std::chrono::milliseconds(1)};
        if (request.target == "/v1/parts/long")
            return {
                .status = 200, .headers = {}, .body = {}, .next_part = [this]() -> std::optional<ReplyPart> {
                    return ReplyPart{.bytes = std::string(++parts_made < 1000 ? 100'000 : 0, 'x')};
                }};
        if (request.target == "/v1/parts/broken")
            return {.status = 200, .headers = {}, .body = "first,", .next_part = [] {
                        return std::optional<ReplyPart>();
                    }};
        if (request.target == "/v1/large")
            return {.status = 200, .headers = {}, .body = std::string(8'000'000, 'x')};
        const std::string body =
            request.body.size() > 100 ? std::to_string(request.body.size()) : request.body;
        return {.status = 200,
                .headers = {{"Content-Type", "application/json; charset=utf-8"}},
                .body = request.method_text + " " + request.target + " [" + body + "]"};
    }

    std::atomic<int> served = 0;     // requests for the API that were begun
    std::atomic<int> parts_made = 0; // of long answers

    // From 127.0.0.`host`.
    Client client(std::uint8_t host = 1) const { return Client(server.port(), host); }

    NoJournal lane;
    PretendedRedirector redirector;
    Gate gate; // of API calls to "/v1/wait"
    Server server;
};

} // namespace slashpost::http

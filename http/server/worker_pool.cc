#include "http/server/worker_pool.h"

#include "core/base/errand.h"

#include <cstdlib>
#include <pthread.h>

namespace slashpost::http {

namespace {
constexpr Refusal stopping{503, "The service is stopping."};
constexpr Refusal abandoned{503, "Nobody waits for the answer."}; // nor sees this one
constexpr Refusal displaced{503, "Too many requests are waiting; try again in a moment."};

// The allocator makes what it needs for a thread when that first asks for memory, and when it cannot, the
// process ends. So threads ask at the start, when a system that refuses it ends the start.
void ask_for_memory() {
    void* volatile first = std::malloc(1);
    std::free(first);
}

Reply reply_of(std::optional<ReplyPart> part) {
    if (!part)
        return {.status = 500, .headers = {}, .body = {}};
    return {.status = 200, .headers = {}, .body = std::move(part->bytes), .pause = part->pause};
}
} // namespace

WorkerPool::WorkerPool(const char* name, ApiHandler handler, AdmitBody admit_body, RefuseApi refuse,
                       std::size_t workers, std::size_t queue_max, const KeyAccounts* accounts)
    : name_(name),
      handler_(std::move(handler)),
      admit_body_(std::move(admit_body)),
      refuse_(std::move(refuse)),
      workers_(workers),
      accounts_(accounts),
      queue_(queue_max),
      shares_(workers) {}

void WorkerPool::start() {
    for (std::size_t i = 0; i < workers_; ++i) {
        threads_.emplace_back([this] { work(); });
        ::pthread_setname_np(threads_.back().native_handle(), name_);
    }
}

bool WorkerPool::submit(Job job) {
    const Session* const session = job.session;
    const Holder holder = job.holder;
    std::optional<Job> left_out;
    {
        const std::lock_guard lock(mutex_);
        if (stopping_)
            return false;
        left_out = queue_.push(holder, std::move(job));
        shed_ += left_out ? 1 : 0;
    }
    if (left_out && left_out->session == session)
        return false;
    changed_.notify_one();
    if (left_out)
        left_out->sink->deliver(*left_out->session, refusal(*left_out, displaced));
    return true;
}

void WorkerPool::stop() {
    std::vector<Job> left;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        while (auto job = queue_.pop())
            left.push_back(*std::move(job));
    }
    changed_.notify_all();
    for (Job& job : left)
        job.sink->deliver(*job.session, refusal(job, stopping));
    for (std::thread& thread : threads_)
        thread.join();
    threads_.clear();
}

WorkerPool::Load WorkerPool::load() const {
    const std::lock_guard lock(mutex_);
    return {.queued = queue_.size(), .busy = busy_, .shed = shed_};
}

void WorkerPool::work() {
    ask_for_memory();
    std::unique_lock lock(mutex_);
    for (;;) {
        std::optional<Job> job;
        changed_.wait(lock, [&] { return (job = take()).has_value() || stopping_; });
        if (!job)
            return;
        ++busy_;
        lock.unlock();
        serve(*job);
        lock.lock();
        --busy_;
        shares_.give_back(job->owner);
        if (queue_.size() > 0)
            changed_.notify_one(); // one whose share was used up may be begun now
    }
}

// The next job that may be begun, within the share of its holder.
std::optional<Job> WorkerPool::take() {
    Shares::Owner owner;
    auto job = queue_.pop([&](const Job& first) {
        owner = {};
        if (first.has_key)
            owner = {.key = first.holder, .account = accounts_ ? accounts_->account_of(first.holder) : 0};
        return shares_.take(owner);
    });
    if (job)
        job->owner = owner;
    return job;
}

// The handler promises not to throw, but libraries below it may (out of memory): one request fails then,
// not the server.
void WorkerPool::serve(const Job& job) const noexcept {
    const Errand errand(job.gone);
    try {
        const Respond respond = [sink = job.sink, session = job.session](Reply reply) {
            sink->deliver(*session, std::move(reply));
        };
        if (Errand::is_in_vain()) // before it was begun
            respond(refusal(job, abandoned));
        else if (job.kind == Job::Kind::api)
            handler_(job.request, respond);
        else if (job.kind == Job::Kind::part)
            respond(reply_of(job.next_part()));
        else
            respond(job.kind == Job::Kind::page ? job.page() : admit_body_(job.request));
    } catch (...) {
        job.sink->deliver(*job.session, refusal(job, {500, "The request could not be served."}));
    }
}

// Where there is no memory for words, the status has to do.
Reply WorkerPool::refusal(const Job& job, const Refusal& refusal) const noexcept {
    try {
        return job.kind == Job::Kind::page ? text_refusal(refusal) : refuse_(refusal);
    } catch (...) {
        return {.status = refusal.status, .headers = {}, .body = {}};
    }
}

} // namespace slashpost::http

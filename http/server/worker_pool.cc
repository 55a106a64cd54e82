#include "http/server/worker_pool.h"

#include "core/base/priority.h"

#include <pthread.h>

namespace slashpost::http {

namespace {
constexpr Refusal stopping{503, "The service is stopping."};
} // namespace

WorkerPool::WorkerPool(ApiHandler handler, RefuseApi refuse, std::size_t workers, std::size_t queue_max)
    : handler_(std::move(handler)),
      refuse_(std::move(refuse)),
      workers_(workers),
      queue_max_(queue_max) {}

void WorkerPool::start() {
    for (std::size_t i = 0; i < workers_; ++i) {
        threads_.emplace_back([this] { work(); });
        ::pthread_setname_np(threads_.back().native_handle(), "api");
    }
}

bool WorkerPool::submit(Job&& job) {
    {
        const std::lock_guard lock(mutex_);
        if (stopping_ || queue_.size() >= queue_max_)
            return false;
        queue_.push_back(std::move(job));
    }
    changed_.notify_one();
    return true;
}

void WorkerPool::stop() {
    std::deque<Job> left;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        left.swap(queue_);
    }
    changed_.notify_all();
    for (Job& job : left)
        job.sink->deliver(*job.session, refuse_(stopping, job.request.remote_address));
    for (std::thread& thread : threads_)
        thread.join();
    threads_.clear();
}

WorkerPool::Load WorkerPool::load() const {
    const std::lock_guard lock(mutex_);
    return {.queued = queue_.size(), .busy = busy_};
}

void WorkerPool::work() {
    take_turns(); // visitors do not wait for what is long
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
        if (queue_.empty())
            return;
        Job job = std::move(queue_.front());
        queue_.pop_front();
        ++busy_;
        lock.unlock();
        serve(job);
        lock.lock();
        --busy_;
    }
}

// The handler promises not to throw, but libraries below it may (out of memory): one request fails then,
// not the server.
void WorkerPool::serve(const Job& job) const {
    const Respond respond = [sink = job.sink, session = job.session](Reply reply) {
        sink->deliver(*session, std::move(reply));
    };
    try {
        handler_(job.request, respond);
    } catch (...) {
        respond(refuse_({500, "The request could not be served."}, job.request.remote_address));
    }
}

} // namespace slashpost::http

#pragma once
// The threads that serve the API. They may block on the disk; the queue before them is bounded.
#include "http/server/message.h"
#include "http/server/render.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace slashpost::http {

class Session;

// Takes a finished reply back to the thread that owns the session. Any thread may call it.
class ReplySink {
  public:
    virtual ~ReplySink() = default;
    virtual void deliver(Session& session, Reply reply) = 0;
};

struct Job {
    Request request;
    ReplySink* sink = nullptr;
    Session* session = nullptr; // stays alive until its reply was delivered
};

class WorkerPool {
  public:
    struct Load {
        std::size_t queued = 0;
        std::size_t busy = 0;
    };

    // `refuse` answers the requests that are still queued when the pool stops, and those whose handler threw.
    WorkerPool(ApiHandler handler, RefuseApi refuse, std::size_t workers, std::size_t queue_max);
    ~WorkerPool() { stop(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void start();
    // False, with `job` untouched, when the queue is full or the pool stops. True: its sink will hear once.
    bool submit(Job&& job);
    // Answers what is queued, waits for what runs. May be called more than once.
    void stop();
    [[nodiscard]] Load load() const;

  private:
    void work();
    void serve(const Job& job) const;

    // Set once.
    const ApiHandler handler_;
    const RefuseApi refuse_;
    const std::size_t workers_;
    const std::size_t queue_max_;
    std::vector<std::thread> threads_;

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    std::condition_variable changed_;
    std::deque<Job> queue_;
    std::size_t busy_ = 0;
    bool stopping_ = false;
};

} // namespace slashpost::http

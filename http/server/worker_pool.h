#pragma once
// Threads for what may take long: they may block on the disk, and the queue before them is bounded. There are
// two pools, so that neither waits for the other: one serves callers of the API, one visitors.
#include "http/server/fair_queue.h"
#include "http/server/message.h"
#include "http/server/render.h"
#include "http/server/shares.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace slashpost::http {

class Session;

// Whether the body of a request, of which all else is there, is to be waited for: status 100, or the answer
// without it. Called on a worker thread; may block on the disk.
using AdmitBody = std::function<Reply(const Request&)>;

// Takes a finished reply back to the thread that owns the session. Any thread may call it.
class ReplySink {
  public:
    virtual ~ReplySink() = default;
    virtual void deliver(Session& session, Reply reply) noexcept = 0;
};

struct Job {
    enum class Kind : std::uint8_t {
        api,        // a request for the API
        admit_body, // its head: whether the body is to be read
        page,       // a page for a visitor
        part        // what follows of a long answer
    };
    Kind kind = Kind::api;
    Request request;             // for the API
    std::function<Reply()> page; // makes the page
    std::function<std::optional<ReplyPart>()> next_part = {};
    Holder holder = 0;    // whom it is done for: they take turns
    bool has_key = false; // so the holder is a key, which has a share of the workers
    ReplySink* sink = nullptr;
    Session* session = nullptr;              // stays alive until its reply was delivered
    const std::atomic<bool>* gone = nullptr; // of the session: nobody waits for the reply any more
    Shares::Owner owner;                     // while it is worked on
};

class WorkerPool {
  public:
    struct Load {
        std::size_t queued = 0;
        std::size_t busy = 0;
        std::uint64_t shed = 0; // jobs turned away since the start, as too many waited
    };

    // `refuse` answers the requests that are still queued when the pool stops, and those whose handler threw.
    // `name` is that of its threads. `accounts` outlives the pool; null: no key's account is known.
    WorkerPool(const char* name, ApiHandler handler, AdmitBody admit_body, RefuseApi refuse,
               std::size_t workers, std::size_t queue_max, const KeyAccounts* accounts = nullptr);
    ~WorkerPool() { stop(); }
    WorkerPool(const WorkerPool&) = delete;
    WorkerPool& operator=(const WorkerPool&) = delete;

    void start();
    // False when there is no room for the job, or the pool stops. True: its sink will hear once. When the
    // queue is full, a job of the holder who has most waiting is refused in favour of one who has less.
    bool submit(Job job);
    // Answers what is queued, waits for what runs. May be called more than once.
    void stop();
    [[nodiscard]] Load load() const;

  private:
    void work();
    std::optional<Job> take();
    void serve(const Job& job) const noexcept;
    [[nodiscard]] Reply refusal(const Job& job, const Refusal& refusal) const noexcept;

    // Set once.
    const char* const name_;
    const ApiHandler handler_;
    const AdmitBody admit_body_;
    const RefuseApi refuse_;
    const std::size_t workers_;
    const KeyAccounts* const accounts_;
    std::vector<std::thread> threads_;

    mutable std::mutex mutex_;
    // Guarded by mutex_.
    std::condition_variable changed_;
    FairQueue<Job> queue_;
    Shares shares_;
    std::size_t busy_ = 0;
    std::uint64_t shed_ = 0;
    bool stopping_ = false;
};

} // namespace slashpost::http

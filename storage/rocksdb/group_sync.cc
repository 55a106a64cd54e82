#include "storage/rocksdb/group_sync.h"

#include <rocksdb/perf_level.h>

#include <pthread.h>
#include <semaphore>

namespace slashpost::storage {

GroupSync::GroupSync(rocksdb::DB& db) : db_(db), thread_([this] { run(); }) {
    ::pthread_setname_np(thread_.native_handle(), "sync");
}

GroupSync::~GroupSync() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    asked_.notify_one();
    thread_.join();
}

void GroupSync::set_ended(bool ended) {
    const std::unique_lock lock(log_);
    ended_ = ended;
}

rocksdb::Status GroupSync::commit(const std::function<rocksdb::Status()>& commit) {
    const std::shared_lock lock(log_);
    if (ended_)
        return rocksdb::Status::IOError("the store is being opened again");
    const std::uint64_t failures_before = failures_.load();
    auto status = commit();
    if (status.ok()) {
        // It began after those failures, so they are over; of any later one it knows nothing.
        std::uint64_t survived = survived_.load();
        while (survived < failures_before && !survived_.compare_exchange_weak(survived, failures_before)) {
        }
    } else if (!status.IsBusy() && !status.IsTryAgain()) {
        failures_.fetch_add(1);
    }
    return status;
}

rocksdb::Status GroupSync::sync() {
    const std::lock_guard lock(log_); // waits for commits
    if (ended_ || survived_.load() < failures_.load())
        return rocksdb::Status::IOError("the log has failed");
    auto status = db_.SyncWAL();
    if (!status.ok())
        failures_.fetch_add(1);
    return status;
}

void GroupSync::when_done(Done done) {
    bool first = false;
    {
        const std::lock_guard lock(mutex_);
        first = waiting_.empty();
        waiting_.push_back(std::move(done));
    }
    if (first)
        asked_.notify_one();
}

rocksdb::Status GroupSync::wait() {
    rocksdb::Status status;
    std::binary_semaphore told(0);
    when_done([&](const rocksdb::Status& outcome) {
        status = outcome;
        told.release();
    });
    told.acquire();
    return status;
}

void GroupSync::run() {
    rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
    std::vector<Done> served;
    std::unique_lock lock(mutex_);
    for (;;) {
        asked_.wait(lock, [&] { return stopping_ || !waiting_.empty(); });
        if (waiting_.empty())
            return;
        served.swap(waiting_);
        lock.unlock();
        const auto status = sync();
        for (auto& done : served)
            done(status);
        served.clear();
        lock.lock();
    }
}

} // namespace slashpost::storage

#include "storage/rocksdb/group_sync.h"

namespace slashpost::storage {

rocksdb::Status GroupSync::commit(const std::function<rocksdb::Status()>& commit) {
    const std::shared_lock lock(log_);
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
    const std::unique_lock lock(log_);
    if (survived_.load() < failures_.load())
        return rocksdb::Status::IOError("the log has failed");
    auto status = db_.SyncWAL();
    if (!status.ok())
        failures_.fetch_add(1);
    return status;
}

rocksdb::Status GroupSync::wait() {
    std::unique_lock lock(mutex_);
    const std::uint64_t ticket = ++asked_;
    while (done_ < ticket) {
        if (running_) {
            changed_.wait(lock);
            continue;
        }
        running_ = true;
        const std::uint64_t reached = asked_;
        lock.unlock();
        auto status = sync();
        lock.lock();
        running_ = false;
        if (status.ok())
            done_ = reached;
        changed_.notify_all();
        if (!status.ok())
            return status; // the others try for themselves
    }
    return rocksdb::Status::OK();
}

} // namespace slashpost::storage

#pragma once
// Keeps the store open, and opens it again when it does not take writes any more.
//
// RocksDB recovers by itself from a full disk in the usual case. It does not when its log could not be opened
// or written: no descriptors or inodes left, an error of the disk, a full disk at the wrong moment. Then all
// writes fail until the store is opened anew. So a thread looks, while writes fail, whether a small commit
// and a small file go to the disk; when the file does and the commit does not, the store is opened for
// reading, which takes over all new readers, closed when those of before have ended, and opened for writing.
//
// A store that cannot be opened for writing, as on a full disk, is read from the start.
#include "core/base/result.h"
#include "storage/rocksdb/disk_watch.h"
#include "storage/rocksdb/opening.h"
#include "storage/rocksdb/reserve.h"

#include <chrono>
#include <stop_token>
#include <thread>

namespace slashpost::storage {

class Keeper {
  public:
    // Fails as open_rocksdb does.
    static Result<std::unique_ptr<Keeper>> open(OpeningPlan plan, std::shared_ptr<DiskWatch> watch,
                                                const Options& options, bool takes_what_it_can);
    ~Keeper();
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;

    [[nodiscard]] std::shared_ptr<Opening> current() const {
        const std::lock_guard lock(mutex_);
        return current_;
    }

  private:
    using Time = std::chrono::steady_clock;

    Keeper(OpeningPlan plan, std::shared_ptr<Opening> first, std::shared_ptr<DiskWatch> watch,
           Options options);
    void run(const std::stop_token& stopping);
    void look_after_failure(const std::stop_token& stopping);
    [[nodiscard]] bool can_commit() const;
    [[nodiscard]] bool can_write_file() const;
    void open_again(const std::stop_token& stopping);
    bool change_to_reading(const std::stop_token& stopping);
    std::shared_ptr<Opening> set_current(std::shared_ptr<Opening> next);

    const OpeningPlan plan_;
    const std::shared_ptr<DiskWatch> watch_;
    const Options options_;
    Reserve reserve_;
    mutable std::mutex mutex_;
    std::shared_ptr<Opening> current_; // guarded by mutex_
    std::shared_ptr<Opening> closing_; // of the thread: until its last reader ends
    // Of the thread: since when writes fail, when that was said last, when it may open again.
    std::optional<Time::time_point> failing_since_;
    Time::time_point said_at_, open_at_;
    bool gave_up_ = false;
    std::jthread thread_;
};

} // namespace slashpost::storage

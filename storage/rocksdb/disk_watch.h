#pragma once
// Knows whether the disk takes writes, from RocksDB's events and from what becomes of commits, and says so.
//
// RocksDB tries by itself every few seconds to get out of a full disk; then it needs room for all that it
// holds in memory. Of other failures it does not recover (keeper.h).
#include "storage/damage.h"
#include "storage/options.h"

#include <rocksdb/listener.h>

#include <atomic>
#include <mutex>
#include <string>

namespace slashpost::storage {

class DiskWatch final : public rocksdb::EventListener {
  public:
    explicit DiskWatch(const Options& options) : notice_(options.notice), trouble_(options.trouble) {}

    [[nodiscard]] bool writable() const { return writable_.load(std::memory_order_relaxed); }
    // What is wrong and what to do about it, in words for everybody; empty while nothing is.
    [[nodiscard]] std::string trouble() const;

    void writes_failed(const rocksdb::Status& why);
    void writes_succeeded();
    // Says again what it said when writes began to fail.
    void remind() const;

    // On RocksDB's own threads.
    void OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* error) override;
    void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override;

  private:
    void say() const; // with mutex_ held

    const Notice notice_, trouble_;
    mutable std::mutex mutex_; // changes and notices come in the same order, whichever threads they come from
    std::string why_, words_;  // guarded by mutex_
    std::atomic<bool> writable_ = true;
};

} // namespace slashpost::storage

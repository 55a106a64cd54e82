#pragma once
// Commits that wait for the disk together.
//
// RocksDB can sync within a write, but commits are written one at a time (recent_writes.h), so everybody
// would wait for everybody's sync in turn. Hence they are written unsynced, and wait for a common sync
// afterwards.
//
// A log that has failed must not be synced until RocksDB has recovered and begun another one: Debian builds
// RocksDB with its assertions, and one of them ends the process then. So no sync runs beside a commit, and
// none after a failed commit until another one has succeeded.
#include <rocksdb/db.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace slashpost::storage {

class GroupSync {
  public:
    explicit GroupSync(rocksdb::DB& db);
    // Serves those who still wait.
    ~GroupSync();
    GroupSync(const GroupSync&) = delete;
    GroupSync& operator=(const GroupSync&) = delete;

    // From now on commits and syncs fail, and those that were running have ended; `begin` takes it back.
    void end() { set_ended(true); }
    void begin() { set_ended(false); }
    [[nodiscard]] bool is_ended() const { return ended_; }

    // Runs `commit`, many at a time. Busy and TryAgain mean that it wrote nothing.
    rocksdb::Status commit(const std::function<rocksdb::Status()>& commit);

    using Done = std::move_only_function<void(const rocksdb::Status&)>;
    // Tells, on a thread of its own, when all that was committed before the call is on the disk, or that the
    // log has failed. One sync serves all who asked before it began. `done` must not throw.
    void when_done(Done done);
    // The same for one who has nothing else to do.
    rocksdb::Status wait();

  private:
    void set_ended(bool ended);
    rocksdb::Status sync();
    void run();

    rocksdb::DB& db_;
    std::shared_mutex log_;                   // held shared by commits, alone by a sync
    std::atomic<bool> ended_ = false;         // changed alone
    std::atomic<std::uint64_t> failures_ = 0; // of the log
    std::atomic<std::uint64_t> survived_ = 0; // how many failures were over when a commit last succeeded

    std::mutex mutex_;
    std::condition_variable asked_;
    // Guarded by mutex_.
    std::vector<Done> waiting_;
    bool stopping_ = false;

    std::thread thread_;
};

} // namespace slashpost::storage

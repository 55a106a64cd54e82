#pragma once
// The thread that makes backups (--backup-to) while the server runs, and removes old ones.
#include "app/admin/backup.h"
#include "app/log.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <thread>

namespace slashpost::app {

class BackupThread {
  public:
    struct Options {
        std::filesystem::path folder;
        std::chrono::seconds every{3600}; // from one to the next, over restarts of the server too
        admin::BackupKeep keep;
    };
    // All outlive this.
    BackupThread(admin::AdminContext& context, Log& log, Options options);

    struct Figures {
        std::uint64_t made = 0, failed = 0; // since the start
        Timestamp last;                     // of the newest that there is; the epoch: there is none
        bool last_failed = false;           // the last attempt
    };
    // From any thread.
    [[nodiscard]] Figures figures() const;

  private:
    void run(const std::stop_token& stopping);
    Result<void> make_one(const std::stop_token& stopping);
    Result<void> find_last();
    [[nodiscard]] std::chrono::milliseconds until_next() const;

    admin::AdminContext& context_;
    Log& log_;
    const Options options_;
    std::atomic<std::uint64_t> made_ = 0, failed_ = 0;
    std::atomic<std::int64_t> last_ms_ = 0;
    std::atomic<bool> last_failed_ = false;
    std::jthread thread_; // last: it uses the others
};

} // namespace slashpost::app

#include "storage/rocksdb/engine.h"

#include "core/base/errors.h"
#include "core/base/gaps.h"
#include "core/base/priority.h"
#include "core/data/measured.h"
#include "core/data/sync_later.h"
#include "storage/retry.h"
#include "storage/rocksdb/fill.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/group_sync.h"
#include "storage/rocksdb/log_files.h"
#include "storage/rocksdb/presets.h"
#include "storage/rocksdb/status.h"
#include "storage/rocksdb/txn.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/listener.h>
#include <rocksdb/perf_level.h>

#include <filesystem>
#include <mutex>
#include <stop_token>
#include <utility>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;
using data::Bytes;
using data::BytesView;
using data::Space;

// Knows whether the disk takes writes, from RocksDB's events and from what becomes of commits. RocksDB tries
// by itself every few seconds to get out of a full disk; then it needs room for all that it holds in memory.
class DiskWatch final : public rocksdb::EventListener {
  public:
    DiskWatch(std::function<void(std::string_view)> notice, bool gives_way)
        : notice_(std::move(notice)),
          gives_way_(gives_way) {}

    [[nodiscard]] bool writable() const { return writable_.load(std::memory_order_relaxed); }

    void writes_failed(const rocksdb::Status& why) {
        if (writable())
            change(false, [&] {
                return fmt::format("The store takes no writes, reading goes on: {}.", why.ToString());
            });
    }
    void writes_succeeded() {
        if (!writable())
            change(true, [] { return std::string("The store takes writes again."); });
    }

    // On RocksDB's own threads, each of which steps back before its first work if it is to give way.
    void OnFlushBegin(rocksdb::DB* /*db*/, const rocksdb::FlushJobInfo& /*info*/) override {
        step_back_once();
    }
    void OnCompactionBegin(rocksdb::DB* /*db*/, const rocksdb::CompactionJobInfo& /*info*/) override {
        step_back_once();
    }
    void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status* error) override {
        if (error->severity() != rocksdb::Status::Severity::kSoftError) // soft: writes go on
            writes_failed(*error);
    }
    void OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) override {
        if (info.new_bg_error.ok())
            writes_succeeded();
    }

  private:
    void step_back_once() const {
        thread_local bool is_back = false;
        if (gives_way_ && !std::exchange(is_back, true))
            step_back();
    }
    // Changes and notices come in the same order, whichever threads they come from.
    void change(bool writable, const auto& text) {
        const std::lock_guard lock(changing_);
        if (writable_.exchange(writable) != writable && notice_)
            notice_(text());
    }

    const std::function<void(std::string_view)> notice_;
    const bool gives_way_;
    std::mutex changing_;
    std::atomic<bool> writable_ = true;
};

// RocksDB counts every comparison of keys for a profile that nobody reads, by thread.
void count_nothing() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }

class RocksdbEngine final : public data::Engine,
                            public data::Fillable,
                            public data::Measured,
                            private data::Syncing {
  public:
    RocksdbEngine(std::unique_ptr<rocksdb::DB> db, std::vector<rocksdb::ColumnFamilyHandle*> handles,
                  Families families, std::shared_ptr<DiskWatch> watch, const Options& options)
        : db_(std::move(db)),
          handles_(std::move(handles)),
          families_(std::move(families)),
          watch_(std::move(watch)),
          durability_(options.durability),
          write_buffers_bytes_(options.write_buffers_bytes),
          recent_(options.recent_keys),
          sync_(*db_) {}

    RocksdbEngine(const RocksdbEngine&) = delete;
    RocksdbEngine& operator=(const RocksdbEngine&) = delete;

    ~RocksdbEngine() override {
        sync_.wait().PermitUncheckedError(); // what was committed relaxed is kept, too
        // The log has it all. But whoever opens the store next would have to read that again.
        rocksdb::FlushOptions flush;
        flush.allow_write_stall = true; // nobody writes any more
        db_->Flush(flush, handles_).PermitUncheckedError();
        for (auto* handle : handles_)
            db_->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
        db_->Close().PermitUncheckedError();
    }

    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        count_nothing();
        rocksdb::PinnableSlice value;
        const auto status = db_->Get(read_options_, TRY(families_.of(space)), key, &value);
        if (status.ok()) [[likely]]
            return Bytes(value.data(), value.size());
        if (status.IsNotFound())
            return std::nullopt;
        return read_failed(status, "looking up a value");
    }

    Result<void> verify_checksums() override {
        if (auto status = db_->VerifyChecksum(read_options_); !status.ok())
            return read_failed(status, "verifying checksums");
        return {};
    }

    Result<void> forget_erased(const Space& space, const data::Range& range,
                               const std::stop_token& stopping) override {
        rocksdb::CompactRangeOptions options;
        options.exclusive_manual_compaction = false;
        options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
        const rocksdb::Slice begin(range.from), end(range.until);
        auto* const family = TRY(families_.of(space));
        rocksdb::Status status;
        bool stopped = false;
        {
            // It may be waiting for a compaction that takes minutes. The options' own way to cancel it does
            // not wake it up then.
            const std::stop_callback stop(stopping, [&] {
                stopped = true;
                db_->DisableManualCompaction();
            });
            status = db_->CompactRange(options, family, &begin, range.until.empty() ? nullptr : &end);
        }
        if (stopped)
            db_->EnableManualCompaction();
        return stopped || status.ok() ? Result<void>() : write_failed(status);
    }

    Result<std::unique_ptr<data::Fill>> fill() override {
        return make_fill(*db_, families_, rows_, write_buffers_bytes_);
    }

    std::uint64_t bytes_about(const Space* space, const data::Range& range) override {
        const auto family = space == nullptr ? families_.tallies : families_.of(*space).value_or(nullptr);
        if (family == nullptr)
            return 0;
        constexpr std::size_t longer_than_keys = 64;
        const auto until = range.until.empty() ? Bytes(longer_than_keys, '\xff') : range.until;
        const rocksdb::Range whole(range.from, until);
        rocksdb::SizeApproximationOptions options;
        options.include_memtables = true;
        std::uint64_t bytes = 0;
        db_->GetApproximateSizes(options, family, &whole, 1, &bytes).PermitUncheckedError();
        return bytes;
    }

    Figures figures() override {
        Figures figures{.conflicts = conflicts_.load(), .writable = watch_->writable()};
        std::uint64_t write_buffers = 0;
        db_->GetAggregatedIntProperty(rocksdb::DB::Properties::kSizeAllMemTables, &write_buffers);
        std::uint64_t cache = 0; // one for all families
        db_->GetIntProperty(families_.tallies, rocksdb::DB::Properties::kBlockCacheUsage, &cache);
        figures.memory_bytes = write_buffers + cache;
        std::error_code error; // files may go while we look
        for (fs::directory_iterator it(db_->GetName(), error), end; !error && it != end;
             it.increment(error)) {
            std::error_code gone;
            if (const auto size = it->file_size(gone); !gone)
                figures.disk_bytes += size;
        }
        return figures;
    }

  protected:
    Result<void> run_transaction(const std::function<Result<void>(data::Txn&)>& closure) override {
        count_nothing();
        return until_committed([&] { return attempt(closure); }, conflicts_);
    }

    Result<void> run_read(const std::function<Result<void>(data::View&)>& closure) override {
        count_nothing();
        SnapshotView view(*db_, families_, recent_, rows_);
        return closure(view);
    }

  private:
    void when_on_disk(data::OnDisk done) override {
        sync_.when_done([this, done = std::move(done)](const rocksdb::Status& status) mutable {
            if (status.ok())
                return done({});
            watch_->writes_failed(status);
            done(write_failed(status));
        });
    }

    Result<Attempt> attempt(const std::function<Result<void>(data::Txn&)>& closure) {
        rocksdb::Status status;
        bool was_writable = true;
        {
            SnapshotTxn txn(*db_, families_, recent_, rows_);
            TRY(closure(txn));
            if (txn.wrote_nothing())
                return Attempt::committed;
            was_writable = watch_->writable();
            const Gaps::Locking locking; // RocksDB's, and those of recent_
            status = sync_.commit([&] { return txn.commit(); });
        }
        if (status.IsBusy())
            return Attempt::lost;
        // Whoever commits after a failure is to tell at once whether it is over.
        if (status.ok() && durability_ == data::Durability::synced &&
            !(was_writable && data::SyncLater::sees_to(*this)))
            status = sync_.wait();
        if (!status.ok()) {
            watch_->writes_failed(status);
            return write_failed(status);
        }
        if (!was_writable) // a commit that began before the failure proves nothing
            watch_->writes_succeeded();
        return Attempt::committed;
    }

    const std::unique_ptr<rocksdb::DB> db_;
    const std::vector<rocksdb::ColumnFamilyHandle*> handles_;
    const Families families_;
    const std::shared_ptr<DiskWatch> watch_;
    const data::Durability durability_;
    const std::uint64_t write_buffers_bytes_;
    const rocksdb::ReadOptions read_options_;
    RecentWrites recent_;
    RowCache rows_;
    GroupSync sync_;
    std::atomic<std::uint64_t> conflicts_ = 0;
};

// The families of a store in the order in which their handles come back: the unused default one, the
// tallies, the spaces.
std::vector<rocksdb::ColumnFamilyDescriptor> families_of(std::span<const Space> spaces,
                                                         const Options& options) {
    const auto cache = make_cache(options);
    std::vector<rocksdb::ColumnFamilyDescriptor> families{
        {rocksdb::kDefaultColumnFamilyName, family_preset(data::Pattern::rows, options, cache)},
        {tallies_family, family_preset(data::Pattern::tallies, options, cache)}};
    for (const Space& space : spaces)
        families.emplace_back(std::string(space.name), family_preset(space.pattern, options, cache));
    return families;
}

// Only the person who runs the store has business in its folder.
Result<void> make_folder(const std::string& path) {
    std::error_code error;
    if (fs::create_directories(path, error))
        fs::permissions(path, fs::perms::owner_all, error);
    if (error)
        return refused("StoreUnusable", "store",
                       fmt::format("The folder {} cannot be made: {}.", path, error.message()));
    return {};
}

} // namespace

Result<std::unique_ptr<data::Engine>> open_rocksdb(const std::string& path, std::span<const Space> spaces,
                                                   const Options& options) {
    const auto folder = TRY(spell_folder(path));
    TRY(check_folder(folder, spaces));
    TRY(make_folder(folder));
    const bool is_damaged = TRY(check_logs(folder, options.accepts_loss, options.notice));

    auto watch = std::make_shared<DiskWatch>(options.notice, options.gives_way);
    auto database = database_preset(options);
    database.listeners.push_back(watch);

    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    const auto families_wanted = families_of(spaces, options);
    auto status = rocksdb::DB::Open(database, folder, families_wanted, &handles, &opened);
    if (is_damaged && status.IsCorruption()) { // some spaces are ahead of the damaged record
        options.notice(
            "Some spaces know more than is left of the log; 'slashpost-admin reindex' mends that.");
        database.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
        status = rocksdb::DB::Open(database, folder, families_wanted, &handles, &opened);
    }
    if (!status.ok())
        return open_failed(status, folder);
    forget_fills(folder);

    Families families{.scans_fill_cache = options.scans_fill_cache, .by_number = {}, .tallies = handles[1]};
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        if (families.by_number.size() <= spaces[i].number)
            families.by_number.resize(spaces[i].number + std::size_t{1});
        families.by_number[spaces[i].number] = handles[i + 2];
    }
    return std::make_unique<RocksdbEngine>(std::unique_ptr<rocksdb::DB>(opened), std::move(handles),
                                           std::move(families), std::move(watch), options);
}

} // namespace slashpost::storage

#include "storage/rocksdb/engine.h"

#include "core/base/errors.h"
#include "core/data/copied.h"
#include "core/data/measured.h"
#include "core/data/sync_later.h"
#include "storage/retry.h"
#include "storage/rocksdb/copies.h"
#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/keeper.h"
#include "storage/rocksdb/log_files.h"
#include "storage/rocksdb/status.h"
#include "storage/rocksdb/table_files.h"
#include "storage/rocksdb/txn.h"

#include <fmt/format.h>
#include <rocksdb/env.h>
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

// RocksDB counts every comparison of keys for a profile that nobody reads, by thread.
void count_nothing() { rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable); }

class RocksdbEngine final : public data::Engine,
                            public data::Measured,
                            public data::Copied,
                            private data::Syncing {
  public:
    RocksdbEngine(std::unique_ptr<Keeper> keeper, std::shared_ptr<DiskWatch> watch, const Options& options)
        : watch_(std::move(watch)),
          durability_(options.durability),
          keeper_(std::move(keeper)) {}

    RocksdbEngine(const RocksdbEngine&) = delete;
    RocksdbEngine& operator=(const RocksdbEngine&) = delete;

    Result<std::optional<Bytes>> get_now(const Space& space, BytesView key) override {
        count_nothing();
        const auto opening = keeper_->current();
        rocksdb::PinnableSlice value;
        const auto status = opening->db->Get(read_options_, TRY(opening->families.of(space)), key, &value);
        if (status.ok()) [[likely]]
            return Bytes(value.data(), value.size());
        if (status.IsNotFound())
            return std::nullopt;
        return read_failed(status, "looking up a value");
    }

    Result<void> verify_checksums() override { return verify_files(data::tell_nobody); }

    Result<void> verify_files(const data::Tell& tell) override {
        const auto opening = keeper_->current();
        return verify_table_files(*opening->db, tell);
    }

    Result<void> copy_files(const std::string& folder, const std::string& earlier,
                            const data::Tell& tell) override {
        const auto opening = keeper_->current();
        return copy_open_store(*opening->db, folder, earlier, tell);
    }

    Result<void> forget_erased(const Space& space, const data::Range& range,
                               const std::stop_token& stopping) override {
        rocksdb::CompactRangeOptions options;
        options.exclusive_manual_compaction = false;
        options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
        const rocksdb::Slice begin(range.from), end(range.until);
        const auto opening = keeper_->current();
        auto* const family = TRY(opening->families.of(space));
        rocksdb::Status status;
        bool stopped = false;
        {
            // It may be waiting for a compaction that takes minutes. The options' own way to cancel it does
            // not wake it up then.
            const std::stop_callback stop(stopping, [&] {
                stopped = true;
                opening->db->DisableManualCompaction();
            });
            status = opening->db->CompactRange(options, family, &begin, range.until.empty() ? nullptr : &end);
        }
        if (stopped)
            opening->db->EnableManualCompaction();
        return stopped || status.ok() ? Result<void>() : write_failed(status);
    }

    std::uint64_t bytes_about(const Space& space, const data::Range& range) override {
        const auto opening = keeper_->current();
        auto* const family = opening->families.of(space).value_or(nullptr);
        if (family == nullptr)
            return 0;
        constexpr std::size_t longer_than_keys = 64;
        const auto until = range.until.empty() ? Bytes(longer_than_keys, '\xff') : range.until;
        const rocksdb::Range whole(range.from, until);
        rocksdb::SizeApproximationOptions options;
        options.include_memtables = true;
        std::uint64_t bytes = 0;
        opening->db->GetApproximateSizes(options, family, &whole, 1, &bytes).PermitUncheckedError();
        return bytes;
    }

    Figures figures() override {
        Figures figures{.conflicts = conflicts_.load(), .writable = watch_->writable()};
        std::uint64_t write_buffers = 0;
        const auto opening = keeper_->current();
        opening->db->GetAggregatedIntProperty(rocksdb::DB::Properties::kSizeAllMemTables, &write_buffers);
        opening->db->GetAggregatedIntProperty(rocksdb::DB::Properties::kEstimatePendingCompactionBytes,
                                              &figures.merging_bytes);
        std::uint64_t cache = 0; // one for all families
        opening->db->GetIntProperty(opening->handles.front(), rocksdb::DB::Properties::kBlockCacheUsage,
                                    &cache);
        figures.memory_bytes = write_buffers + cache;
        std::error_code error; // files may go while we look
        for (fs::directory_iterator it(opening->db->GetName(), error), end; !error && it != end;
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
        const auto opening = keeper_->current();
        SnapshotView view(*opening->db, opening->families, opening->recent, opening->rows);
        return closure(view);
    }

  private:
    void when_on_disk(data::OnDisk done) override {
        // When the store was opened again since, what was committed before is in its files.
        const auto opening = keeper_->current();
        if (!opening->sync)
            return done(refuse());
        opening->sync->when_done([this, done = std::move(done)](const rocksdb::Status& status) mutable {
            if (status.ok())
                return done({});
            watch_->writes_failed(status);
            done(refuse());
        });
    }

    [[nodiscard]] std::unexpected<Error> refuse() const { return no_writes(watch_->trouble()); }

    Result<Attempt> attempt(const std::function<Result<void>(data::Txn&)>& closure) {
        const auto opening = keeper_->current();
        rocksdb::Status status;
        bool was_writable = true;
        {
            SnapshotTxn txn(*opening->db, opening->families, opening->recent, opening->rows);
            TRY(closure(txn));
            if (txn.wrote_nothing())
                return Attempt::committed;
            if (!opening->sync)
                return refuse();
            was_writable = watch_->writable();
            status = opening->sync->commit([&] { return txn.commit(); });
        }
        if (status.IsBusy())
            return Attempt::lost;
        // Whoever commits after a failure is to tell at once whether it is over.
        if (status.ok() && durability_ == data::Durability::synced &&
            !(was_writable && data::SyncLater::sees_to(*this)))
            status = opening->sync->wait();
        if (!status.ok()) {
            watch_->writes_failed(status);
            return is_disk_trouble(status) ? refuse() : write_failed(status);
        }
        if (!was_writable) // a commit that began before the failure proves nothing
            watch_->writes_succeeded();
        return Attempt::committed;
    }

    const std::shared_ptr<DiskWatch> watch_;
    const data::Durability durability_;
    const rocksdb::ReadOptions read_options_;
    std::atomic<std::uint64_t> conflicts_ = 0;
    const std::unique_ptr<Keeper> keeper_;
};

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

    if (options.merges_at_low_priority)
        (void)rocksdb::Env::Default()->LowerThreadPoolCPUPriority(rocksdb::Env::LOW,
                                                                  rocksdb::CpuPriority::kLow);
    auto watch = std::make_shared<DiskWatch>(options);
    OpeningPlan plan(folder, spaces, options, watch);
    auto opened = Keeper::open(plan, watch, options, false);
    if (is_damaged && !opened.has_value() && opened.error().code == "StoreDamaged") {
        if (options.notice) // some spaces are ahead of the damaged record
            options.notice("Parts of the store know more than is left of its log; 'slashpost-admin reindex' "
                           "mends that.");
        opened = Keeper::open(plan, watch, options, true);
    }
    return std::make_unique<RocksdbEngine>(TRY(std::move(opened)), std::move(watch), options);
}

} // namespace slashpost::storage

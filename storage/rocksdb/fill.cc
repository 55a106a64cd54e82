#include "storage/rocksdb/fill.h"

#include "core/base/errors.h"
#include "core/base/pieces.h"
#include "core/data/counts.h"
#include "storage/rocksdb/merged.h"
#include "storage/rocksdb/runs.h"
#include "storage/rocksdb/status.h"

#include <fmt/format.h>
#include <rocksdb/perf_level.h>
#include <rocksdb/sst_file_writer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;
using data::Bytes;
using data::BytesView;
using data::Pattern;
using data::Space;

constexpr std::uint64_t table_bytes = 32ULL << 20; // of a file, about, and of one thread's work at a time
constexpr std::uint64_t buffer_bytes_max = 64ULL << 20;

std::string folder_of_fills(const std::string& folder) { return (fs::path(folder) / "fill").string(); }

// Calls `work` with each number below `count`, in several threads. Fails with one of its failures.
Result<void> each_in_threads(std::size_t count, const std::function<Result<void>(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    std::mutex mutex;
    Result<void> outcome; // guarded by mutex
    {
        std::vector<std::jthread> threads;
        threads.reserve(threads_for_pieces());
        for (unsigned i = 0; i < threads_for_pieces(); ++i)
            threads.emplace_back([&] {
                rocksdb::SetPerfLevel(rocksdb::PerfLevel::kDisable);
                for (auto number = next++; number < count; number = next++)
                    if (auto done = work(number); !done.has_value()) {
                        next = count;
                        const std::lock_guard lock(mutex);
                        outcome = std::move(done);
                    }
            });
    }
    return outcome;
}

using Tables = std::map<rocksdb::ColumnFamilyHandle*, std::vector<std::string>>; // files

// What is to stand under a key.
struct Entry {
    std::uint32_t family;
    BytesView key, value;
    enum class Kind : std::uint8_t { put, erase, merge } kind;
};

// Makes files of entries that come in order.
class TableWriter {
  public:
    TableWriter(rocksdb::DB& db, const std::map<std::uint32_t, rocksdb::ColumnFamilyHandle*>& families,
                std::string path)
        : db_(db),
          families_(families),
          path_(std::move(path)) {}

    Result<void> add(const Entry& entry) {
        if (!writer_ || entry.family != family_->GetID() || writer_->FileSize() > file_bytes_) {
            TRY(close());
            family_ = families_.at(entry.family);
            const auto options = db_.GetOptions(family_);
            file_bytes_ = std::min(table_bytes, options.target_file_size_base);
            writer_.emplace(rocksdb::EnvOptions(), options, family_);
            auto& files = tables_[family_];
            files.push_back(fmt::format("{}-{}.sst", path_, ++files_));
            TRY(checked(writer_->Open(files.back())));
        }
        switch (entry.kind) {
        case Entry::Kind::put:
            return checked(writer_->Put(entry.key, entry.value));
        case Entry::Kind::erase:
            return checked(writer_->Delete(entry.key));
        case Entry::Kind::merge:
            return checked(writer_->Merge(entry.key, entry.value));
        }
        return fault("there is no such kind of an entry");
    }
    Result<void> close() { return writer_ ? checked(writer_->Finish()) : Result<void>(); }
    [[nodiscard]] Tables& tables() { return tables_; }

  private:
    static Result<void> checked(const rocksdb::Status& status) {
        return status.ok() ? Result<void>() : write_failed(status);
    }

    rocksdb::DB& db_;
    const std::map<std::uint32_t, rocksdb::ColumnFamilyHandle*>& families_;
    const std::string path_;
    std::size_t files_ = 0;
    std::uint64_t file_bytes_ = 0; // of the family, at most and about
    Tables tables_;
    rocksdb::ColumnFamilyHandle* family_ = nullptr;
    std::optional<rocksdb::SstFileWriter> writer_;
};

class BufferTxn final : public data::FillTxn {
  public:
    BufferTxn(SortBuffer& buffer, const Families& families) : buffer_(buffer), families_(families) {}

    Result<void> put_blind(const Space& space, BytesView key, BytesView value) override {
        return buffer_.add(space.pattern, TRY(families_.of(space))->GetID(), key, value);
    }
    Result<void> erase_blind(const Space& space, BytesView key) override {
        return buffer_.add_erasure(space.pattern, TRY(families_.of(space))->GetID(), key);
    }
    Result<void> append(const Space& space, BytesView key, BytesView more) override {
        return put_blind(space, key, more);
    }
    Result<void> add(BytesView tally, std::int64_t delta) override {
        return buffer_.add_sum(families_.tallies->GetID(), tally, delta);
    }
    Result<void> add_counts(const Space& space, BytesView key, const data::Counts& delta) override {
        return put_blind(space, key, delta.encode());
    }
    Result<void> add_sheet(const Space& space, BytesView key, BytesView sheet) override {
        return put_blind(space, key, sheet);
    }

  private:
    SortBuffer& buffer_;
    const Families& families_;
};

class RocksdbFill final : public data::Fill {
  public:
    RocksdbFill(rocksdb::DB& db, const Families& families, RowCache& rows, std::unique_ptr<RunFile> runs,
                std::uint64_t memory_bytes)
        : db_(db),
          families_(families),
          rows_(rows),
          buffer_bytes_(std::min(memory_bytes / threads_for_pieces(), buffer_bytes_max)),
          runs_(std::move(runs)) {
        by_id_.emplace(families.tallies->GetID(), families.tallies);
        for (auto* family : families.by_number)
            if (family != nullptr)
                by_id_.emplace(family->GetID(), family);
    }
    RocksdbFill(const RocksdbFill&) = delete;
    RocksdbFill& operator=(const RocksdbFill&) = delete;
    ~RocksdbFill() override { forget_fills(db_.GetName()); }

    Result<void> write(const std::function<Result<void>(data::Txn&)>& closure) override {
        auto buffer = take_buffer();
        BufferTxn txn(*buffer, families_);
        TRY(closure(txn));
        const std::lock_guard lock(mutex_);
        idle_.push_back(std::move(buffer));
        return {};
    }

    Result<void> finish(const data::Tell& tell) override {
        TRY(each_in_threads(idle_.size(), [&](std::size_t i) { return idle_[i]->empty(); }));
        idle_.clear();
        for (const auto& [id, family] : by_id_)
            if (is_empty(family))
                empty_.insert(id);
        const auto cuts = runs_->cuts(table_bytes);
        const std::size_t pieces = cuts.size() - 1;
        std::mutex telling;
        std::size_t merged = 0; // guarded by `telling`
        TRY(each_in_threads(pieces, [&](std::size_t i) -> Result<void> {
            TRY(merge(i, cuts[i], cuts[i + 1]));
            const std::lock_guard lock(telling);
            return tell(static_cast<double>(++merged) / static_cast<double>(pieces));
        }));
        std::vector<rocksdb::IngestExternalFileArg> all;
        for (auto& [family, files] : tables_) {
            auto& one = all.emplace_back();
            one.column_family = family;
            one.external_files = std::move(files);
            one.options.move_files = true;
        }
        if (all.empty())
            return {};
        const auto status = db_.IngestExternalFiles(all);
        rows_.clear(); // that something was not there, too
        return status.ok() ? Result<void>() : write_failed(status);
    }

  private:
    std::unique_ptr<SortBuffer> take_buffer() {
        const std::lock_guard lock(mutex_);
        if (idle_.empty())
            return std::make_unique<SortBuffer>(*runs_, buffer_bytes_);
        auto buffer = std::move(idle_.back());
        idle_.pop_back();
        return buffer;
    }

    bool is_empty(rocksdb::ColumnFamilyHandle* family) {
        const std::unique_ptr<rocksdb::Iterator> walk(db_.NewIterator({}, family));
        walk->SeekToFirst();
        return !walk->Valid() && walk->status().ok();
    }

    // What the parts of one key, oldest first, are to do there.
    Result<void> write_key(TableWriter& writer, const Record& record, std::span<const Bytes> parts) const {
        const auto family = record.family();
        const auto add = [&](Entry::Kind kind, BytesView value) {
            return writer.add({.family = family, .key = record.key(), .value = value, .kind = kind});
        };
        if (!merges(record.pattern) || record.erases) {
            if (parts.size() > 1)
                return conflict(fmt::format("A key of '{}' was put twice.", by_id_.at(family)->GetName()));
            return add(record.erases ? Entry::Kind::erase : Entry::Kind::put, parts.front());
        }
        const auto kind = empty_.contains(family) ? Entry::Kind::put : Entry::Kind::merge;
        if (parts.size() == 1)
            return add(kind, parts.front());
        const std::vector<BytesView> views(parts.begin(), parts.end());
        return add(kind, TRY(merged(record.pattern, views)));
    }

    // Makes files of a range of places.
    Result<void> merge(std::size_t number, const Bytes& from, const Bytes& until) {
        TableWriter writer(db_, by_id_, fmt::format("{}/{}", folder_of_fills(db_.GetName()), number));
        RunMerge merge(*runs_, from, until);
        Pattern pattern{};
        Bytes place;
        bool erases = false;
        std::vector<Bytes> parts; // of the place
        const auto write = [&]() -> Result<void> {
            const Record record{.pattern = pattern, .place = place, .value = {}, .erases = erases};
            return parts.empty() ? Result<void>() : write_key(writer, record, parts);
        };
        while (const auto record = TRY(merge.next())) {
            if (record->place != place) {
                TRY(write());
                parts.clear();
                place = record->place;
                pattern = record->pattern;
                erases = record->erases;
            }
            parts.emplace_back(record->value);
        }
        TRY(write());
        TRY(writer.close());
        const std::lock_guard lock(mutex_);
        for (auto& [family, files] : writer.tables())
            std::ranges::move(files, std::back_inserter(tables_[family]));
        return {};
    }

    rocksdb::DB& db_;
    const Families& families_;
    RowCache& rows_;
    const std::size_t buffer_bytes_;
    const std::unique_ptr<RunFile> runs_;
    std::map<std::uint32_t, rocksdb::ColumnFamilyHandle*> by_id_;
    std::set<std::uint32_t> empty_; // families that the store has nothing in, so there is nothing to add to
    std::mutex mutex_;
    // Guarded by mutex_.
    std::vector<std::unique_ptr<SortBuffer>> idle_;
    Tables tables_;
};

} // namespace

void forget_fills(const std::string& folder) {
    std::error_code error; // what stays goes the next time
    fs::remove_all(folder_of_fills(folder), error);
}

Result<std::unique_ptr<data::Fill>> make_fill(rocksdb::DB& db, const Families& families, RowCache& rows,
                                              std::uint64_t memory_bytes) {
    const auto folder = folder_of_fills(db.GetName());
    forget_fills(db.GetName());
    std::error_code error;
    if (!fs::create_directory(folder, error))
        return unavailable(fmt::format("Cannot make the folder {}: {}.", folder, error.message()));
    return std::make_unique<RocksdbFill>(db, families, rows, TRY(RunFile::make(folder)), memory_bytes);
}

} // namespace slashpost::storage

#include "storage/rocksdb/presets.h"

#include "core/data/merging.h"

#include <rocksdb/cache.h>
#include <rocksdb/compaction_filter.h>
#include <rocksdb/env.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>

namespace slashpost::storage {

namespace {

constexpr std::size_t queue_buffer_bytes = 256ULL << 10;
constexpr std::uint64_t families_written_much = 8; // share the room for commits in memory

// Where a few rows are written all the time, among a million that hardly ever are: files are small, and each
// compaction writes all rows again.
constexpr int files_of_few = 16;

// The rule of a space as RocksDB has it. A value that cannot be read stops the merge: RocksDB reports
// corruption.
class MergeOperator final : public rocksdb::MergeOperator {
  public:
    explicit MergeOperator(data::MergeRule rule) : rule_(rule) {}

    bool FullMergeV2(const MergeOperationInput& in, MergeOperationOutput* out) const override {
        std::vector<std::string_view> parts;
        parts.reserve(in.operand_list.size() + 1);
        if (in.existing_value != nullptr)
            parts.push_back(in.existing_value->ToStringView());
        for (const auto& operand : in.operand_list)
            parts.push_back(operand.ToStringView());
        return merge(parts, out->new_value);
    }
    bool PartialMergeMulti(const rocksdb::Slice& /*key*/, const std::deque<rocksdb::Slice>& operands,
                           std::string* result, rocksdb::Logger* /*log*/) const override {
        std::vector<std::string_view> parts;
        parts.reserve(operands.size());
        for (const auto& operand : operands)
            parts.push_back(operand.ToStringView());
        return merge(parts, *result);
    }
    const char* Name() const override { // on disk: never change
        switch (rule_) {
        case data::MergeRule::sum:
            return "slashpost.add";
        case data::MergeRule::counts:
            return "slashpost.counts";
        case data::MergeRule::sheets:
            return "slashpost.sheets";
        case data::MergeRule::append:
            return "slashpost.append";
        case data::MergeRule::none:
            break;
        }
        return "slashpost.none";
    }

  private:
    bool merge(std::span<const std::string_view> parts, std::string& result) const {
        auto whole = data::merge_values(rule_, parts);
        if (whole)
            result = std::move(*whole);
        return whole.has_value();
    }

    const data::MergeRule rule_;
};

// A sum that is zero says the same as one that is absent, so compaction forgets it. Otherwise the tallies of
// everything that ever was would stay for ever: they are never erased.
class ForgetZeros final : public rocksdb::CompactionFilter {
  public:
    bool Filter(int /*level*/, const rocksdb::Slice& /*key*/, const rocksdb::Slice& sum,
                std::string* /*new_value*/, bool* /*value_changed*/) const override {
        return data::decode_sum(sum.ToStringView()) == 0;
    }
    const char* Name() const override { return "slashpost.forget_zeros"; }
};

// RocksDB's own log file ends the process when the disk is full: its writer asserts that nobody writes again
// after a failure, and Debian builds with assertions. What matters reaches us as statuses and events.
class Silence final : public rocksdb::Logger {
  public:
    using rocksdb::Logger::Logv;
    void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

const ForgetZeros forget_zeros; // RocksDB keeps a plain pointer

rocksdb::BlockBasedTableOptions table_preset(const std::shared_ptr<rocksdb::Cache>& cache) {
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = cache;
    // Indexes and filters count against the cache too, so that the store's memory is bounded by its options.
    table.cache_index_and_filter_blocks = true;
    table.cache_index_and_filter_blocks_with_high_priority = true;
    table.pin_l0_filter_and_index_blocks_in_cache = true;
    // In parts, so that what is kept of those of a large file is what is in use.
    table.index_type = rocksdb::BlockBasedTableOptions::kTwoLevelIndexSearch;
    table.partition_filters = true;
    table.whole_key_filtering = true;
    table.block_size = 8 << 10;
    table.format_version = 5;
    return table;
}

// So many files of what was written last are merged with the rest at once. Commits wait only when merging
// falls far behind.
void compact_from(rocksdb::ColumnFamilyOptions& family, int files) {
    family.level0_file_num_compaction_trigger = files;
    family.level0_slowdown_writes_trigger = 2 * files;
    family.level0_stop_writes_trigger = 3 * files;
}

} // namespace

std::shared_ptr<rocksdb::Cache> make_cache(const Options& options) {
    rocksdb::LRUCacheOptions cache;
    cache.capacity = options.cache_bytes;
    cache.high_pri_pool_ratio = 0.2; // for indexes and filters
    // By default there would be so many shards that a filter of a million keys is larger than one, is never
    // kept, and is read again for each look-up.
    cache.num_shard_bits = 2;
    return rocksdb::NewLRUCache(cache);
}

rocksdb::DBOptions database_preset(const Options& options) {
    rocksdb::DBOptions db;
    db.create_if_missing = true;
    db.create_missing_column_families = true;
    db.max_open_files = options.open_files_max;
    db.max_background_jobs = options.background_jobs;
    db.db_write_buffer_size = options.write_buffers_bytes;
    // Bounds what a start has to read again, whichever space was written last. When it is reached, the little
    // that waits of each space becomes a file, and a few such files are merged with all that the space has:
    // so not too soon.
    db.max_total_wal_size = 2 * options.write_buffers_bytes;
    // A power cut may tear the unsynced end of the log: the store is then as it was at a moment after the
    // last synced commit.
    db.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    db.bytes_per_sync = 1 << 20;
    db.info_log = std::make_shared<Silence>();
    db.stats_dump_period_sec = 0;
    db.stats_persist_period_sec = 0;
    return db;
}

rocksdb::ColumnFamilyOptions family_preset(const data::Space& space, const Options& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache) {
    rocksdb::ColumnFamilyOptions family;
    // Memory is taken in small steps, so that an empty space costs next to nothing.
    family.write_buffer_size = options.write_buffers_bytes / families_written_much;
    family.arena_block_size = 64 << 10;
    family.max_write_buffer_number = 3;
    // A commit writes in the order of its keys: the place of each is looked for from that of the one before.
    family.memtable_insert_with_hint_prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(0));
    family.level_compaction_dynamic_level_bytes = true;
    // What is written first is soon written again.
    family.compression_per_level = {rocksdb::kNoCompression, rocksdb::kLZ4Compression};

    auto table = table_preset(cache);
    table.filter_policy.reset(rocksdb::NewRibbonFilterPolicy(10));
    switch (space.pattern) {
    case data::Pattern::rows:
    case data::Pattern::settings:
        break;
    case data::Pattern::marks:
        compact_from(family, files_of_few);
        break;
    case data::Pattern::hot_lookup:
        // A look-up costs one probe of a filter that stays in memory and one hashed search in a small block.
        table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
        table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
        table.block_size = 2 << 10;
        table.index_type = rocksdb::BlockBasedTableOptions::kBinarySearch;
        table.partition_filters = false;
        table.metadata_cache_options.unpartitioned_pinning = rocksdb::PinningTier::kAll;
        family.compression_per_level = {rocksdb::kNoCompression};
        family.memtable_whole_key_filtering = true; // most keys are not among the recent writes
        family.memtable_prefix_bloom_size_ratio = 0.02;
        break;
    case data::Pattern::passing: // most of what a compaction writes is written again
        family.compression_per_level = {rocksdb::kNoCompression};
        compact_from(family, 24);
        break;
    case data::Pattern::queue:
        // A scan steps over what was erased until a compaction has dropped it. So that comes soon: little
        // waits in memory, and files are merged as soon as there are two, each with few others as they are
        // small.
        family.write_buffer_size = queue_buffer_bytes;
        family.max_write_buffer_number = 8; // a large commit fills several at once
        family.level0_file_num_compaction_trigger = 2;
        family.target_file_size_base = 4 * queue_buffer_bytes;
        // While all threads merge larger spaces, small files may pile up; commits are not to wait for them.
        family.level0_slowdown_writes_trigger = 64;
        family.level0_stop_writes_trigger = 128;
        break;
    }
    if (space.merges != data::MergeRule::none)
        family.merge_operator = std::make_shared<MergeOperator>(space.merges);
    if (space.merges == data::MergeRule::sum)
        family.compaction_filter = &forget_zeros;
    family.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return family;
}

} // namespace slashpost::storage

#pragma once
// How RocksDB is set up: one preset for the whole database and one per access pattern. All numbers that tune
// the store are in presets.cc; none of them is on disk, so each may change between two starts.
#include "storage/options.h"

#include <rocksdb/options.h>

#include <memory>

namespace slashpost::storage {

rocksdb::DBOptions database_preset(const Options& options);

// `cache` is shared by all families.
rocksdb::ColumnFamilyOptions family_preset(data::Pattern pattern, const Options& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache);

std::shared_ptr<rocksdb::Cache> make_cache(const Options& options);

// A tally on disk: its sum as 8 bytes, little-endian, two's complement. The same for what is added to it.
std::string encode_sum(std::int64_t sum);
// Nothing when `bytes` are not 8.
std::optional<std::int64_t> decode_sum(std::string_view bytes);

} // namespace slashpost::storage

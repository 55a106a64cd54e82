#pragma once
// How RocksDB is set up: one preset for the whole database and one for each space. All numbers that tune
// the store are in presets.cc; none of them is on disk, so each may change between two starts.
#include "storage/options.h"

#include <rocksdb/options.h>

#include <memory>

namespace slashpost::storage {

rocksdb::DBOptions database_preset(const Options& options);

// `cache` is shared by all families.
rocksdb::ColumnFamilyOptions family_preset(const data::Space& space, const Options& options,
                                           const std::shared_ptr<rocksdb::Cache>& cache);

std::shared_ptr<rocksdb::Cache> make_cache(const Options& options);

} // namespace slashpost::storage

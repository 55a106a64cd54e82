#pragma once
// What a RocksDB status becomes in our words. No RocksDB status leaves storage/rocksdb.
#include "core/base/result.h"

#include <rocksdb/status.h>

#include <source_location>
#include <string_view>

namespace slashpost::storage {

// A read that failed: a fault, for the log. `doing` completes "while".
std::unexpected<Error> read_failed(const rocksdb::Status& status, std::string_view doing,
                                   std::source_location where = std::source_location::current());

// A write that failed other than by a conflict: `unavailable` when the disk is the reason, else a fault.
std::unexpected<Error> write_failed(const rocksdb::Status& status,
                                    std::source_location where = std::source_location::current());

// The store in `folder` cannot be opened: refused as StoreInUse, StoreDamaged or StoreUnusable, in words for
// the person who started the program.
std::unexpected<Error> open_failed(const rocksdb::Status& status, std::string_view folder);

} // namespace slashpost::storage

#pragma once
// What a RocksDB status becomes in our words. No RocksDB status leaves storage/rocksdb.
#include "core/base/result.h"

#include <rocksdb/status.h>

#include <source_location>
#include <string>
#include <string_view>

namespace slashpost::storage {

// A read that failed: a fault, for the log. `doing` completes "while".
std::unexpected<Error> read_failed(const rocksdb::Status& status, std::string_view doing,
                                   std::source_location where = std::source_location::current());

// A write that failed other than by a conflict: `unavailable` when the disk is the reason, else a fault.
std::unexpected<Error> write_failed(const rocksdb::Status& status,
                                    std::source_location where = std::source_location::current());
// The same, `unavailable`, when it is known what is wrong: `words` of words_for.
std::unexpected<Error> no_writes(std::string_view words);

// Whether the system is to blame, rather than what is in the files or another process.
bool is_disk_trouble(const rocksdb::Status& status);
// What is wrong with the disk and what to do about it, for whoever reads the log or an answer: "the disk is
// full; free some room on it".
std::string words_for(const rocksdb::Status& status);

// The store in `folder` cannot be opened: refused as StoreInUse, StoreDamaged or StoreUnusable, in words for
// the person who started the program.
std::unexpected<Error> open_failed(const rocksdb::Status& status, std::string_view folder);

} // namespace slashpost::storage

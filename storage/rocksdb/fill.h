#pragma once
// A fill (core/data/fill.h) of a RocksDB store: what is written is sorted outside of memory (runs.h), made
// into RocksDB's own files and given to it all at once. So nothing goes through the log, through the
// structures in memory for commits, or, where the store had nothing in that place, through compactions.
#include "core/data/fill.h"
#include "storage/rocksdb/row_cache.h"
#include "storage/rocksdb/view.h"

#include <string>

namespace slashpost::storage {

// What a fill that was cut off left behind in the store's folder goes.
void forget_fills(const std::string& folder);

// Sorts in about `memory_bytes`. `families` and `rows`, which is told to forget, outlive the fill.
Result<std::unique_ptr<data::Fill>> make_fill(rocksdb::DB& db, const Families& families, RowCache& rows,
                                              std::uint64_t memory_bytes);

} // namespace slashpost::storage

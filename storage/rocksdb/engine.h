#pragma once
// The durable engine: RocksDB, with transactions of our own (txn.h), in one folder that belongs to it alone.
//
// One column family per space, named like it, and one for the tallies, kept by a merge operator that adds.
// On a full disk writes answer `unavailable`, reads go on, and within seconds of there being room again
// writes do too. Destroying the engine closes the store in good order; being killed loses nothing either.
#include "storage/options.h"

#include <memory>
#include <span>
#include <string>

namespace slashpost::storage {

// Makes the folder, the store and missing spaces when they are not there. Refuses, without having changed
// anything, a store that is in use, damaged, or has spaces unknown to us; the message is for the operator.
Result<std::unique_ptr<data::Engine>>
open_rocksdb(const std::string& path, std::span<const data::Space> spaces, const Options& options);

} // namespace slashpost::storage

#pragma once
// Opens a store by its name: the one place that knows which engines there are.
//
//   rocksdb:PATH   durable, in the folder PATH (storage/rocksdb)
//   postgres://... on somebody else's server, which keeps it alive (storage/postgres)
//   memory:        for tests, gone with the process (storage/memory)
#include "core/data/measured.h"
#include "storage/options.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace slashpost::storage {

// `spaces` are all spaces that will be used, with distinct numbers and names. Fails with a sentence for the
// person who started the program; the store is then as it was.
Result<std::unique_ptr<data::Engine>> open(std::string_view where, std::span<const data::Space> spaces,
                                           const Options& options = {});

// Makes `folder`, which is not there yet, a copy of the store in the folder `from`, which nobody has open.
// Files that never change are given a second name where the file system can. Fails when `tell` does, and as
// `unavailable` with the system's reason; then the folder may be there, and is good for nothing.
Result<void> copy_store(const std::string& from, const std::string& folder, const data::Tell& tell);

// Whether it names a store on somebody else's server, and no password, which does not belong where addresses
// are written down.
bool is_address_elsewhere(std::string_view where);

// One value of an existing store, read without opening it for writing: to look at its format first. Nothing
// when there is no store yet, or no such key. Fails when the store is in use or damaged.
Result<std::optional<data::Bytes>> peek(std::string_view where, const data::Space& space,
                                        data::BytesView key);

} // namespace slashpost::storage

#pragma once
// What can be known about a store's folder without changing a byte of it: whether there is a store, whether
// somebody uses it, which spaces it has. RocksDB's own open creates, renames and deletes files first and
// refuses afterwards, so everything that may refuse is asked here.
#include "core/data/engine.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace slashpost::storage {

// The one spelling of `path` by which RocksDB knows a folder; its locks within a process go by the spelling.
Result<std::string> spell_folder(const std::string& path);

// Succeeds when `path` can be opened with these spaces: it is missing, empty, or holds a store of ours that
// nobody uses and that has no space unknown to us (which a newer version would have made).
Result<void> check_folder(const std::string& path, std::span<const data::Space> spaces);

// One value of an existing store, without write access. Nothing when the folder is missing or empty, or has
// no such space or key.
Result<std::optional<data::Bytes>> peek_rocksdb(const std::string& path, const data::Space& space,
                                                data::BytesView key);

} // namespace slashpost::storage

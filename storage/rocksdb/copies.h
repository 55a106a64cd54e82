#pragma once
// Copies of a store's files. A table file is never written to once it is there, so a copy of one is the
// same file under another name (a hard-link) wherever the file system lets us; all others are copied byte by
// byte.
#include "core/data/measured.h"

#include <rocksdb/db.h>

#include <string>

namespace slashpost::storage {

// As data::Copied::copy_files has it.
Result<void> copy_open_store(rocksdb::DB& db, const std::string& folder, const std::string& earlier,
                             const data::Tell& tell);
// The same of a store that nobody has open.
Result<void> copy_closed_store(const std::string& from, const std::string& folder, const data::Tell& tell);

} // namespace slashpost::storage

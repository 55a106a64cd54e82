#pragma once
// The files that RocksDB keeps its tables in, one by one.
#include "core/data/measured.h"

namespace rocksdb {
class DB;
}

namespace slashpost::storage {

// Reads every table file and compares its checksums, telling how many of the bytes are done. Fails with the
// first file that is damaged. No file is deleted meanwhile.
Result<void> verify_table_files(rocksdb::DB& db, const data::Tell& tell);

} // namespace slashpost::storage

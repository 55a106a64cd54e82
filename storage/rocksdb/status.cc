#include "storage/rocksdb/status.h"

#include "core/base/errors.h"

#include <fmt/format.h>

namespace slashpost::storage {

namespace {

// RocksDB has no code for this. The first is another process, the second another store of this one.
bool is_lock_held(const rocksdb::Status& status) {
    const std::string text = status.ToString();
    return text.find("While lock file") != text.npos ||
           text.find("lock hold by current process") != text.npos;
}

} // namespace

std::unexpected<Error> read_failed(const rocksdb::Status& status, std::string_view doing,
                                   std::source_location where) {
    return fault(fmt::format("while {}: {}", doing, status.ToString()), where);
}

std::unexpected<Error> write_failed(const rocksdb::Status& status, std::source_location where) {
    if (status.IsIOError() || status.IsNoSpace() || status.IsShutdownInProgress())
        return unavailable("The store takes no writes now; reading goes on. Try again later.");
    return fault(fmt::format("while committing: {}", status.ToString()), where);
}

std::unexpected<Error> open_failed(const rocksdb::Status& status, std::string_view folder) {
    if (is_lock_held(status))
        return refused("StoreInUse", "store",
                       fmt::format("The folder {} is in use by another slashpost process.", folder));
    if (status.IsCorruption())
        return refused("StoreDamaged", "store",
                       fmt::format("The store in {} is damaged: {}.", folder, status.ToString()));
    return refused("StoreUnusable", "store",
                   fmt::format("The store in {} cannot be opened: {}.", folder, status.ToString()));
}

} // namespace slashpost::storage

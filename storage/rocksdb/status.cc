#include "storage/rocksdb/status.h"

#include "core/base/errors.h"

#include <fmt/format.h>

#include <array>
#include <utility>

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
        return no_writes(words_for(status));
    return fault(fmt::format("while committing: {}", status.ToString()), where);
}

std::unexpected<Error> no_writes(std::string_view words) {
    return unavailable(
        fmt::format("The store takes no writes now, reading goes on: {}. Try again later.", words));
}

bool is_disk_trouble(const rocksdb::Status& status) {
    return (status.IsIOError() || status.IsNoSpace()) && !is_lock_held(status);
}

// RocksDB has a code for the first only; of others it keeps the system's words.
std::string words_for(const rocksdb::Status& status) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> known{{
        {"No space left", "the disk is full; free some room on it, or inodes"},
        {"Disk quota exceeded", "the disk quota is used up; raise it, or free some room"},
        {"Too many open files", "no more files may be opened; raise the limit (LimitNOFILE, ulimit -n)"},
        {"File too large", "files may not grow any more; raise the limit (LimitFSIZE, ulimit -f)"},
        {"Read-only file system", "the file system takes no writes; mount it for writing, and see dmesg"},
        {"Input/output error", "the disk fails; see dmesg, and take a backup"},
    }};
    if (status.IsNoSpace())
        return std::string(known.front().second);
    const auto text = status.ToString();
    for (const auto& [system, ours] : known)
        if (text.find(system) != std::string::npos)
            return std::string(ours);
    return "its disk fails; the log of the server says how";
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

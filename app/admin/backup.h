#pragma once
// Backups of a data folder in a folder DIR:
//
//   DIR/lock                         held by whoever makes or removes a backup (folder_lock.h)
//   DIR/2026-11-29T15-00-00Z/store/  a store as it was then, in UTC
//   DIR/new/, DIR/gone/              one that is made or removed; what was cut off there goes with the next
//   DIR/verified/                    a copy that is looked at
//
// A backup needs no journal of clicks: what the journal has at the call is counted in the store first, and a
// store says how far it has counted, so that a restored one takes none for new
// (core/clicks/journal_reader.h). What is the same in several backups takes room once, if the file system has
// hard links.
#include "app/admin/admin_context.h"
#include "app/admin/backup_keep.h"
#include "core/data/measured.h"

#include <filesystem>
#include <vector>

namespace slashpost::admin {

struct Backup {
    Timestamp at;
    std::filesystem::path folder;
};

// Oldest first; none when there is no such folder. Fails when it may not be read.
Result<std::vector<Backup>> backups_in(const std::filesystem::path& folder);

// Makes one, and the folder if it is missing. Fails when somebody else does, when the store lies on another
// server, and when `tell` does. Nothing is left of one that failed, and the others stay as they are.
Result<Backup> make_backup(AdminContext& context, const std::filesystem::path& folder,
                           const data::Tell& tell);
// Removes those that `keep` does not name, and answers how many. Fails when somebody else works there.
Result<std::size_t> thin_backups(const std::filesystem::path& folder, const BackupKeep& keep);

// Makes it the store of a data folder that has none. The caller holds the data folder's lock.
Result<void> put_backup_in_place(const Backup& backup, const std::filesystem::path& data_folder,
                                 const data::Tell& tell);

// What the commands do. `verify_backup`: opens a copy of the newest and verifies it.
Result<int> back_up(AdminContext& context, const std::filesystem::path& folder, Console& console);
Result<int> list_backups(const std::filesystem::path& folder, Console& console);
Result<int> verify_backup(const std::filesystem::path& folder, Console& console);
// The newest that is not after `at`; of all, if that is nothing. Into a folder that has no store.
Result<int> restore_backup(const std::filesystem::path& folder, std::optional<Timestamp> at,
                           const std::filesystem::path& data_folder, Console& console);

} // namespace slashpost::admin

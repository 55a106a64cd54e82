#include "storage/rocksdb/folder.h"

#include "core/base/errors.h"
#include "storage/rocksdb/status.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace slashpost::storage {

namespace {

namespace fs = std::filesystem;

enum class Contents { nothing, store };

// RocksDB takes a folder without the file CURRENT for a new one and deletes data files it does not expect
// there. So data without CURRENT is a damaged store, and anything else may be the rest of a creation that
// was cut off.
Result<Contents> look(const std::string& path) {
    std::error_code error;
    if (fs::exists(fs::path(path) / "CURRENT", error))
        return Contents::store;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
        const auto extension = it->path().extension();
        if (extension == ".sst" || (extension == ".log" && it->file_size(error) > 0))
            return refused("StoreDamaged", "store",
                           fmt::format("The store in {} is damaged: it has data but no file CURRENT.", path));
    }
    if (error && error != std::errc::no_such_file_or_directory)
        return refused("StoreUnusable", "store",
                       fmt::format("The folder {} cannot be read: {}.", path, error.message()));
    return Contents::nothing;
}

Result<void> check_unused(const std::string& path) {
    rocksdb::FileLock* lock = nullptr;
    rocksdb::Env* env = rocksdb::Env::Default();
    if (auto status = env->LockFile(path + "/LOCK", &lock); !status.ok())
        return open_failed(status, path);
    env->UnlockFile(lock).PermitUncheckedError();
    return {};
}

Result<std::vector<std::string>> families(const std::string& path) {
    std::vector<std::string> names;
    if (auto status = rocksdb::DB::ListColumnFamilies(rocksdb::DBOptions(), path, &names); !status.ok())
        return open_failed(status, path);
    return names;
}

} // namespace

Result<std::string> spell_folder(const std::string& path) {
    std::error_code error;
    auto spelt = fs::weakly_canonical(path, error).string();
    if (error || spelt.empty())
        return refused("StoreUnusable", "store", fmt::format("'{}' is not the name of a folder.", path));
    return spelt;
}

Result<void> check_folder(const std::string& path, std::span<const data::Space> spaces) {
    if (TRY(look(path)) == Contents::nothing)
        return {};
    TRY(check_unused(path));
    for (const auto& name : TRY(families(path))) {
        const bool known = name == rocksdb::kDefaultColumnFamilyName || name == data::tallies.name ||
                           std::ranges::find(spaces, name, &data::Space::name) != spaces.end();
        if (!known)
            return refused(
                "StoreNewer", "store",
                fmt::format("The store in {} has a space '{}' that this version does not know; it was "
                            "written by a newer one. Nothing was changed.",
                            path, name));
    }
    return {};
}

Result<std::optional<data::Bytes>> peek_rocksdb(const std::string& path, const data::Space& space,
                                                data::BytesView key) {
    const auto folder = TRY(spell_folder(path));
    if (TRY(look(folder)) == Contents::nothing)
        return std::nullopt;
    TRY(check_unused(folder));
    const auto names = TRY(families(folder));
    if (std::ranges::find(names, space.name) == names.end())
        return std::nullopt;

    const std::vector<rocksdb::ColumnFamilyDescriptor> wanted{{rocksdb::kDefaultColumnFamilyName, {}},
                                                              {std::string(space.name), {}}};
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    // A damaged log is told of when the store is opened, and holds nothing of what is peeked at.
    rocksdb::DBOptions options;
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
    if (auto status = rocksdb::DB::OpenForReadOnly(options, folder, wanted, &handles, &opened); !status.ok())
        return open_failed(status, folder);
    const std::unique_ptr<rocksdb::DB> db(opened);
    std::string value;
    const auto status = db->Get({}, handles[1], key, &value);
    for (auto* handle : handles)
        db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    if (status.IsNotFound())
        return std::nullopt;
    if (!status.ok())
        return open_failed(status, folder);
    return value;
}

} // namespace slashpost::storage

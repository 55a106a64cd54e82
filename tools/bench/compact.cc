// compact FOLDER: brings every space of a store (the folder `store` of a data folder) into its smallest form,
// which a server does by and by. No server may run.
#include "core/schema/spaces.h"
#include "storage/options.h"
#include "storage/rocksdb/presets.h"

#include <rocksdb/db.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

namespace {

// As the server opens it; a space that was never used is not there.
std::vector<rocksdb::ColumnFamilyDescriptor> families_in(const std::string& folder) {
    std::vector<std::string> names;
    rocksdb::DB::ListColumnFamilies({}, folder, &names)
        .PermitUncheckedError(); // then opening says what is wrong
    const auto cache = slashpost::storage::make_cache({});
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    families.reserve(names.size());
    for (const auto& name : names) {
        const auto known = std::ranges::find(slashpost::space::all, name, &slashpost::data::Space::name);
        const auto space = known != slashpost::space::all.end()    ? *known
                           : name == slashpost::data::tallies.name ? slashpost::data::tallies
                                                                   : slashpost::data::Space{};
        families.emplace_back(name, slashpost::storage::family_preset(space, {}, cache));
    }
    return families;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 || !std::filesystem::exists(std::filesystem::path(arguments[1]) / "CURRENT")) {
        std::cerr << "compact FOLDER: that of a stopped store, DATA/store\n";
        return 2;
    }
    auto options = slashpost::storage::database_preset({});
    options.create_if_missing = false;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    auto status = rocksdb::DB::Open(options, arguments[1], families_in(arguments[1]), &handles, &opened);
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::CompactRangeOptions whole;
    whole.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
    for (auto* handle : handles) {
        if (status.ok())
            status = db->CompactRange(whole, handle, nullptr, nullptr);
        db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    }
    if (status.ok())
        status = db->Close();
    if (!status.ok())
        std::cerr << "compact: " << status.ToString() << '\n';
    return status.ok() ? 0 : 1;
}

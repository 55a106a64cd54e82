#include "storage/rocksdb/opening.h"

#include "storage/rocksdb/folder.h"
#include "storage/rocksdb/presets.h"

#include <rocksdb/cache.h>

#include <utility>

namespace slashpost::storage {

namespace {

// In the order in which their handles come back: the default one, which every store has and ours leave empty,
// and the spaces, the tallies among them.
std::vector<rocksdb::ColumnFamilyDescriptor> families_of(std::span<const data::Space> spaces,
                                                         const Options& options) {
    const auto cache = make_cache(options);
    std::vector<rocksdb::ColumnFamilyDescriptor> families{
        {rocksdb::kDefaultColumnFamilyName, family_preset({}, options, cache)}};
    for (const auto& space : spaces)
        families.emplace_back(std::string(space.name), family_preset(space, options, cache));
    return families;
}

std::vector<data::Space> with_tallies(std::span<const data::Space> spaces) {
    std::vector all{data::tallies};
    all.insert(all.end(), spaces.begin(), spaces.end());
    return all;
}

} // namespace

Opening::Opening(std::unique_ptr<rocksdb::DB> opened, std::vector<rocksdb::ColumnFamilyHandle*> its_handles,
                 Families its_families, std::size_t recent_keys, bool is_written)
    : db(std::move(opened)),
      handles(std::move(its_handles)),
      families(std::move(its_families)),
      recent(recent_keys),
      sync(is_written ? std::make_unique<GroupSync>(*db) : nullptr) {}

Opening::~Opening() {
    if (sync && !sync->is_ended()) {
        sync->wait().PermitUncheckedError(); // what was committed relaxed is kept, too
        // The log has it all. But whoever opens the store next would have to read that again.
        rocksdb::FlushOptions flush;
        flush.allow_write_stall = true; // nobody writes any more
        db->Flush(flush, handles).PermitUncheckedError();
    }
    sync.reset();
    for (auto* handle : handles)
        db->DestroyColumnFamilyHandle(handle).PermitUncheckedError();
    db->Close().PermitUncheckedError();
}

OpeningPlan::OpeningPlan(std::string folder, std::span<const data::Space> spaces, const Options& options,
                         std::shared_ptr<rocksdb::EventListener> listener)
    : folder_(std::move(folder)),
      database_(database_preset(options)),
      spaces_(with_tallies(spaces)),
      families_(families_of(spaces_, options)),
      scans_fill_cache_(options.scans_fill_cache),
      recent_keys_(options.recent_keys) {
    database_.listeners.push_back(std::move(listener));
}

OpeningPlan::Result OpeningPlan::to_write(bool takes_what_it_can) const {
    auto options = database_;
    if (takes_what_it_can)
        options.wal_recovery_mode = rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* db = nullptr;
    const auto status = rocksdb::DB::Open(options, folder_, families_, &handles, &db);
    return made(status, db, std::move(handles), true);
}

OpeningPlan::Result OpeningPlan::to_read() const {
    auto options = database_;
    options.create_if_missing = false;
    options.create_missing_column_families = false;
    options.max_open_files = -1; // all of them now: whoever writes beside may remove some
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* db = nullptr;
    const auto status = rocksdb::DB::OpenForReadOnly(options, folder_, families_, &handles, &db);
    return made(status, db, std::move(handles), false);
}

OpeningPlan::Result OpeningPlan::made(const rocksdb::Status& status, rocksdb::DB* db,
                                      std::vector<rocksdb::ColumnFamilyHandle*> handles,
                                      bool is_written) const {
    if (!status.ok())
        return {status, nullptr};
    Families families{.scans_fill_cache = scans_fill_cache_, .by_number = {}};
    for (std::size_t i = 0; i < spaces_.size(); ++i) {
        const auto number = spaces_[i].number;
        if (families.by_number.size() <= number)
            families.by_number.resize(number + std::size_t{1});
        families.by_number[number] = handles[i + 1];
    }
    return {status, std::make_shared<Opening>(std::unique_ptr<rocksdb::DB>(db), std::move(handles),
                                              std::move(families), recent_keys_, is_written)};
}

} // namespace slashpost::storage

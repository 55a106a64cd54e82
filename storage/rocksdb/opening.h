#pragma once
// One opening of the store. An engine may have several, one after the other (keeper.h); whoever reads or
// writes holds the one that it began with.
#include "storage/options.h"
#include "storage/rocksdb/group_sync.h"
#include "storage/rocksdb/recent_writes.h"
#include "storage/rocksdb/row_cache.h"
#include "storage/rocksdb/view.h"

#include <rocksdb/db.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace slashpost::storage {

// How a store is opened, each time the same way.
class OpeningPlan {
  public:
    OpeningPlan(std::string folder, std::span<const data::Space> spaces, const Options& options,
                std::shared_ptr<rocksdb::EventListener> listener);

    struct Opening {
        Opening(std::unique_ptr<rocksdb::DB> opened, std::vector<rocksdb::ColumnFamilyHandle*> its_handles,
                Families its_families, std::size_t recent_keys, bool is_written);
        // What was committed is on the disk then, unless commits were ended.
        ~Opening();
        Opening(const Opening&) = delete;
        Opening& operator=(const Opening&) = delete;

        const std::unique_ptr<rocksdb::DB> db;
        const std::vector<rocksdb::ColumnFamilyHandle*> handles;
        const Families families;
        RecentWrites recent;
        RowCache rows;
        std::unique_ptr<GroupSync> sync; // null: the store is only read
    };

    using Result = std::pair<rocksdb::Status, std::shared_ptr<Opening>>;
    // `takes_what_it_can`: records of the log that are broken are left out, instead of ending there.
    [[nodiscard]] Result to_write(bool takes_what_it_can = false) const;
    // Without writing anything, while others may write. What they write is not seen.
    [[nodiscard]] Result to_read() const;
    [[nodiscard]] const std::string& folder() const { return folder_; }

  private:
    [[nodiscard]] Result made(const rocksdb::Status& status, rocksdb::DB* db,
                              std::vector<rocksdb::ColumnFamilyHandle*> handles, bool is_written) const;

    std::string folder_;
    rocksdb::DBOptions database_;
    std::vector<data::Space> spaces_; // the tallies among them
    std::vector<rocksdb::ColumnFamilyDescriptor> families_;
    bool scans_fill_cache_;
    std::size_t recent_keys_;
};

using Opening = OpeningPlan::Opening;

} // namespace slashpost::storage

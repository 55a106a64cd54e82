#pragma once
// Reading through one snapshot: the View of the RocksDB engine, and what its Txn shares with it.
#include "core/base/errand.h"
#include "core/data/engine.h"
#include "storage/buffered_txn.h"
#include "storage/rocksdb/row_cache.h"

#include <rocksdb/db.h>

#include <memory>
#include <vector>

namespace slashpost::storage {

// Where each space is kept, and how it is scanned. Handles belong to the engine.
struct Families {
    bool scans_fill_cache = true;
    std::vector<rocksdb::ColumnFamilyHandle*> by_number; // null where there is no such space

    // A fault when the space was not declared at open.
    [[nodiscard]] Result<rocksdb::ColumnFamilyHandle*> of(const data::Space& space) const;
    [[nodiscard]] rocksdb::ReadOptions scanning(const rocksdb::Snapshot* snapshot) const;
};

// What is stored, at one moment.
class Moment {
  public:
    Moment(rocksdb::DB& db, const RecentWrites& recent, RowCache& rows)
        : db_(db),
          rows_(rows),
          begin_(recent.last()), // before the snapshot
          snapshot_(&db) {}

    Result<std::optional<data::Bytes>> get(rocksdb::ColumnFamilyHandle* family, data::Pattern pattern,
                                           data::BytesView key);
    [[nodiscard]] const rocksdb::Snapshot* snapshot() { return snapshot_.snapshot(); }
    // The last commit that it surely holds.
    [[nodiscard]] RecentWrites::Number begin() const { return begin_; }

  private:
    Result<std::optional<data::Bytes>> read(rocksdb::ColumnFamilyHandle* family, data::BytesView key);

    rocksdb::DB& db_;
    RowCache& rows_;
    const RecentWrites::Number begin_;
    rocksdb::ManagedSnapshot snapshot_;
};

class SnapshotView final : public data::View {
  public:
    SnapshotView(rocksdb::DB& db, const Families& families, const RecentWrites& recent, RowCache& rows)
        : db_(db),
          families_(families),
          moment_(db, recent, rows) {}

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;

  private:
    rocksdb::DB& db_;
    const Families& families_;
    Moment moment_;
};

// Walks the keys of a range as they were at the snapshot.
class SnapshotWalk final : public StoredWalk {
  public:
    // `base` with the bounds of the range, which must outlive the walk.
    SnapshotWalk(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family, const rocksdb::ReadOptions& base,
                 const data::Range& range, data::Order order);

    [[nodiscard]] bool there() const override { return it_ && !Errand::is_in_vain() && it_->Valid(); }
    [[nodiscard]] data::BytesView key() const override { return it_->key().ToStringView(); }
    [[nodiscard]] data::BytesView value() const override { return it_->value().ToStringView(); }
    void move() override { order_ == data::Order::forward ? it_->Next() : it_->Prev(); }
    // Also when nobody waits for it any more; and a value may be a merge that fails.
    [[nodiscard]] Result<void> check() const override;

  private:
    rocksdb::Slice from_, until_; // the iterator points to them
    data::Order order_;
    std::unique_ptr<rocksdb::Iterator> it_; // none: the range is empty
};

} // namespace slashpost::storage

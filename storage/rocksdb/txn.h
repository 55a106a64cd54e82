#pragma once
// One attempt at a transaction of the RocksDB engine: a snapshot, what the transaction wrote over it, and
// which keys must be as they were when it commits.
#include "storage/rocksdb/own_writes.h"
#include "storage/rocksdb/recent_writes.h"
#include "storage/rocksdb/view.h"

namespace slashpost::storage {

class SnapshotTxn final : public data::Txn {
  public:
    SnapshotTxn(rocksdb::DB& db, const Families& families, RecentWrites& recent, RowCache& rows)
        : db_(db),
          families_(families),
          recent_(recent),
          rows_(rows),
          moment_(db, recent, rows) {}

    Result<std::optional<data::Bytes>> get(const data::Space& space, data::BytesView key) override;
    Result<std::optional<data::Bytes>> peek(const data::Space& space, data::BytesView key) override;
    Result<void> scan(const data::Space& space, const data::Range& range, data::Order order,
                      const data::Visit& visit) override;
    Result<void> put(const data::Space& space, data::BytesView key, data::BytesView value) override;
    Result<void> erase(const data::Space& space, data::BytesView key) override;
    Result<void> merge(const data::Space& space, data::BytesView key, data::BytesView operand) override;
    Result<void> put_blind(const data::Space& space, data::BytesView key, data::BytesView value) override;
    Result<void> erase_blind(const data::Space& space, data::BytesView key) override;

    [[nodiscard]] bool wrote_nothing() const { return own_->empty(); }
    // Busy: lost against another commit, nothing is written.
    rocksdb::Status commit();

  private:
    using Stored = std::function<Result<std::optional<data::Bytes>>()>;

    void track(const rocksdb::ColumnFamilyHandle* family, data::BytesView key);
    Result<void> write(OwnWrites::Kind kind, const data::Space& space, data::BytesView key,
                       data::BytesView value);
    // What own writes make of a stored value, which is asked for when it matters.
    static Result<std::optional<data::Bytes>> over(const OwnWrites::Write& last, const data::Space& space,
                                                   const Stored& stored);
    // The first own write to a key of the range in `order`, or the one behind `after`; null: none.
    const OwnWrites::Write* next_own(const rocksdb::ColumnFamilyHandle* family, const data::Range& range,
                                     data::Order order, const std::optional<data::Bytes>& after);
    // All that was written goes there, so that a large commit is not in memory twice; and the hashes of
    // tracked keys.
    rocksdb::Status move_to(rocksdb::WriteBatch& batch, std::vector<KeyHash>& written);

    rocksdb::DB& db_;
    const Families& families_;
    RecentWrites& recent_;
    RowCache& rows_;
    Moment moment_;
    std::optional<OwnWrites> own_{std::in_place}; // none: they are in the batch of the commit
    std::vector<KeyHash> tracked_;
    std::vector<KeyHash> settings_; // of rows that the cache is to know of
};

} // namespace slashpost::storage

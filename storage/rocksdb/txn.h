#pragma once
// One attempt at a transaction of the RocksDB engine: a snapshot, what the transaction wrote over it, and
// which keys must be as they were when it commits.
#include "storage/buffered_txn.h"
#include "storage/rocksdb/recent_writes.h"
#include "storage/rocksdb/view.h"

namespace slashpost::storage {

class SnapshotTxn final : public BufferedTxn {
  public:
    SnapshotTxn(rocksdb::DB& db, const Families& families, RecentWrites& recent, RowCache& rows)
        : db_(db),
          families_(families),
          recent_(recent),
          rows_(rows),
          moment_(db, recent, rows) {}

    // Busy: lost against another commit, nothing is written.
    rocksdb::Status commit();

  protected:
    Result<std::optional<data::Bytes>> stored(const data::Space& space, data::BytesView key) override;
    Result<std::unique_ptr<StoredWalk>> stored_walk(const data::Space& space, const data::Range& range,
                                                    data::Order order) override;
    Result<void> track(const data::Space& space, data::BytesView key) override;
    Result<void> note_write(const data::Space& space, data::BytesView key) override;

  private:
    // All that was written goes there, so that a large commit is not in memory twice; and the hashes of its
    // keys.
    rocksdb::Status move_to(rocksdb::WriteBatch& batch, std::vector<KeyHash>& written);

    rocksdb::DB& db_;
    const Families& families_;
    RecentWrites& recent_;
    RowCache& rows_;
    Moment moment_;
    std::vector<KeyHash> tracked_;
    std::vector<KeyHash> settings_; // of rows that the cache is to know of
};

} // namespace slashpost::storage

#include "storage/rocksdb/txn.h"

namespace slashpost::storage {

using data::Bytes;
using data::BytesView;
using data::Space;
using Kind = OwnWrites::Kind;

Result<std::optional<Bytes>> SnapshotTxn::stored(const Space& space, BytesView key) {
    return moment_.get(TRY(families_.of(space)), space.pattern, key);
}

Result<std::unique_ptr<StoredWalk>> SnapshotTxn::stored_walk(const Space& space, const data::Range& range,
                                                             data::Order order) {
    return std::make_unique<SnapshotWalk>(db_, TRY(families_.of(space)),
                                          families_.scanning(moment_.snapshot()), range, order);
}

Result<void> SnapshotTxn::track(const Space& space, BytesView key) {
    tracked_.push_back(hash_of(TRY(families_.of(space))->GetID(), key));
    return {};
}

Result<void> SnapshotTxn::note_write(const Space& space, BytesView key) {
    const auto* family = TRY(families_.of(space));
    if (space.pattern == data::Pattern::settings)
        settings_.push_back(hash_of(family->GetID(), key));
    return {};
}

rocksdb::Status SnapshotTxn::move_to(rocksdb::WriteBatch& batch, std::vector<KeyHash>& written) {
    const auto writes = own().in_order();
    written.reserve(writes.size());
    for (const auto* one : writes) {
        const auto& write = *one;
        auto* const family = families_.by_number[write.space];
        rocksdb::Status status;
        switch (write.kind) {
        case Kind::put:
            status = batch.Put(family, write.key, write.value);
            break;
        case Kind::erase:
            status = batch.Delete(family, write.key);
            break;
        case Kind::merge:
            status = batch.Merge(family, write.key, write.value);
            break;
        }
        if (!status.ok())
            return status;
        written.push_back(hash_of(family->GetID(), write.key));
    }
    forget_own();
    return rocksdb::Status::OK();
}

rocksdb::Status SnapshotTxn::commit() {
    rocksdb::WriteBatch batch(own().bytes());
    std::vector<KeyHash> written;
    if (auto status = move_to(batch, written); !status.ok())
        return status;
    RecentWrites::Turn turn(recent_);
    if (turn.lost(moment_.begin(), tracked_))
        return rocksdb::Status::Busy();
    rows_.begins(settings_);
    auto status = db_.Write(rocksdb::WriteOptions(), &batch);
    turn.done(written); // also when it failed: it is open then what of it is there
    rows_.ended(settings_, recent_.last());
    return status;
}

} // namespace slashpost::storage

#include "storage/rocksdb/view.h"

#include "core/base/errors.h"
#include "core/data/counts.h"
#include "storage/rocksdb/presets.h"
#include "storage/rocksdb/status.h"

#include <fmt/format.h>
#include <rocksdb/utilities/write_batch_with_index.h>

namespace slashpost::storage {

namespace {

using data::Bytes;
using data::BytesView;
using data::Order;
using data::Range;
using data::Space;
using rocksdb::ColumnFamilyHandle;
using rocksdb::Slice;

rocksdb::ReadOptions at(const rocksdb::Snapshot* snapshot) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    return options;
}

// The bounds of a scan in RocksDB's form; must outlive the iterator that was made with `options`.
struct Bounds {
    Slice from;
    Slice until;
    rocksdb::ReadOptions options;

    Bounds(const Range& range, const rocksdb::Snapshot* snapshot)
        : from(range.from),
          until(range.until),
          options(at(snapshot)) {
        options.iterate_lower_bound = &from;
        if (!range.until.empty())
            options.iterate_upper_bound = &until;
    }
};

bool is_empty(const Range& range) { return !range.until.empty() && range.until <= range.from; }

void seek_to_start(rocksdb::Iterator& it, const Range& range, Order order) {
    if (order == Order::forward) {
        it.Seek(range.from);
    } else if (range.until.empty()) {
        it.SeekToLast();
    } else {
        it.SeekForPrev(range.until);
        if (it.Valid() && it.key() == range.until)
            it.Prev();
    }
}

void step(rocksdb::Iterator& it, Order order) { order == Order::forward ? it.Next() : it.Prev(); }

// Own writes of a transaction do not heed an iterator's bounds, so they are compared here.
bool is_within(const rocksdb::Iterator& it, const Range& range, Order order) {
    if (!it.Valid())
        return false;
    const Slice key = it.key();
    return order == Order::forward ? range.until.empty() || key.compare(range.until) < 0
                                   : key.compare(range.from) >= 0;
}

Result<void> check_end(const rocksdb::Iterator& it) {
    if (auto status = it.status(); !status.ok())
        return read_failed(status, "scanning");
    return {};
}

// Calls `walk(visit)` with a visitor that turns stored sums into numbers.
template <class Walk>
Result<void> walk_tallies(const Walk& walk, const data::VisitTally& visit) {
    bool readable = true;
    TRY(walk([&](BytesView key, BytesView value) {
        const auto sum = decode_sum(value);
        readable = sum.has_value();
        return sum && visit(key, *sum);
    }));
    if (!readable)
        return fault("a tally is not a sum");
    return {};
}

Result<void> walk_snapshot(rocksdb::DB& db, ColumnFamilyHandle* family, const rocksdb::Snapshot* snapshot,
                           const Range& range, Order order, const data::Visit& visit) {
    if (is_empty(range))
        return {};
    const Bounds bounds(range, snapshot);
    const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator(bounds.options, family));
    for (seek_to_start(*it, range, order); is_within(*it, range, order); step(*it, order))
        if (!visit(it->key().ToStringView(), it->value().ToStringView()))
            break;
    return check_end(*it);
}

} // namespace

Result<ColumnFamilyHandle*> Families::of(const Space& space) const {
    if (space.number < by_number.size() && by_number[space.number] != nullptr) [[likely]]
        return by_number[space.number];
    return fault(fmt::format("the space '{}' was not declared when the store was opened", space.name));
}

Result<std::optional<Bytes>> SnapshotView::get(const Space& space, BytesView key) {
    Bytes value;
    const auto status = db_.Get(at(snapshot_.snapshot()), TRY(families_.of(space)), key, &value);
    if (status.IsNotFound())
        return std::nullopt;
    if (!status.ok())
        return read_failed(status, "reading a value");
    return value;
}

Result<void> SnapshotView::scan(const Space& space, const Range& range, Order order,
                                const data::Visit& visit) {
    return walk_snapshot(db_, TRY(families_.of(space)), snapshot_.snapshot(), range, order, visit);
}

Result<void> SnapshotView::scan_tallies(const Range& range, Order order, const data::VisitTally& visit) {
    return walk_tallies(
        [&](const data::Visit& each) {
            return walk_snapshot(db_, families_.tallies, snapshot_.snapshot(), range, order, each);
        },
        visit);
}

OptimisticTxn::OptimisticTxn(rocksdb::OptimisticTransactionDB& db, const Families& families)
    : db_(db),
      families_(families) {
    rocksdb::OptimisticTransactionOptions options;
    options.set_snapshot = true;
    // Not synced here but by the engine, which tells why.
    txn_.reset(db.BeginTransaction(rocksdb::WriteOptions(), options));
}

Result<std::optional<Bytes>> OptimisticTxn::get(const Space& space, BytesView key) {
    TRY(index_blind());
    Bytes value;
    // Only GetForUpdate is tracked; a plain Get would let write skew through.
    const auto status = txn_->GetForUpdate(at(txn_->GetSnapshot()), TRY(families_.of(space)), key, &value);
    if (status.IsNotFound())
        return std::nullopt;
    if (!status.ok())
        return read_failed(status, "reading a value");
    return value;
}

// A write during `visit` may move the memory that an iterator over own writes points to, and unsettles the
// iterator; so `visit` gets copies, and after a write the iterator is placed anew.
Result<void> OptimisticTxn::walk(ColumnFamilyHandle* family, const Range& range, Order order,
                                 const data::Visit& visit) {
    if (is_empty(range))
        return {};
    TRY(index_blind());
    const Bounds bounds(range, txn_->GetSnapshot());
    // Not txn_->GetIterator: given an upper bound, RocksDB 7.8 ends a backward scan at once when an own
    // write lies exactly on the bound. Without one it goes on, and is_within ends it.
    const std::unique_ptr<rocksdb::Iterator> it(
        txn_->GetWriteBatch()->NewIteratorWithBase(family, db_.NewIterator(bounds.options, family)));
    Bytes key, value;
    seek_to_start(*it, range, order);
    while (is_within(*it, range, order)) {
        key = it->key().ToStringView();
        value = it->value().ToStringView();
        const auto writes = writes_;
        TRY(check_end(*it)); // a merge inside value() may have failed
        if (!visit(key, value))
            break;
        TRY(index_blind());
        if (writes != writes_)
            order == Order::forward ? it->Seek(key) : it->SeekForPrev(key);
        if (writes == writes_ || (it->Valid() && it->key() == key))
            step(*it, order);
    }
    return check_end(*it);
}

Result<void> OptimisticTxn::scan(const Space& space, const Range& range, Order order,
                                 const data::Visit& visit) {
    return walk(TRY(families_.of(space)), range, order, visit);
}

Result<void> OptimisticTxn::scan_tallies(const Range& range, Order order, const data::VisitTally& visit) {
    return walk_tallies([&](const data::Visit& each) { return walk(families_.tallies, range, order, each); },
                        visit);
}

Result<void> OptimisticTxn::wrote(const rocksdb::Status& status) {
    if (!status.ok())
        return write_failed(status);
    ++writes_;
    return {};
}

rocksdb::Status OptimisticTxn::put_in_blind() {
    const Slice bytes(blind_bytes_);
    std::size_t at = 0;
    for (const auto& one : blind_) {
        const Slice key(bytes.data() + at, one.key_bytes);
        const Slice value(key.data() + key.size(), one.value_bytes);
        at += key.size() + value.size();
        // Tracked merges would conflict with each other.
        const auto status = one.kind == BlindKind::merge ? txn_->MergeUntracked(one.family, key, value)
                                                         : txn_->PutUntracked(one.family, key, value);
        if (!status.ok())
            return status;
    }
    blind_.clear();
    blind_bytes_.clear();
    return {};
}

Result<void> OptimisticTxn::write_blind(ColumnFamilyHandle* family, BlindKind kind, BytesView key,
                                        BytesView value) {
    blind_.push_back({.family = family,
                      .kind = kind,
                      .key_bytes = static_cast<std::uint32_t>(key.size()),
                      .value_bytes = static_cast<std::uint32_t>(value.size())});
    blind_bytes_.append(key).append(value);
    ++writes_;
    return {};
}

Result<void> OptimisticTxn::index_blind() {
    if (auto status = put_in_blind(); !status.ok())
        return write_failed(status);
    return {};
}

rocksdb::Status OptimisticTxn::commit() {
    txn_->DisableIndexing();
    if (auto status = put_in_blind(); !status.ok())
        return status;
    return txn_->Commit();
}

Result<void> OptimisticTxn::put(const Space& space, BytesView key, BytesView value) {
    TRY(index_blind());
    return wrote(txn_->Put(TRY(families_.of(space)), key, value));
}

Result<void> OptimisticTxn::erase(const Space& space, BytesView key) {
    TRY(index_blind());
    return wrote(txn_->Delete(TRY(families_.of(space)), key));
}

Result<void> OptimisticTxn::add(BytesView tally, std::int64_t delta) {
    return write_blind(families_.tallies, BlindKind::merge, tally, encode_sum(delta));
}

Result<void> OptimisticTxn::add_counts(const Space& space, BytesView key, const data::Counts& delta) {
    return write_blind(TRY(families_.of(space)), BlindKind::merge, key, delta.encode());
}

Result<void> OptimisticTxn::append(const Space& space, BytesView key, BytesView more) {
    return write_blind(TRY(families_.of(space)), BlindKind::merge, key, more);
}

Result<void> OptimisticTxn::put_blind(const Space& space, BytesView key, BytesView value) {
    return write_blind(TRY(families_.of(space)), BlindKind::put, key, value);
}

} // namespace slashpost::storage

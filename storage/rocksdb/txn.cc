#include "storage/rocksdb/txn.h"

#include "core/base/errors.h"
#include "core/data/merging.h"

#include <fmt/format.h>

#include <algorithm>

namespace slashpost::storage {

namespace {

using data::Bytes;
using data::BytesView;
using data::Order;
using data::Range;
using data::Space;
using rocksdb::ColumnFamilyHandle;
using Kind = OwnWrites::Kind;

} // namespace

void SnapshotTxn::track(const ColumnFamilyHandle* family, BytesView key) {
    tracked_.push_back(hash_of(family->GetID(), key));
}

Result<std::optional<Bytes>> SnapshotTxn::over(const OwnWrites::Write& last, const Space& space,
                                               const Stored& stored) {
    std::vector<BytesView> parts; // newest first
    const auto* write = &last;
    for (; write != nullptr && write->kind == Kind::merge; write = write->before)
        parts.push_back(write->value);
    std::optional<Bytes> value;
    if (write == nullptr)
        value = TRY(stored());
    else if (write->kind == Kind::put)
        value = Bytes(write->value);
    if (parts.empty())
        return value;
    if (value)
        parts.emplace_back(*value);
    std::ranges::reverse(parts);
    auto merged = data::merge_values(space.merges, parts);
    if (!merged)
        return fault(fmt::format("a value of '{}' cannot be merged", space.name));
    return merged;
}

Result<std::optional<Bytes>> SnapshotTxn::get(const Space& space, BytesView key) {
    track(TRY(families_.of(space)), key);
    return peek(space, key);
}

Result<std::optional<Bytes>> SnapshotTxn::peek(const Space& space, BytesView key) {
    auto* family = TRY(families_.of(space));
    const auto stored = [&] { return moment_.get(family, space.pattern, key); };
    const auto* own = own_->last(family->GetID(), key);
    return own != nullptr ? over(*own, space, stored) : stored();
}

const OwnWrites::Write* SnapshotTxn::next_own(const ColumnFamilyHandle* family, const Range& range,
                                              Order order, const std::optional<Bytes>& after) {
    const auto* keys = own_->keys(family->GetID());
    if (keys == nullptr)
        return nullptr;
    if (order == Order::forward) {
        const auto it = after ? keys->upper_bound(*after) : keys->lower_bound(range.from);
        const bool there = it != keys->end() && (range.until.empty() || *it < range.until);
        return there ? own_->last(family->GetID(), *it) : nullptr;
    }
    auto it = after                 ? keys->lower_bound(*after)
              : range.until.empty() ? keys->end()
                                    : keys->lower_bound(range.until);
    return it != keys->begin() && *--it >= range.from ? own_->last(family->GetID(), *it) : nullptr;
}

// The walk through the snapshot knows nothing of own writes, so `visit` may write; what it writes ahead of
// the walk is visited.
Result<void> SnapshotTxn::scan(const Space& space, const Range& range, Order order,
                               const data::Visit& visit) {
    auto* family = TRY(families_.of(space));
    SnapshotWalk stored(db_, family, families_.scanning(moment_.snapshot()), range, order);
    std::optional<Bytes> at;
    for (;;) {
        TRY(stored.check());
        const auto* own = next_own(family, range, order, at);
        bool is_stored = stored.there();
        if (own == nullptr && !is_stored)
            return {};
        if (own != nullptr && is_stored && own->key != stored.key()) {
            if ((own->key < stored.key()) == (order == Order::forward))
                is_stored = false;
            else
                own = nullptr;
        }
        const auto key = own != nullptr ? own->key : stored.key();
        at = Bytes(key);
        bool more = true;
        if (own != nullptr) {
            const auto value = TRY(over(*own, space, [&]() -> Result<std::optional<Bytes>> {
                return is_stored ? std::optional<Bytes>(stored.value()) : std::nullopt;
            }));
            more = !value || visit(key, *value);
        } else {
            const auto value = stored.value();
            TRY(stored.check()); // a merge inside value() may have failed
            more = visit(key, value);
        }
        if (!more)
            return {};
        if (is_stored)
            stored.move();
    }
}

Result<void> SnapshotTxn::write(Kind kind, const Space& space, BytesView key, BytesView value) {
    auto* family = TRY(families_.of(space));
    if (kind == Kind::merge)
        own_->merge(space.merges, family, key, value);
    else
        own_->add(kind, family, key, value);
    if (space.pattern == data::Pattern::settings)
        settings_.push_back(hash_of(family->GetID(), key));
    return {};
}

Result<void> SnapshotTxn::put(const Space& space, BytesView key, BytesView value) {
    track(TRY(families_.of(space)), key);
    return put_blind(space, key, value);
}

Result<void> SnapshotTxn::erase(const Space& space, BytesView key) {
    track(TRY(families_.of(space)), key);
    return erase_blind(space, key);
}

Result<void> SnapshotTxn::merge(const Space& space, BytesView key, BytesView operand) {
    if (space.merges == data::MergeRule::none)
        return fault(fmt::format("nothing is merged in the space '{}'", space.name));
    return write(Kind::merge, space, key, operand);
}

Result<void> SnapshotTxn::put_blind(const Space& space, BytesView key, BytesView value) {
    return write(Kind::put, space, key, value);
}

Result<void> SnapshotTxn::erase_blind(const Space& space, BytesView key) {
    return write(Kind::erase, space, key, {});
}

rocksdb::Status SnapshotTxn::move_to(rocksdb::WriteBatch& batch, std::vector<KeyHash>& written) {
    const auto writes = own_->in_order();
    written.reserve(writes.size());
    for (const auto* one : writes) {
        const auto& write = *one;
        rocksdb::Status status;
        switch (write.kind) {
        case Kind::put:
            status = batch.Put(write.family, write.key, write.value);
            break;
        case Kind::erase:
            status = batch.Delete(write.family, write.key);
            break;
        case Kind::merge:
            status = batch.Merge(write.family, write.key, write.value);
            break;
        }
        if (!status.ok())
            return status;
        written.push_back(hash_of(write.family->GetID(), write.key));
    }
    own_.reset();
    return rocksdb::Status::OK();
}

rocksdb::Status SnapshotTxn::commit() {
    rocksdb::WriteBatch batch(own_->bytes());
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

#include "storage/rocksdb/view.h"

#include "core/base/errors.h"
#include "storage/rocksdb/status.h"

#include <fmt/format.h>

namespace slashpost::storage {

using data::Bytes;
using data::BytesView;
using data::Order;
using data::Range;
using data::Space;
using rocksdb::ColumnFamilyHandle;

namespace {

// Nobody sees it.
std::unexpected<Error> in_vain() {
    return refused("Abandoned", "service", "Nobody waits for the answer any more.");
}

} // namespace

Result<ColumnFamilyHandle*> Families::of(const Space& space) const {
    if (space.number < by_number.size() && by_number[space.number] != nullptr) [[likely]]
        return by_number[space.number];
    return fault(fmt::format("the space '{}' was not declared when the store was opened", space.name));
}

rocksdb::ReadOptions Families::scanning(const rocksdb::Snapshot* snapshot) const {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot;
    options.fill_cache = scans_fill_cache;
    return options;
}

Result<std::optional<Bytes>> Moment::get(ColumnFamilyHandle* family, data::Pattern pattern, BytesView key) {
    if (Errand::is_in_vain())
        return in_vain();
    if (pattern != data::Pattern::settings)
        return read(family, key);
    const RowCache::RowKey place{
        .family = family->GetID(), .key = key, .hash = hash_of(family->GetID(), key)};
    if (auto known = rows_.find(place, begin_))
        return *std::move(known);
    auto value = TRY(read(family, key));
    rows_.keep(place, begin_, value);
    return value;
}

Result<std::optional<Bytes>> Moment::read(ColumnFamilyHandle* family, BytesView key) {
    rocksdb::ReadOptions options;
    options.snapshot = snapshot();
    Bytes value;
    const auto status = db_.Get(options, family, key, &value);
    if (status.IsNotFound())
        return std::nullopt;
    if (!status.ok())
        return read_failed(status, "reading a value");
    return value;
}

SnapshotWalk::SnapshotWalk(rocksdb::DB& db, ColumnFamilyHandle* family, const rocksdb::ReadOptions& base,
                           const Range& range, Order order)
    : from_(range.from),
      until_(range.until),
      order_(order) {
    if (!range.until.empty() && range.until <= range.from)
        return;
    auto options = base;
    options.iterate_lower_bound = &from_;
    if (!range.until.empty())
        options.iterate_upper_bound = &until_;
    it_.reset(db.NewIterator(options, family));
    if (order == Order::forward)
        it_->Seek(from_);
    else
        it_->SeekToLast(); // of the bounds
}

Result<void> SnapshotWalk::check() const {
    if (!it_)
        return {};
    if (Errand::is_in_vain())
        return in_vain();
    if (auto status = it_->status(); !status.ok())
        return read_failed(status, "scanning");
    return {};
}

Result<std::optional<Bytes>> SnapshotView::get(const Space& space, BytesView key) {
    return moment_.get(TRY(families_.of(space)), space.pattern, key);
}

Result<void> SnapshotView::scan(const Space& space, const Range& range, Order order,
                                const data::Visit& visit) {
    SnapshotWalk walk(db_, TRY(families_.of(space)), families_.scanning(moment_.snapshot()), range, order);
    for (; walk.there(); walk.move())
        if (!visit(walk.key(), walk.value()))
            break;
    return walk.check();
}

} // namespace slashpost::storage

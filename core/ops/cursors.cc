#include "core/ops/cursors.h"

#include "core/access/ended_rows.h"

namespace slashpost {

namespace detail {

Result<void> keep_trace(data::Txn& txn, const Tombstone& trace) {
    const auto& table = schema().tombstones;
    // A row may have been erased, made again and erased again.
    if (const auto before = TRY(table.find(txn, Tombstone::primary_of(trace))))
        return table.update(txn, *before, trace);
    return table.insert(txn, trace);
}

Result<std::optional<data::Bytes>> find_trace(data::View& view, const data::Space& space,
                                              data::BytesView primary, Timestamp now) {
    const auto trace = TRY(schema().tombstones.find(
        view, Tombstone::primary_of({.space = space.number, .primary = data::Bytes(primary)})));
    return trace && trace->until > now ? std::optional(trace->row) : std::nullopt;
}

} // namespace detail

Result<bool> prune_places(SystemContext& system) { return erase_ended(system, schema().tombstones); }

} // namespace slashpost

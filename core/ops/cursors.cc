#include "core/ops/cursors.h"

namespace slashpost {

namespace {

constexpr std::size_t batch_max = 500;

} // namespace

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

Result<bool> prune_places(SystemContext& system) {
    const auto& table = schema().tombstones;
    std::vector<data::Bytes> over;
    const data::Walk walk{.until = key(Timestamp{system.now.ms + 1})};
    TRY(table.by_end.walk(system.txn, walk, [&](data::BytesView primary) -> Result<bool> {
        over.emplace_back(primary);
        return over.size() < batch_max;
    }));
    for (const auto& primary : over)
        if (const auto trace = TRY(table.find(system.txn, primary)); trace && trace->until <= system.now)
            TRY(table.remove(system.txn, *trace));
    return over.size() == batch_max;
}

} // namespace slashpost

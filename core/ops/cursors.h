#pragma once
// Cursors of lists whose rows are really erased (wire "Lists": "A cursor stays valid when its item was
// deleted or changed since").
//
// Where a row stands in a list follows from the row, so a trace of it is kept for a day: an operation that
// erases a row calls keep_place, a list that is told to go on behind one looks it up with find_place, and a
// background step calls prune_places.
#include "core/access/context.h"
#include "core/schema/schema.h"

namespace slashpost {

inline constexpr std::int64_t place_kept_seconds = 24LL * 3600;

namespace detail {

Result<void> keep_trace(data::Txn& txn, const Tombstone& trace);
Result<std::optional<data::Bytes>> find_trace(data::View& view, const data::Space& space,
                                              data::BytesView primary, Timestamp now);

} // namespace detail

// To be called in the transaction that erases `row`. What no order of its lists looks at, such as a long
// text, is better taken out of it before.
template <class T>
Result<void> keep_place(data::Txn& txn, const data::Table<T>& table, const T& row, Timestamp now) {
    static_assert(T::primary_bytes > 0 && T::primary_bytes <= Tombstone::primary_max);
    return detail::keep_trace(txn, {.space = table.rows().number,
                                    .primary = T::primary_of(row),
                                    .row = data::encode(row),
                                    .until = now.plus_seconds(place_kept_seconds),
                                    .unknown = {}});
}

// The row, or its trace when it was erased less than a day ago. Only good for telling its place, and whose it
// was: look at its workspace as with every row that a caller names.
template <class T>
Result<std::optional<T>> find_place(data::View& view, const data::Table<T>& table, data::BytesView primary,
                                    Timestamp now) {
    if (auto row = TRY(table.find(view, primary)))
        return row;
    const auto trace = TRY(detail::find_trace(view, table.rows(), primary, now));
    if (!trace)
        return std::optional<T>();
    return std::optional<T>(TRY(data::decode<T>(*trace)));
}

// Forgets places whose day is over, some hundred at a time; true when there may be more.
Result<bool> prune_places(SystemContext& system);

} // namespace slashpost

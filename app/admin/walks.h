#pragma once
// Parts of the store as walks of a meter.
#include "app/admin/meter.h"
#include "core/schema/schema.h"

namespace slashpost::admin {

inline Meter::Walk all_of(const data::Space& space) { return {.space = space, .range = {}}; }

template <class Table>
Meter::Walk rows_of(const Table& table) {
    return {.space = table.rows(), .range = data::Range::of_prefix(Table::row_key({}))};
}

} // namespace slashpost::admin

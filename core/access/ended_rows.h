#pragma once
// Rows that are over at a time of their own: sessions, answers kept for a day, traces of what was erased.
#include "core/access/context.h"
#include "core/data/entries.h"
#include "core/data/key.h"

#include <vector>

namespace slashpost {

inline constexpr std::size_t erased_at_once_max = 500;

// Erases rows of a table whose index by_end lies before now. A background step: one batch; true when there is
// more.
template <class Table>
Result<bool> erase_ended(SystemContext& system, const Table& table) {
    std::vector<data::Bytes> ended;
    const data::Walk walk{.until = data::key(Timestamp{system.now.ms + 1})};
    TRY(table.by_end.walk(system.txn, walk, [&](data::BytesView primary) -> Result<bool> {
        ended.emplace_back(primary);
        return ended.size() < erased_at_once_max;
    }));
    for (const auto& primary : ended)
        if (const auto row = TRY(table.find(system.txn, primary)))
            TRY(table.remove(system.txn, *row));
    return ended.size() == erased_at_once_max;
}

} // namespace slashpost

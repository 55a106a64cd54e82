#pragma once
// Hours that go on. What is folded every few seconds is written once per subject and hour, here, and moved
// into the three grains of core/schema/rollups.h when the hour is over; who reads adds both up. Links, which
// are many, share their rows (core/schema/recent_links.h).
//
//   space::recent_rollups  hour (4 bytes) | subject -> counts
//   space::meta            "rollups.settled"  -> settled (4 bytes), closed (4 bytes)
//                          "rollups.settling" -> first key that is not moved yet
//
// Hours before `settled` have no rows here. Those before `closed` get none any more: they are being moved,
// and what comes late for them goes into the grains at once.
#include "core/schema/rollups.h"

#include <vector>

namespace slashpost {

struct SettledHours {
    std::uint32_t settled = 0;
    std::uint32_t closed = 0;
};
// In a transaction it fails to commit when hours are closed meanwhile.
Result<SettledHours> settled_hours(data::View& view);

// Counts what happened in an hour. `hours` was read in the same transaction.
Result<void> add_hour(data::Txn& txn, const SettledHours& hours, const Subject& subject, std::uint32_t hour,
                      const data::Counts& delta);

// The hours that have rows here or sheets of links, in their order. Like the counts it is not tracked.
Result<std::vector<std::uint32_t>> recent_hours(data::View& view);
Result<data::Counts> recent_counts(data::View& view, std::uint32_t hour, const Subject& subject);

// Closes the hours before `until` and moves one bounded batch of what they have. True when there may be more.
Result<bool> close_hours_batch(data::Txn& txn, std::uint32_t until);
// All hours that have rows, so that none are left here until a new hour begins. Others may settle meanwhile.
Result<void> close_all_hours(data::Engine& engine);

data::Bytes recent_rollup_key(std::uint32_t hour, const Subject& subject);

} // namespace slashpost

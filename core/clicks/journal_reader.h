#pragma once
// How far the click journal has been read into the store.
//
// Each click counts exactly once, whatever moment the process is killed at: a fold (click_fold.h) writes what
// clicks add up to and the number of the record up to which it has come in one transaction, and goes on from
// that number.
//
//   space::journal   lane (u32)      -> number of the lane's first record that is not counted yet (u64)
//   space::meta      "lanes.NAME"    -> the first lane of the server of that name (u32)
//                    "lanes.next"    -> the first lane of the next one (u32)
//
// Each server has a journal of its own. Those whose store lies elsewhere take turns with one store, and each
// has 65,536 numbers there for the lanes of its journal; the only server of a store has those from 0 on.
//
// In a store of an earlier version, where two readers read the journal, the totals ahead of the rollups,
// also:
//
//                    lane (u32) | 01 -> number of the lane's first record that is not in the rollups yet
//
// Such a row goes when the store is opened, after what lies between both numbers was added to the rollups
// (begin_folding in click_fold.h).
#include "core/clicks/clicks.h"
#include "core/data/journal.h"

#include <span>
#include <vector>

namespace slashpost::redirect {

struct FoldReport {
    std::uint64_t clicks = 0;       // added
    std::uint64_t unreadable = 0;   // records that are no clicks, left out
    std::uint64_t transactions = 0; // that it took
};

// A part of one lane.
struct LaneRange {
    std::uint32_t lane = 0;
    data::Bytes at;                    // the key of the row that says how far the lane is read
    std::optional<data::Bytes> stored; // what that row says; nothing, if it is not there
    std::uint64_t next = 0;            // the first record not taken yet
    std::uint64_t until = 0;           // as far as this fold goes
};

// The number in the store of the first lane of the server that is called so; given once and kept.
Result<std::uint32_t> first_lane_of(data::Engine& engine, std::string_view server);

// Of each lane with something to read: from where the store stands to its end now. A fault when the store has
// read more of a lane than there is, which align_journal prevents.
Result<std::vector<LaneRange>> find_lane_ranges(data::Engine& engine, const data::Journal& journal,
                                                std::uint32_t first_lane);
// Of each lane of which the rollups lack what the totals have, which only an older store does: that part, as
// far as it is there.
Result<std::vector<LaneRange>> find_rollup_gaps(data::Engine& engine, const data::Journal& journal);
// When no gap is left: the rollups are where the totals are.
Result<void> forget_rollup_gaps(data::Engine& engine);

// Tells each lane of the journal what the store has read of it already, which may be more than there is when
// the disk lost what it had confirmed: the lane goes on behind it.
Result<void> align_journal(data::Engine& engine, data::Journal& journal, std::uint32_t first_lane);

// Writes how far the ranges were taken; part of the transaction that writes what they add up to. Fails with
// `conflict` when somebody else reads the same ranges.
Result<void> write_positions(data::Txn& txn, std::span<const LaneRange> ranges);
// Whether a transaction with write_positions is in the store.
Result<bool> is_written(data::Engine& engine, std::span<const LaneRange> ranges);

} // namespace slashpost::redirect

#pragma once
// How far the click journal has been read into the store, by each of its two readers: the totals
// (click_fold.h) and the slower rollups (rollup_fold.h).
//
// Each click counts exactly once with each reader, whatever moment the process is killed at: a fold writes
// what clicks add up to and the number of the record up to which it has come in one transaction, and goes on
// from that number. The journal keeps what one of them still needs. What is folded is on the disk in the
// journal first: else a power cut could leave a store that knows of clicks which the other reader will never
// see.
//
//   space::journal   lane (u32)      -> number of the lane's first record not yet in the totals (u64)
//                    lane (u32) | 01 -> the same of the rollups
//
// A store of before there were rollups has no second number: rollups then begin where the totals stand, which
// the totals' next fold writes down before it goes on. So nothing is in them that was clicked before, and
// nothing twice.
#include "core/clicks/clicks.h"
#include "core/data/journal.h"

#include <vector>

namespace slashpost::redirect {

enum class Reader : std::uint8_t { totals, rollups };

struct FoldReport {
    std::uint64_t clicks = 0;       // added
    std::uint64_t unreadable = 0;   // records that are no clicks, left out
    std::uint64_t transactions = 0; // that it took
};

// A lane that ends between the two readers: the totals have more than there is, the rollups lack what is
// left.
struct ShortLane {
    std::uint32_t lane = 0;
    std::uint64_t counted = 0; // as far as the totals have come
};

// Tells each lane of the journal what the store has folded of it already, which may be more than there is
// when the disk lost what it had confirmed. Answers the lanes that it cannot tell yet, because a reader needs
// what they have. Part of align_readers (rollup_fold.h).
Result<std::vector<ShortLane>> align_journal(data::Engine& engine, data::Journal& journal);

// A part of one lane. `stored` is what the store says of the lane: nothing, if it has no row.
struct LaneRange {
    std::uint32_t lane = 0;
    std::optional<data::Bytes> stored;
    std::uint64_t next = 0;  // the first record not taken yet
    std::uint64_t until = 0; // as far as this fold goes
};

// The record at which the reader stands, as the store says.
Result<std::uint64_t> position_of(data::Engine& engine, std::uint32_t lane, Reader reader);
// Whether both readers stand at the beginning of each of the ranges, and the store says so of each.
Result<bool> stand_together(data::Engine& engine, const std::vector<LaneRange>& ranges);

// Of each lane with something to read: from where the reader stands to its end now.
Result<std::vector<LaneRange>> find_lane_ranges(data::Engine& engine, const data::Journal& journal,
                                                Reader reader);
// Writes how far the ranges were taken; part of the transaction that writes what they add up to. Fails
// when somebody else reads for the same reader.
Result<void> write_positions(data::Txn& txn, const std::vector<LaneRange>& ranges, Reader reader);
// After that commit: gives back what both readers have read, and leaves the ranges that are not at their
// end.
Result<void> move_on(data::Engine& engine, data::Journal& journal, std::vector<LaneRange>& ranges,
                     Reader reader);

} // namespace slashpost::redirect

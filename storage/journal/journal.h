#pragma once
// The journal (core/data/journal.h) as files in a folder: memory-mapped segments, some per lane.
//
// Each file is named by its lane and the number of its first record; storage/journal/segment.h draws it.
// One process at a time may have the folder open.
#include "core/data/journal.h"
#include "storage/damage.h"

#include <memory>
#include <string>

namespace slashpost::storage {

inline constexpr std::uint32_t journal_lanes_max = 1024;

struct JournalOptions {
    std::string folder;           // made when missing
    std::size_t record_bytes = 0; // of records to come; older ones keep and are read with their own size
    std::size_t segment_bytes = std::size_t{1} << 20; // of each file; the least is one record
    // Files of the same size that are kept for when the disk has no room; `sync` makes them while it has
    // much.
    std::size_t files_in_reserve = 0;
    // What is damaged is given up instead of refused: a copy of each such file is kept beside it, and
    // `notice` told.
    bool accepts_loss = false;
    Notice notice;
    // A thread makes the next file when a writer is in the middle of one. Otherwise `sync` and `release` do.
    bool has_thread = true;
};

// Finds the end of every lane (leftover.h). Fails, and leaves every file as it was, when the folder is open
// elsewhere (`unavailable`), a segment is damaged (`refused`, StoreDamaged) or of a newer format
// (StoreNewer).
Result<std::unique_ptr<data::Journal>> open_journal(const JournalOptions& options);

} // namespace slashpost::storage

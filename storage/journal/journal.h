#pragma once
// The journal (core/data/journal.h) as files in a folder: memory-mapped segments, some per lane.
//
// Each file is named by its lane and the number of its first record; storage/journal/segment.h draws it.
// One process at a time may have the folder open.
#include "core/data/journal.h"

#include <memory>
#include <string>

namespace slashpost::storage {

inline constexpr std::uint32_t journal_lanes_max = 1024;

struct JournalOptions {
    std::string folder;           // made when missing
    std::size_t record_bytes = 0; // of records to come; older ones keep and are read with their own size
    std::size_t segment_bytes = std::size_t{1} << 20; // of each file; the least is one record
    // Files that a busy lane keeps when their records are released, for new segments. After a burst more are
    // released at once than this: the rest is removed.
    std::size_t files_aside_max = 48;
    // A thread makes the next file when a writer is in the middle of one. Otherwise `sync` and `release` do.
    bool has_thread = true;
};

// Finds the end of every lane: the first record that is not whole, and all behind it, never were. Fails, and
// leaves every file as it was, when the folder is open elsewhere, or a segment is damaged or of a newer
// format.
Result<std::unique_ptr<data::Journal>> open_journal(const JournalOptions& options);

} // namespace slashpost::storage

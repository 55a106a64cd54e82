#pragma once
// An append-only log of small fixed-size records, for facts that arrive too fast for a transaction each.
//
// A journal has lanes; each lane has exactly one writing thread and numbers its records 0, 1, 2, ... for
// ever. A reader folds records into the engine and stores, in the same commit, the record number up to
// which it has folded each lane; so every record counts exactly once, whatever moment the process dies at.
//
//   1. When `append` returns true, the record survives the death of the process (not yet a power cut;
//      `sync` bounds what that can take).
//   2. A record is either read back whole or not at all: a checksum guards each.
//   3. `release` gives back the room of records below a position; they are never read again.
#include "core/data/engine.h"

#include <cstdint>

namespace slashpost::data {

class JournalLane {
  public:
    virtual ~JournalLane() = default;
    // Copies one record of record_bytes(). No system call in the usual case. False: no room could be had
    // (disk full); the caller goes on and counts the loss.
    virtual bool append(BytesView record) noexcept = 0;
};

// Where there is no journal: keeps nothing.
class NoLane final : public JournalLane {
  public:
    bool append(BytesView) noexcept override { return false; }
};

class Journal {
  public:
    using VisitRecord = std::function<bool(BytesView record)>;

    virtual ~Journal() = default;
    [[nodiscard]] virtual std::size_t record_bytes() const = 0;
    // Lanes with numbers below this have records, or may have had some.
    [[nodiscard]] virtual std::uint32_t lane_count() const = 0;
    // The lane for one writing thread; made when missing. Never hand one lane to two threads.
    virtual Result<JournalLane*> lane(std::uint32_t number) = 0;
    // The number of the oldest record that is still kept; end() when there is none.
    [[nodiscard]] virtual std::uint64_t begin(std::uint32_t lane) const = 0;
    // The number that the next record of this lane will get.
    [[nodiscard]] virtual std::uint64_t end(std::uint32_t lane) const = 0;
    // Visits records from number `from` (not before begin()) up to the end as it was at the call, oldest
    // first, until `visit` answers false. Safe while the lane is being written. A record is as long as
    // record_bytes() was when it was written.
    virtual Result<void> read(std::uint32_t lane, std::uint64_t from, const VisitRecord& visit) = 0;
    // Records below `position` are not needed any more. A position beyond the end (possible after a power
    // cut, when the store knew more than the journal) moves the end up to it; so whoever folds releases its
    // positions once before anybody writes.
    virtual Result<void> release(std::uint32_t lane, std::uint64_t position) = 0;
    // Everything appended before the call survives a power cut after it.
    virtual Result<void> sync() = 0;
};

} // namespace slashpost::data

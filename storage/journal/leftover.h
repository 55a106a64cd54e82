#pragma once
// What an earlier process left of a lane: where it ends, and what of it is damaged.
//
// A killed process may leave its last record unfinished. A power cut takes what was not synced, in whole
// sectors and in any order, so whole records may stand behind what it took. Both are a torn end: the first
// record that is not there, and all behind it, never were. But a record that is broken although its sectors
// have arrived, with whole ones behind it, was written whole and damaged later. (Where an older build had
// taken a file again, a page that has not arrived looks as before, which a thirtieth of the clicks, those
// across two pages, cannot tell from damage: they count as torn.)
#include "storage/journal/segment.h"

#include <vector>

namespace slashpost::storage {

class Leftover {
  public:
    // For each of a lane's segments, in order, each beginning where the one before ends; `bytes` are its
    // slots from the first up to `past`.
    void add(const SegmentHeader& header, std::uint64_t past, data::BytesView bytes);

    // A record is missing: what comes behind it is not to be added.
    [[nodiscard]] bool is_torn() const { return torn_; }
    // The number behind the last record that is there, or that is damaged.
    [[nodiscard]] std::uint64_t end() const { return end_; }
    // The numbers of records below end(), in order.
    [[nodiscard]] const std::vector<std::uint64_t>& damaged() const { return damaged_; }

  private:
    std::uint64_t end_ = 0;
    bool torn_ = false;
    std::vector<std::uint64_t> damaged_;
    std::vector<std::uint64_t> broken_; // behind end_
};

} // namespace slashpost::storage

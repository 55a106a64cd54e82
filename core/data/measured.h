#pragma once
// How much of a store lies where, for whoever tells how far a long walk has come.
#include "core/data/engine.h"

namespace slashpost::data {

// What an engine is besides that can tell.
class Measured {
  public:
    virtual ~Measured() = default;
    // About how many bytes the keys of the range take, in files and in memory, and those under the tallies if
    // `space` is null.
    virtual std::uint64_t bytes_about(const Space* space, const Range& range) = 0;
};

} // namespace slashpost::data

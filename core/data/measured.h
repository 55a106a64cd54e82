#pragma once
// How much of a store lies where, for whoever tells how far a long walk has come.
#include "core/data/engine.h"

#include <functional>

namespace slashpost::data {

// Told now and then which part of some long work is done, from 0 to 1. The work ends when it fails.
using Tell = std::function<Result<void>(double fraction)>;
inline Result<void> tell_nobody(double /*fraction*/) { return {}; }

// What an engine is besides that can tell.
class Measured {
  public:
    virtual ~Measured() = default;
    // About how many bytes the keys of the range take, in files and in memory.
    virtual std::uint64_t bytes_about(const Space& space, const Range& range) = 0;
    // Engine::verify_checksums, telling how far it has come.
    virtual Result<void> verify_files(const Tell& tell) = 0;
};

} // namespace slashpost::data

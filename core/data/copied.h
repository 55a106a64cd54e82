#pragma once
// A copy of a store that is in use, for whoever keeps copies.
#include "core/data/measured.h"

#include <string>

namespace slashpost::data {

// What an engine is besides whose store lies in files.
class Copied {
  public:
    virtual ~Copied() = default;
    // Makes `folder`, which is not there yet, a store with all that was committed before the call, and
    // perhaps with some of what is committed meanwhile, each commit whole; on the disk when this succeeds.
    // Files that never change are given a second name where the file system can: the store's own, else
    // those of `earlier`, another such copy, that are the same; empty: there is none. Fails when `tell` does,
    // and as writes do; then the folder may be there, and is good for nothing.
    virtual Result<void> copy_files(const std::string& folder, const std::string& earlier,
                                    const Tell& tell) = 0;
};

} // namespace slashpost::data

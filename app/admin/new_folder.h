#pragma once
// A data folder into which a restore goes. What it made there goes again when it fails: the folder itself, or
// the new store in it.
#include "core/base/result.h"

#include <filesystem>

namespace slashpost::admin {

class NewFolder {
  public:
    // Looks at what is there before anything is made.
    explicit NewFolder(std::filesystem::path folder);
    // From now on what was not there is this object's to remove. To be called by whoever holds the folder's
    // lock: nobody else makes anything there.
    void begin();
    // It is one.
    void keep() { made_.clear(); }
    // The lock was given back.
    ~NewFolder();
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

  private:
    std::filesystem::path folder_;
    std::filesystem::path missing_; // the uppermost folder that was not there; empty: all were
    std::filesystem::path made_;    // empty: nothing is to be removed
};

} // namespace slashpost::admin

#pragma once
// A data folder in the making. What was made of it goes again when it does not become one.
#include "core/base/result.h"

#include <filesystem>
#include <vector>

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
    std::vector<std::filesystem::path> made_;
};

} // namespace slashpost::admin

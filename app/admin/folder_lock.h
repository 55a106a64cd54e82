#pragma once
// Who may touch a data folder: the holder of the lock on DATA/lock, one process at a time. Taken by the
// server for its whole life and by the admin tool while it works on the folder directly. The kernel gives
// the lock back when the holder dies, however it dies.
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace slashpost::admin {

class FolderLock {
  public:
    FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();

    // Nothing when another process holds it. Fails when the folder does not exist or cannot be written.
    static Result<std::optional<FolderLock>> take(const std::filesystem::path& folder);

  private:
    explicit FolderLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_;
};

// What the lock file says about its holder ("process 17"), for error messages.
std::string lock_holder(const std::filesystem::path& folder);

} // namespace slashpost::admin

#pragma once
// A server reads only files that are its user's. So root works on a data folder as the user and the group
// that it belongs to, and whatever is made there is theirs.
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <sys/types.h>
#include <utility>

namespace slashpost::admin {

class AsOwner {
  public:
    // As the owner of the folder or, where there is none yet, of what it will be made in. Changes nothing for
    // any other user than root, nor where root is the owner. Fails when the system says no.
    static Result<AsOwner> of(const std::filesystem::path& folder);
    // Root again.
    ~AsOwner();
    AsOwner(AsOwner&& other) noexcept : before_(std::exchange(other.before_, std::nullopt)) {}
    AsOwner& operator=(AsOwner&&) = delete;

  private:
    explicit AsOwner(std::optional<gid_t> before) : before_(before) {}
    std::optional<gid_t> before_; // the group that root had; nothing: nothing was changed
};

} // namespace slashpost::admin

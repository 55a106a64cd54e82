#include "app/admin/as_owner.h"

#include "core/base/errors.h"

#include <cerrno>
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::admin {

namespace {

// What is known of the folder or, where it is not there, of the nearest one above it.
Result<struct stat> ask_owner(const std::filesystem::path& folder) {
    std::error_code error;
    auto at = std::filesystem::absolute(folder, error);
    for (struct stat about{}; !error;) {
        if (::stat(at.c_str(), &about) == 0)
            return about;
        if (errno != ENOENT || !at.has_relative_path())
            error.assign(errno, std::generic_category());
        at = at.parent_path();
    }
    return unavailable(fmt::format("cannot look at {}: {}", folder.string(), error.message()));
}

} // namespace

Result<AsOwner> AsOwner::of(const std::filesystem::path& folder) {
    if (::geteuid() != 0)
        return AsOwner(std::nullopt);
    const auto owner = TRY(ask_owner(folder));
    if (owner.st_uid == 0)
        return AsOwner(std::nullopt);
    AsOwner self(::getegid());
    if (::setegid(owner.st_gid) != 0 || ::seteuid(owner.st_uid) != 0)
        return unavailable(fmt::format("cannot work as the owner of {}: {}", folder.string(),
                                       std::generic_category().message(errno)));
    return self;
}

AsOwner::~AsOwner() {
    if (!before_)
        return;
    // To go back was allowed when this began; whoever is still somebody else makes no harm.
    static_cast<void>(::seteuid(0) == 0 && ::setegid(*before_) == 0);
}

} // namespace slashpost::admin

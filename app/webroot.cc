#include "app/webroot.h"

#include "core/base/errors.h"

#include <cerrno>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace slashpost::app {

Result<void> make_webroot(const Config& config) {
    const auto& folder = config.acme_webroot;
    if (folder.empty())
        return {};
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (!error && ::access(folder.c_str(), R_OK | X_OK) != 0)
        error = {errno, std::generic_category()};
    if (error)
        return unavailable(
            fmt::format("acme-webroot: cannot use the folder {}: {}; make it so that the user of this "
                        "server (id {}) can read it, or give another",
                        folder.string(), error.message(), ::geteuid()));
    return {};
}

} // namespace slashpost::app

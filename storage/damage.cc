#include "storage/damage.h"

#include "core/base/errors.h"

#include <filesystem>
#include <fmt/format.h>

namespace slashpost::storage {

namespace fs = std::filesystem;

std::unexpected<Error> damaged_file(const std::string& path, std::string_view what, std::string_view lost) {
    return refused(
        "StoreDamaged", "store",
        fmt::format("The file {} is damaged: {}. Mend the disk or take a backup; or start with "
                    "--accept-loss on, which keeps a copy of the file beside it and goes on without {}.",
                    path, what, lost));
}

Result<void> keep_damaged(const std::string& path, const Notice& notice) {
    auto copy = path + ".damaged";
    std::error_code error;
    for (int number = 2; fs::exists(copy, error); ++number)
        copy = fmt::format("{}.damaged.{}", path, number);
    if (!fs::copy_file(path, copy, error))
        return unavailable(
            fmt::format("cannot keep a copy of the damaged file {} as {}: {}", path, copy, error.message()));
    if (notice)
        notice(fmt::format("The damaged file {} is kept as {}.", path, copy));
    return {};
}

} // namespace slashpost::storage

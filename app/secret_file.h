#pragma once
// Secrets that stand in files of their own, as service managers hand them out, so that neither the list of
// processes nor the environment shows them.
#include "core/base/result.h"

#include <filesystem>
#include <optional>
#include <string>

namespace slashpost::app {

inline constexpr std::size_t secret_bytes_max = 4096;

// The only line of the file, without the end of the line. Fails with a sentence when the file cannot be read,
// or holds nothing, more than one line or more than secret_bytes_max.
Result<std::string> read_secret_file(const std::filesystem::path& file);

// A sentence that says what to do when others than the file's owner and group may read it, or others than its
// owner change it. Nothing when that is not so, or the file is no ordinary one.
std::optional<std::string> check_rights(const std::filesystem::path& file);

} // namespace slashpost::app

#pragma once
// Files of ours that hold something else than we wrote. Nobody goes on without what they held unless told to,
// and what they hold is kept.
#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>

namespace slashpost::storage {

// Told in one sentence for the operator.
using Notice = std::function<void(std::string_view sentence)>;

// Refused as StoreDamaged: the sentence says what is wrong with the file at `path`, what is lost without it,
// and how to go on.
std::unexpected<Error> damaged_file(const std::string& path, std::string_view what, std::string_view lost);

// Copies the file to PATH.damaged, or PATH.damaged.2 and so on where there is one, and tells `notice`. Fails
// as `unavailable` when that cannot be written.
Result<void> keep_damaged(const std::string& path, const Notice& notice);

} // namespace slashpost::storage

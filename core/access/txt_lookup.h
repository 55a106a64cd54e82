#pragma once
// How the service asks the DNS, which core itself knows nothing of: the program gives it a function.
#include "core/base/result.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace slashpost {

// The texts of the TXT records at `name`, the parts of each put together; none when there is no such name or
// no such record. Fails with `unavailable` when the DNS does not answer in time. Takes seconds at worst, so
// no transaction may wait for it. Safe to call from any thread.
using TxtLookup = std::function<Result<std::vector<std::string>>(std::string_view name)>;

} // namespace slashpost

#pragma once
// The passwords that everybody tries first: of the 10,000 most common ones those that are long enough to be
// taken here, by the list in core/base/common-passwords.
#include <string_view>

namespace slashpost {

// Ignoring case.
[[nodiscard]] bool is_common_password(std::string_view password);

} // namespace slashpost

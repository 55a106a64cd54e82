#pragma once
// Bytes as text, for mail and for the policies of pages.
#include <string>
#include <string_view>

namespace slashpost {

// By RFC 4648, section 4: on one line, filled up with "=".
[[nodiscard]] std::string base64(std::string_view bytes);

} // namespace slashpost

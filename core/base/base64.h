#pragma once
// Bytes as text, for mail, for the policies of pages and for what is signed.
#include <string>
#include <string_view>

namespace slashpost {

// By RFC 4648, section 4: on one line, filled up with "=".
[[nodiscard]] std::string base64(std::string_view bytes);
// By its section 5, without "=": for addresses and for signed messages (RFC 7515).
[[nodiscard]] std::string base64url(std::string_view bytes);

} // namespace slashpost

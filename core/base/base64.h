#pragma once
// Bytes as text, for mail, for the policies of pages and for what is signed.
#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

// By RFC 4648, section 4: on one line, filled up with "=".
[[nodiscard]] std::string base64(std::string_view bytes);
// By its section 5, without "=": for addresses and for signed messages (RFC 7515).
[[nodiscard]] std::string base64url(std::string_view bytes);
// Its bytes again; nothing for text that base64url does not write.
[[nodiscard]] std::optional<std::string> from_base64url(std::string_view text);

// The bytes of such a text of section 4, with its "="; nothing for any other.
[[nodiscard]] std::optional<std::string> base64_decoded(std::string_view text);

} // namespace slashpost

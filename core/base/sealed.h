#pragma once
// Text that nobody reads without a secret, which is not stored with it.
#include "core/base/random.h"

#include <optional>
#include <string>
#include <string_view>

namespace slashpost {

// The text under libsodium's secretbox (XSalsa20 and Poly1305), with a key that is a hash of the secret: 40
// bytes more than it. A secret that can be guessed is no protection.
[[nodiscard]] std::string seal(std::string_view text, std::string_view secret, Random& random);

// The text again; nothing when it was sealed with another secret, or changed since.
[[nodiscard]] std::optional<std::string> unseal(std::string_view sealed, std::string_view secret);

} // namespace slashpost

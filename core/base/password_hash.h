#pragma once
// Passwords: which text may be one, and what is kept of it: the hash that libsodium's crypto_pwhash_str makes
// (Argon2id with its own salt and the limits for interactive use, RFC 9106).
#include "core/base/errors.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace slashpost {

inline constexpr std::size_t password_characters_min = 10; // characters of Unicode
inline constexpr std::size_t password_bytes_max = 256;     // of UTF-8
// What making or comparing one hash takes for some 100 ms of a processor.
inline constexpr std::size_t password_hash_memory_bytes = std::size_t{64} * 1024 * 1024;

// Adds a problem when the text may not be a password: too short, too long, no UTF-8, or one of the most
// common. `property` is what the caller calls it.
void check_password(std::string_view property, std::string_view password, Problems& problems);

// Fails as unavailable when there is no memory for it.
Result<std::string> hash_password(std::string_view password);

// Whether the hash is that of the password. Takes as long when it is not, and for an empty hash, which no
// password has, too. Fails as unavailable when there is no memory for it.
Result<bool> is_password(std::string_view hash, std::string_view password);

} // namespace slashpost

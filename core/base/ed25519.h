#pragma once
// Signatures that anybody can verify and only who has the seed can make: Ed25519 (RFC 8032).
#include <string>
#include <string_view>

namespace slashpost {

inline constexpr std::size_t ed25519_seed_bytes = 32;
inline constexpr std::size_t ed25519_public_key_bytes = 32;

// What verifies what is signed with that seed. `seed` has ed25519_seed_bytes, as for the other.
[[nodiscard]] std::string ed25519_public_key(std::string_view seed);

// 64 bytes, always the same for the same text and seed.
[[nodiscard]] std::string ed25519_sign(std::string_view text, std::string_view seed);

} // namespace slashpost

#pragma once
// SipHash-2-4 (Aumasson and Bernstein): a short hash that tells nothing of what went in, and cannot be
// steered, by whoever does not have the key.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace slashpost {

struct SipKey {
    std::uint64_t low = 0, high = 0; // the key's 16 bytes, little-endian
};

[[nodiscard]] std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept;

} // namespace slashpost

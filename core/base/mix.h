#pragma once
// Hashes by multiplication.
#include <cstdint>

namespace slashpost {

__extension__ using Wide = unsigned __int128;

// 2^64 over the golden ratio: odd, and its bits have no pattern.
inline constexpr std::uint64_t golden_odd = 0x9e3779b97f4a7c15;

// The halves of the product put together: every bit of it hangs on all bits of both.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const auto product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace slashpost

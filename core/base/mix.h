#pragma once
// Hashes by multiplication.
#include <cstdint>

namespace slashpost {

__extension__ using Wide = unsigned __int128;

// The halves of the product put together: every bit of it hangs on all bits of both.
inline std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const auto product = Wide{a} * b;
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

} // namespace slashpost

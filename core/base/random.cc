#include "core/base/random.h"

#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>

namespace slashpost {

std::uint32_t Random::below(std::uint32_t bound) {
    const std::uint64_t usable = (std::uint64_t{1} << 32) / bound * bound;
    for (;;) {
        std::array<std::uint8_t, 4> bytes{};
        fill(bytes);
        if (const auto value = std::bit_cast<std::uint32_t>(bytes); value < usable)
            return value % bound;
    }
}

void SystemRandom::fill(std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const auto piece = out.first(std::min(out.size(), std::size_t{1} << 20)); // OpenSSL counts in int
        if (::RAND_bytes(piece.data(), static_cast<int>(piece.size())) != 1)
            std::abort(); // without randomness every key and slashtag would be guessable
        out = out.subspan(piece.size());
    }
}

} // namespace slashpost

#include "core/base/random.h"

#include <array>
#include <bit>
#include <cstdlib>
#include <sodium.h>

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

SystemRandom::SystemRandom() {
    if (sodium_init() < 0)
        std::abort(); // without randomness every key and slashtag would be guessable
}

// OpenSSL's generator takes memory for each thread, and fails a request, or the process, where there is none.
void SystemRandom::fill(std::span<std::uint8_t> out) { randombytes_buf(out.data(), out.size()); }

} // namespace slashpost

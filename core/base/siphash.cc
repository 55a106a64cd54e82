#include "core/base/siphash.h"

#include <bit>
#include <cstring>

namespace slashpost {

namespace {

struct State {
    std::uint64_t v0, v1, v2, v3;

    void round() {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void take(std::uint64_t word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
};

// Up to eight bytes, little-endian.
std::uint64_t word_of(std::string_view bytes) {
    if constexpr (std::endian::native == std::endian::little)
        if (bytes.size() == sizeof(std::uint64_t)) { // at once
            std::uint64_t word = 0;
            std::memcpy(&word, bytes.data(), sizeof word);
            return word;
        }
    std::uint64_t word = 0;
    for (std::size_t i = bytes.size(); i > 0; --i)
        word = word << 8U | static_cast<unsigned char>(bytes[i - 1]);
    return word;
}

} // namespace

std::uint64_t siphash(const SipKey& key, std::string_view bytes) noexcept {
    State state{key.low ^ 0x736f6d6570736575U, key.high ^ 0x646f72616e646f6dU, key.low ^ 0x6c7967656e657261U,
                key.high ^ 0x7465646279746573U};
    const std::uint64_t last = static_cast<std::uint64_t>(bytes.size()) << 56U;
    for (; bytes.size() >= 8; bytes.remove_prefix(8))
        state.take(word_of(bytes.substr(0, 8)));
    state.take(last | word_of(bytes));
    state.v2 ^= 0xffU;
    for (int i = 0; i < 4; ++i)
        state.round();
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

} // namespace slashpost

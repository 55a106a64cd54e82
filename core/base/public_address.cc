#include "core/base/public_address.h"

#include <algorithm>
#include <cstddef>

namespace slashpost {

namespace {

using Address = std::array<std::uint8_t, 16>;
using V4 = std::array<std::uint8_t, 4>;

struct V4Network {
    V4 bytes;
    unsigned prefix;
};
constexpr std::array<V4Network, 16> special_v4{{
    {{0, 0, 0, 0}, 8},       // this network
    {{10, 0, 0, 0}, 8},      // private
    {{100, 64, 0, 0}, 10},   // behind a provider's translator
    {{127, 0, 0, 0}, 8},     // this machine
    {{169, 254, 0, 0}, 16},  // this wire; metadata of clouds
    {{172, 16, 0, 0}, 12},   // private
    {{192, 0, 0, 0}, 24},    // protocols
    {{192, 0, 2, 0}, 24},    // documents
    {{192, 31, 196, 0}, 24}, // AS112
    {{192, 88, 99, 0}, 24},  // relays of 6to4
    {{192, 168, 0, 0}, 16},  // private
    {{192, 175, 48, 0}, 24}, // AS112
    {{198, 18, 0, 0}, 15},   // benchmarks
    {{198, 51, 100, 0}, 24}, // documents
    {{203, 0, 113, 0}, 24},  // documents
    {{224, 0, 0, 0}, 3},     // many at once, reserved, all
}};

struct V6Network {
    Address bytes;
    unsigned prefix;
};
// Of what is handed out at all, 2000::/3.
constexpr std::array<V6Network, 5> special_v6{{
    {{0x20, 0x01, 0x00}, 23},             // protocols, Teredo among them
    {{0x20, 0x01, 0x0d, 0xb8}, 32},       // documents
    {{0x20, 0x02}, 16},                   // 6to4
    {{0x26, 0x20, 0x00, 0x4f, 0x80}, 48}, // AS112
    {{0x3f, 0xff}, 20},                   // documents
}};
constexpr V6Network handed_out{{0x20}, 3};
constexpr V6Network mapped{{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff}, 96};
constexpr V6Network translated{{0x00, 0x64, 0xff, 0x9b}, 96};

template <std::size_t size>
bool covers(const std::array<std::uint8_t, size>& network, unsigned prefix,
            const std::array<std::uint8_t, size>& address) {
    for (std::size_t i = 0; i < size && prefix > 0; ++i) {
        const auto bits = std::min(prefix, 8U);
        const auto mask = static_cast<std::uint8_t>(0xff00U >> bits);
        if (((network[i] ^ address[i]) & mask) != 0)
            return false;
        prefix -= bits;
    }
    return true;
}

bool is_public_v4(const V4& address) {
    return std::ranges::none_of(
        special_v4, [&](const V4Network& network) { return covers(network.bytes, network.prefix, address); });
}

} // namespace

bool is_public_address(const Address& address) {
    if (covers(mapped.bytes, mapped.prefix, address) || covers(translated.bytes, translated.prefix, address))
        return is_public_v4({address[12], address[13], address[14], address[15]});
    return covers(handed_out.bytes, handed_out.prefix, address) &&
           std::ranges::none_of(special_v6, [&](const V6Network& network) {
               return covers(network.bytes, network.prefix, address);
           });
}

} // namespace slashpost
